import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { usePageTitle } from '../../lib/page-title.ts'
import { shorten } from '../../lib/phrases.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { Card, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { formatAmount } from './format.ts'
import { ChainFrame, Fact, Facts } from './frame.tsx'
import { isAddress } from './parse-query.ts'
import { PrevNext } from './prev-next.tsx'
import { t } from './texts.ts'
import { Transactions } from './transactions.tsx'

const SIZE = 20
/** The API returns no older transactions. */
const MAX_PAGES = 20
const REFRESH_MS = 15_000

/** Balance and transactions of an address. */
export function AddressPage() {
  const { address: text } = useParams({ from: '/site/chain/address/$address' })
  const address = text.toLowerCase()
  const isValid = isAddress(address)
  usePageTitle(isValid ? t.addressOf(shorten(address, 10, 6)) : undefined)
  return (
    <ChainFrame title={t.address} {...(isValid && { code: address })}>
      {isValid ? <Address key={address} address={address} /> : <Notice tone="bad">{t.wrongAddress}</Notice>}
    </ChainFrame>
  )
}

function Address({ address }: { address: string }) {
  const { page = 1 } = useSearch({ from: '/site/chain/address/$address' })
  const navigate = useNavigate()
  const account = useQuery({
    ...query('chain.address', { address, page: Math.min(page, MAX_PAGES), size: SIZE }),
    ...paged,
    refetchInterval: REFRESH_MS,
  })
  if (account.isPending) return <Loading />
  if (account.isError)
    return <LoadFailed title={t.failed} error={account.error} onRetry={() => void account.refetch()} />
  const { kind, balance, gas, rewards, list, more } = account.data
  return (
    <>
      <Facts label={t.facts}>
        <Fact name={t.kind}>{t.kinds[kind]}</Fact>
        <Fact name={kind === 'orders' ? t.held : t.has}>
          <span className="text-lg tabular-nums">{formatAmount(balance)}</span>
        </Fact>
        {rewards && rewards.units !== '0' && (
          <Fact name={t.hasRewards}>
            <span className="text-lg tabular-nums">{formatAmount(rewards)}</span>
          </Fact>
        )}
        <Fact name={t.hasForFees}>
          <span className="text-lg tabular-nums">{formatAmount(gas)}</span>
        </Fact>
      </Facts>
      <section className="mt-10">
        <h2 className="mb-4 text-xl font-semibold">{t.addressTransactions}</h2>
        {list.length === 0 ? (
          <Card className="px-5 py-8 text-muted">{t.noneOfAddress}</Card>
        ) : (
          <Transactions list={list} />
        )}
        {(page > 1 || more) && (
          <PrevNext
            page={page}
            more={more && page < MAX_PAGES}
            onPage={(next) =>
              void navigate({
                to: '/chain/address/$address',
                params: { address },
                search: { page: next > 1 ? next : undefined },
              })
            }
          />
        )}
      </section>
    </>
  )
}
