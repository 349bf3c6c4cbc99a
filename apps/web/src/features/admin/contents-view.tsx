import type { AdminContent } from '@tidenet/contract'
import { formatDateTime, formatNumber, formatSize } from '../../lib/format.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { CopyIcon } from '../../ui/copy.tsx'
import { type Column, Filters, List, SelectFilter } from './list.tsx'
import { choiceOf, useAdminSearch } from './search.ts'
import { t } from './texts.ts'

const REFRESH_MS = 30_000
const STATES = ['nowhere'] as const

const columns = (): Column<AdminContent>[] => [
  {
    title: t.contents.content,
    cell: ({ cid, kind }) => (
      <>
        <span className="flex items-center gap-1">
          <span translate="no" className="font-mono text-xs wrap-anywhere">
            {cid}
          </span>
          <CopyIcon text={cid} label={t.contents.content} />
        </span>
        <span className="block text-xs text-muted">{t.contents.kinds[kind]}</span>
      </>
    ),
  },
  {
    title: t.contents.copies,
    className: 'text-right whitespace-nowrap tabular-nums',
    cell: ({ stored, wanted }) => (
      <span className={stored === 0 ? 'text-danger' : undefined}>
        {t.contents.ofWanted(formatNumber(stored), formatNumber(wanted))}
      </span>
    ),
  },
  {
    title: t.contents.size,
    className: 'text-right whitespace-nowrap tabular-nums max-sm:hidden',
    cell: ({ size }) => formatSize(size),
  },
  {
    title: t.contents.created,
    className: 'whitespace-nowrap tabular-nums max-md:hidden',
    cell: ({ created_at }) => formatDateTime(created_at),
  },
]

/** Contents with missing copies. */
export function ContentsView() {
  const search = useAdminSearch()
  const only = choiceOf(search.state, STATES)
  const state = useQuery({
    ...query('admin.contents', { ...(only && { state: only }), ...(search.after && { after: search.after }) }),
    ...paged,
    refetchInterval: REFRESH_MS,
  })
  return (
    <>
      <Filters names={['state']}>
        <SelectFilter name="state" label={t.contents.state} options={[['nowhere', t.contents.nowhere]]} />
      </Filters>
      <List state={state} columns={columns()} keyOf={({ cid }) => cid} nameOf={({ cid }) => cid} />
    </>
  )
}
