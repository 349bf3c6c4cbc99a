import type { Output, RouteOf } from '@tidenet/contract'
import { areaName } from '@tidenet/contract/areas'
import { formatNumber, formatSize } from '../../lib/format.ts'
import { lang } from '../../lib/texts.ts'
import { Card } from '../../ui/states.tsx'
import { t } from './texts.ts'

export type Area = Output<RouteOf<'explorer.areas'>>['list'][number]

/** What each area offers and holds. */
export function AreasSection({ areas }: { areas: readonly Area[] }) {
  return (
    <Card className="overflow-x-auto">
      <table className="w-full min-w-120 text-left text-sm">
        <thead>
          <tr className="border-b border-line text-muted">
            {[t.area, t.nodesIn, t.room, t.copies].map((title) => (
              <th key={title} scope="col" className="px-4 py-3 font-medium first:pl-5">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {areas.map((area) => (
            <tr key={area.area} className="border-b border-line last:border-b-0">
              <th scope="row" className="px-4 py-3 pl-5 font-medium">
                {areaName(area.area, lang)}
              </th>
              <td className="px-4 py-3 tabular-nums">
                {t.onlineOf(formatNumber(area.nodes_online), formatNumber(area.nodes))}
              </td>
              <td className="px-4 py-3 font-mono tabular-nums">
                {t.roomOf(formatSize(area.used), formatSize(area.capacity))}
              </td>
              <td className="px-4 py-3 font-mono tabular-nums">{formatNumber(area.replicas)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
