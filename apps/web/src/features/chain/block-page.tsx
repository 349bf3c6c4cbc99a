import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, SearchX } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card, Empty, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { formatTime } from './format.ts'
import { ChainFrame, Fact, Facts } from './frame.tsx'
import { isMissing } from './not-found.ts'
import { isHeight } from './parse-query.ts'
import { PrevNext } from './prev-next.tsx'
import { t } from './texts.ts'
import { Transactions } from './transactions.tsx'

const SIZE = 20

/** A block of the chain, with links to its neighbours. */
export function BlockPage() {
  const { height } = useParams({ from: '/site/chain/block/$height' })
  const isValid = isHeight(height)
  usePageTitle(isValid ? t.blockOf(formatNumber(Number(height))) : undefined)
  return (
    <ChainFrame title={isValid ? t.blockOf(formatNumber(Number(height))) : t.block}>
      {isValid ? <Block key={height} height={Number(height)} /> : <Notice tone="bad">{t.wrongHeight}</Notice>}
    </ChainFrame>
  )
}

function Block({ height }: { height: number }) {
  const { page = 1 } = useSearch({ from: '/site/chain/block/$height' })
  const navigate = useNavigate()
  const block = useQuery({ ...query('chain.block', { height, page, size: SIZE }), ...paged })
  if (block.isPending) return <Loading />
  if (isMissing(block.error))
    return (
      <Card>
        <Empty icon={<SearchX aria-hidden className="size-5" />} title={t.noBlock}>
          <p className="mb-4">{t.noBlockText}</p>
          <Link to="/chain" className={buttonClass()}>
            {t.toChain}
          </Link>
        </Empty>
      </Card>
    )
  if (block.isError) return <LoadFailed title={t.failed} error={block.error} onRetry={() => void block.refetch()} />
  const { hash, time, proposer, latest, list, total } = block.data
  return (
    <>
      <Facts label={t.facts}>
        <Fact name={t.time}>
          <time dateTime={time} className="tabular-nums">
            {formatTime(time)}
          </time>
        </Fact>
        <Fact name={t.transactions}>
          <span className="font-mono tabular-nums">{formatNumber(total)}</span>
        </Fact>
        {/[^0]/.test(proposer) && (
          <Fact name={t.proposer}>
            <span className="font-mono text-sm break-all" translate="no">
              {proposer}
            </span>
          </Fact>
        )}
        <Fact name={t.hash} wide>
          <span className="font-mono text-sm break-all" translate="no">
            {hash}
          </span>
        </Fact>
      </Facts>
      <nav aria-label={t.block} className="mt-4 flex flex-wrap gap-2">
        {height > 1 && (
          <Link to="/chain/block/$height" params={{ height: String(height - 1) }} className={buttonClass()}>
            <ChevronLeft aria-hidden className="size-4" />
            {t.earlier}
          </Link>
        )}
        {height < latest && (
          <Link to="/chain/block/$height" params={{ height: String(height + 1) }} className={buttonClass()}>
            {t.later}
            <ChevronRight aria-hidden className="size-4" />
          </Link>
        )}
      </nav>
      <section className="mt-10">
        <h2 className="mb-4 text-xl font-semibold">{t.transactions}</h2>
        {total === 0 ? (
          <Card className="px-5 py-8 text-muted">{t.noTransactions}</Card>
        ) : (
          <Transactions list={list} block={false} />
        )}
        {total > SIZE && (
          <PrevNext
            page={page}
            more={page * SIZE < total}
            onPage={(next) =>
              void navigate({
                to: '/chain/block/$height',
                params: { height: String(height) },
                search: { page: next > 1 ? next : undefined },
              })
            }
          />
        )}
      </section>
    </>
  )
}
