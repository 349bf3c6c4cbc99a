import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { usePageTitle } from '../../lib/page-title.ts'
import { shorten } from '../../lib/phrases.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { Card, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { isAddress } from './find.ts'
import { ChainFrame, Fact, Facts } from './frame.tsx'
import { showAmount } from './show.ts'
import { t } from './texts.ts'
import { Transactions } from './transactions.tsx'
import { Turn } from './turn.tsx'

const SIZE = 20
/** The chain is asked no further back. */
const MOST_PAGES = 20
const REFRESH_MS = 15_000

/** What an address has, and what it sent and was sent. */
export function AddressPage() {
  const { address: text } = useParams({ from: '/site/chain/address/$address' })
  const address = text.toLowerCase()
  const fits = isAddress(address)
  usePageTitle(fits ? t.addressOf(shorten(address, 10, 6)) : undefined)
  return (
    <ChainFrame title={t.address} {...(fits && { code: address })}>
      {fits ? <Address key={address} address={address} /> : <Notice tone="bad">{t.wrongAddress}</Notice>}
    </ChainFrame>
  )
}

function Address({ address }: { address: string }) {
  const { page = 1 } = useSearch({ from: '/site/chain/address/$address' })
  const navigate = useNavigate()
  const shown = useQuery({
    ...query('chain.address', { address, page: Math.min(page, MOST_PAGES), size: SIZE }),
    ...paged,
    refetchInterval: REFRESH_MS,
  })
  if (shown.isPending) return <Loading />
  if (shown.isError) return <LoadFailed title={t.failed} error={shown.error} onRetry={() => void shown.refetch()} />
  const { kind, balance, gas, rewards, list, more } = shown.data
  return (
    <>
      <Facts label={t.facts}>
        <Fact name={t.kind}>{t.kinds[kind]}</Fact>
        <Fact name={kind === 'orders' ? t.held : t.has}>
          <span className="text-lg tabular-nums">{showAmount(balance)}</span>
        </Fact>
        {rewards && rewards.units !== '0' && (
          <Fact name={t.hasRewards}>
            <span className="text-lg tabular-nums">{showAmount(rewards)}</span>
          </Fact>
        )}
        <Fact name={t.hasForFees}>
          <span className="text-lg tabular-nums">{showAmount(gas)}</span>
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
          <Turn
            page={page}
            more={more && page < MOST_PAGES}
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
