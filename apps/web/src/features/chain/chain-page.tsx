import { Link } from '@tanstack/react-router'
import type { ChainSettings } from '@tidenet/contract'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { formatTime } from './format.ts'
import { ChainFrame, Fact, Facts } from './frame.tsx'
import { AddressLink, BlockLink } from './links.tsx'
import { t } from './texts.ts'
import { Transactions } from './transactions.tsx'
import { useChainSettings } from './use-settings.ts'

const REFRESH_MS = 6000
const RECENT = 10

/** The chain's current state and its latest transactions. */
export function ChainPage() {
  usePageTitle()
  const settings = useChainSettings()
  return (
    <ChainFrame title={t.title}>
      <p className="-mt-4 mb-8 max-w-3xl leading-7 text-muted">{t.intro}</p>
      {settings.isPending ? (
        <Loading />
      ) : settings.isError ? (
        <LoadFailed title={t.failed} error={settings.error} onRetry={() => void settings.refetch()} />
      ) : (
        <Overview settings={settings.data} />
      )}
    </ChainFrame>
  )
}

function Overview({ settings: { token, orders, coin } }: { settings: ChainSettings }) {
  const block = useQuery({ ...query('chain.block', { size: 1 }), refetchInterval: REFRESH_MS })
  const recent = useQuery({
    ...query('chain.address', { address: token.address, size: RECENT }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <>
      <Facts label={t.facts} columns={4}>
        <Fact name={t.latest}>
          {block.data ? (
            <>
              <BlockLink height={block.data.height} />
              <span className="block text-sm text-muted tabular-nums">{formatTime(block.data.time)}</span>
            </>
          ) : (
            '–'
          )}
        </Fact>
        <Fact name={t.tokenContract}>
          <AddressLink address={token.address} named={false} />
        </Fact>
        <Fact name={t.ordersContract}>
          <AddressLink address={orders} named={false} />
        </Fact>
        <Fact name={t.coins}>{t.coinsOf(token.symbol, coin)}</Fact>
      </Facts>
      <section className="mt-10">
        <h2 className="text-xl font-semibold">{t.recent}</h2>
        <p className="mt-1 mb-4 text-muted">{t.recentText}</p>
        {recent.isPending ? (
          <Loading />
        ) : recent.isError ? (
          <LoadFailed title={t.failed} error={recent.error} onRetry={() => void recent.refetch()} />
        ) : recent.data.list.length === 0 ? (
          <Card className="px-5 py-8 text-muted">{t.noneYet}</Card>
        ) : (
          <>
            <Transactions list={recent.data.list} />
            {recent.data.more && (
              <Link
                to="/chain/address/$address"
                params={{ address: token.address }}
                className={buttonClass('secondary', 'mt-4')}
              >
                {t.older}
              </Link>
            )}
          </>
        )}
      </section>
    </>
  )
}
