import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, Copy } from 'lucide-react'
import { useState } from 'react'
import { areaName } from '../../lib/areas.ts'
import { formatDateTime, formatHour, formatSize } from '../../lib/format.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { PageButtons, SelectField } from './controls.tsx'
import { t } from './texts.ts'
import type { ExplorerTransfer } from './types.ts'
import type { Live } from './use-live.ts'

const SIZE = 12
const icons = { upload: ArrowUp, download: ArrowDown, replica: Copy } as const
const kinds = ['upload', 'download', 'replica'] as const
type Kind = (typeof kinds)[number]

/** Transfers, newest first; live ones are added at the top. */
export function TransfersSection({ live: { transfers, fresh } }: { live: Live }) {
  const [page, setPage] = useState(1)
  const [kind, setKind] = useState('')
  const list = useQuery({
    ...query('explorer.transfers', { page, size: SIZE, ...(kind && { kind: kind as Kind }) }),
    ...paged,
  })
  if (list.isPending) return <Loading />
  if (list.isError) return <LoadFailed title={t.failedLoad} error={list.error} onRetry={() => void list.refetch()} />
  const newest = list.data.list[0]?.id ?? 0
  const live = page === 1 ? transfers.filter((each) => each.id > newest && (!kind || each.kind === kind)) : []
  const shown = [...live, ...list.data.list].slice(0, SIZE)
  if (shown.length === 0 && !kind)
    return (
      <Card className="flex flex-col items-center gap-4 px-5 py-12 text-center text-muted">
        {t.noTransfers}
        <Link to="/Upload" className={buttonClass()}>
          {t.tryIt}
        </Link>
      </Card>
    )
  return (
    <>
      <div className="mb-4 w-44">
        <SelectField
          label={t.kind}
          value={kind}
          onChange={(next) => {
            setKind(next)
            setPage(1)
          }}
          options={[['', t.allKinds], ...kinds.map((each) => [each, t.kinds[each]] as const)]}
        />
      </div>
      <Card className="overflow-hidden">
        {shown.length === 0 ? (
          <p className="px-5 py-12 text-center text-muted">{t.noSuchTransfers}</p>
        ) : (
          <table className="w-full text-left text-sm">
            <thead>
              <tr className="border-b border-line text-muted">
                <th scope="col" className="py-3 pr-4 pl-5 font-medium">
                  {t.kind}
                </th>
                <th scope="col" className="px-4 py-3 font-medium max-sm:hidden">
                  {t.from}
                </th>
                <th scope="col" className="px-4 py-3 font-medium max-sm:hidden">
                  {t.to}
                </th>
                <th scope="col" className="px-4 py-3 text-right font-medium">
                  {t.size}
                </th>
                <th scope="col" className="py-3 pr-5 pl-4 text-right font-medium">
                  {t.when}
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((each) => (
                <Row key={each.id} transfer={each} isNew={fresh.has(each.id)} />
              ))}
            </tbody>
          </table>
        )}
      </Card>
      {list.data.total > SIZE && <PageButtons page={page} pages={Math.ceil(list.data.total / SIZE)} onPage={setPage} />}
    </>
  )
}

function Row({ transfer: { kind, size, from, to, at }, isNew }: { transfer: ExplorerTransfer; isNew: boolean }) {
  const Icon = icons[kind]
  const [begin, end] = [from, to].map((place) => (place ? areaName(place.area) : t.someone))
  return (
    <tr className="border-b border-line last:border-b-0">
      <td className="py-2.5 pr-4 pl-5">
        <span className="flex items-center gap-3">
          <Icon aria-hidden className={isNew ? 'size-4 shrink-0 text-signal' : 'size-4 shrink-0 text-muted'} />
          <span>
            {t.kinds[kind]}
            {isNew && <span className="ml-2 text-xs font-medium text-signal">{t.justNow}</span>}
            <span className="block text-muted sm:hidden">{t.way(begin ?? '', end ?? '')}</span>
          </span>
        </span>
      </td>
      <td className={from ? 'px-4 py-2.5 max-sm:hidden' : 'px-4 py-2.5 text-muted max-sm:hidden'}>{begin}</td>
      <td className={to ? 'px-4 py-2.5 max-sm:hidden' : 'px-4 py-2.5 text-muted max-sm:hidden'}>{end}</td>
      <td className="px-4 py-2.5 text-right font-mono whitespace-nowrap tabular-nums">{formatSize(size)}</td>
      <td className="py-2.5 pr-5 pl-4 text-right whitespace-nowrap text-muted tabular-nums">
        <span className="max-sm:hidden">{formatDateTime(at)}</span>
        <span className="sm:hidden">{formatHour(at)}</span>
      </td>
    </tr>
  )
}
