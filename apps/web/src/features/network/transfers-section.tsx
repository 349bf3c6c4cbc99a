import { Link } from '@tanstack/react-router'
import { areaName } from '@tidenet/contract/areas'
import { ArrowDown, ArrowUp, Copy } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime, formatSize } from '../../lib/format.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { lang } from '../../lib/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { Turn } from './nodes-section.tsx'
import { t } from './texts.ts'
import type { ExplorerTransfer } from './types.ts'

const SIZE = 12
const icons = { upload: ArrowUp, download: ArrowDown, replica: Copy } as const

/** What moved, newest first; what happens while one looks comes on top. */
export function TransfersSection({ fresh }: { fresh: readonly ExplorerTransfer[] }) {
  const [page, setPage] = useState(1)
  const list = useQuery({ ...query('explorer.transfers', { page, size: SIZE }), ...paged })
  if (list.isPending) return <Loading />
  if (list.isError) return <LoadFailed title={t.failedLoad} error={list.error} onRetry={() => void list.refetch()} />
  const known = new Set(list.data.list.map(({ id }) => id))
  const newest = list.data.list[0]?.id ?? 0
  const shown =
    page === 1
      ? [...fresh.filter(({ id }) => id > newest && !known.has(id)), ...list.data.list].slice(0, SIZE)
      : list.data.list
  if (shown.length === 0)
    return (
      <Card className="flex flex-col items-center gap-4 px-5 py-10 text-muted">
        {t.noTransfers}
        <Link to="/Upload" className={buttonClass()}>
          {t.tryIt}
        </Link>
      </Card>
    )
  return (
    <>
      <Card className="overflow-x-auto">
        <table className="w-full min-w-140 text-left text-sm">
          <thead>
            <tr className="border-b border-line text-muted">
              {[t.kind, t.size, t.from, t.to, t.when].map((title) => (
                <th key={title} scope="col" className="px-4 py-3 font-medium first:pl-5">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ id, kind, size, from, to, at }) => {
              const Icon = icons[kind]
              return (
                <tr key={id} className="border-b border-line last:border-b-0">
                  <td className="px-4 py-2.5 pl-5">
                    <span className="flex items-center gap-2.5">
                      <Icon aria-hidden className={id > newest ? 'size-4 text-signal' : 'size-4 text-muted'} />
                      {t.kinds[kind]}
                    </span>
                  </td>
                  <td className="px-4 py-2.5 font-mono tabular-nums">{formatSize(size)}</td>
                  <td className="px-4 py-2.5">{from ? areaName(from.area, lang) : t.someone}</td>
                  <td className="px-4 py-2.5">{to ? areaName(to.area, lang) : t.someone}</td>
                  <td className="px-4 py-2.5 whitespace-nowrap text-muted">{formatDateTime(at)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </Card>
      {list.data.total > SIZE && <Turn page={page} pages={Math.ceil(list.data.total / SIZE)} onPage={setPage} />}
    </>
  )
}
