import type { UseQueryResult } from '@tanstack/react-query'
import type { Output, RouteOf } from '@tidenet/contract'
import { areaName } from '../../lib/areas.ts'
import { formatNumber, formatPercent, formatSize } from '../../lib/format.ts'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { Bar } from './bars.tsx'
import { t } from './texts.ts'

type Areas = Output<RouteOf<'explorer.areas'>>

/** Nodes, storage space and copies per area. */
export function AreasSection({
  areas,
}: {
  areas: Pick<UseQueryResult<Areas>, 'data' | 'isError' | 'error' | 'refetch'>
}) {
  if (areas.isError) return <LoadFailed title={t.failedLoad} error={areas.error} onRetry={() => void areas.refetch()} />
  if (!areas.data) return <Loading />
  const copies = areas.data.list.reduce((sum, area) => sum + area.replicas, 0)
  return (
    <Card className="overflow-hidden">
      <table className="w-full text-left text-sm">
        <thead>
          <tr className="border-b border-line text-muted">
            <th scope="col" className="py-3 pr-4 pl-5 font-medium">
              {t.area}
            </th>
            <th scope="col" className="px-4 py-3 font-medium">
              {t.nodesIn}
            </th>
            <th scope="col" className="px-4 py-3 font-medium max-sm:hidden">
              {t.storage}
            </th>
            <th scope="col" className="py-3 pr-5 pl-4 font-medium sm:w-2/5">
              {t.copiesShare}
            </th>
          </tr>
        </thead>
        <tbody>
          {areas.data.list.map((area) => (
            <tr key={area.area} className="border-b border-line last:border-b-0">
              <th scope="row" className="py-3 pr-4 pl-5 font-medium">
                {areaName(area.area)}
              </th>
              <td className="px-4 py-3 whitespace-nowrap tabular-nums">
                {t.onlineOf(formatNumber(area.nodes_online), formatNumber(area.nodes))}
              </td>
              <td className="px-4 py-3 font-mono whitespace-nowrap tabular-nums max-sm:hidden">
                {t.storageOf(formatSize(area.used), formatSize(area.capacity))}
              </td>
              <td className="py-3 pr-5 pl-4">
                <span className="flex items-center gap-3">
                  <span className="w-10 text-right font-mono tabular-nums">{formatNumber(area.replicas)}</span>
                  <Bar share={copies > 0 ? area.replicas / copies : 0} className="h-2 max-w-60 flex-1 max-sm:hidden" />
                  <span className="w-12 text-right text-muted tabular-nums max-sm:hidden">
                    {formatPercent(area.replicas, copies)}
                  </span>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
