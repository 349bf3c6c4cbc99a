import { ChevronDown } from 'lucide-react'
import { areaName, countryOf } from '../../lib/areas.ts'
import { formatNumber, formatPercent, formatSize } from '../../lib/format.ts'
import { classes } from '../../ui/classes.ts'
import { NodeMark } from '../../ui/node-mark.tsx'
import { Bar, Uptime } from './bars.tsx'
import { t } from './texts.ts'
import type { ExplorerNode } from './types.ts'
import { uptimes } from './uptime.ts'

/** A node's name, or its id if it has none, shortened to 24 characters. */
export function nodeName({ name, node_id }: Pick<ExplorerNode, 'name' | 'node_id'>): string {
  const full = name || node_id
  return full.length > 24 ? `${full.slice(0, 14)}…${full.slice(-6)}` : full
}

/** A node in the table. On small screens the hidden columns are in the expanded details. */
export function NodeRow({ node, open, onToggle }: { node: ExplorerNode; open: boolean; onToggle: () => void }) {
  const spans = uptimes(node)
  const notOnline = node.status !== 'online'
  return (
    <tr className="border-b border-line last:border-b-0 hover:bg-sunken/40">
      <th scope="row" className="py-3 pr-4 pl-5 text-left font-normal">
        <span className="flex items-center gap-3">
          <NodeMark kind={node.type as 1 | 2 | 3} status={node.status} />
          <span className="min-w-0">
            <span className={classes('block font-medium wrap-anywhere', notOnline && 'text-muted')} translate="no">
              {nodeName(node)}
            </span>
            <span className="block text-muted">
              <span className="md:hidden">{areaName(node.area)} · </span>
              <span className="max-sm:hidden">{t.types[node.type - 1]} · </span>
              <span className={node.status === 'abnormal' ? 'text-warn' : undefined}>{t.states[node.status]}</span>
            </span>
          </span>
        </span>
      </th>
      <td className="px-4 py-3 max-md:hidden">
        {areaName(node.area)}
        {node.declared_area && (
          <span className="block text-xs text-muted">{t.declared(countryOf(node.declared_area))}</span>
        )}
      </td>
      <td className="px-4 py-3 max-sm:hidden">
        <ul className="flex gap-4">
          {spans.map((share, index) => (
            <li key={t.uptimeSpan[index]}>
              <span className="sr-only">{t.uptimeSpan[index]}: </span>
              <Uptime share={share} />
            </li>
          ))}
        </ul>
      </td>
      <td className="px-4 py-3 max-lg:hidden">
        <span className="block w-40">
          <span className="block font-mono whitespace-nowrap tabular-nums">
            {t.storageOf(formatSize(node.used), formatSize(node.capacity))}
          </span>
          <Bar share={node.capacity > 0 ? node.used / node.capacity : 0} />
        </span>
      </td>
      <td className="px-4 py-3 text-right font-mono tabular-nums max-md:hidden">{formatNumber(node.replicas)}</td>
      <td
        className={classes(
          'px-4 py-3 whitespace-nowrap tabular-nums max-lg:hidden',
          node.audits_failed_7d > 0 && 'font-medium text-warn',
        )}
      >
        {t.auditsOf(node.audits_passed_7d, node.audits_failed_7d)}
      </td>
      <td className="py-3 pr-3 text-right">
        <span className="flex items-center justify-end gap-2">
          <span className="font-mono tabular-nums sm:hidden">
            {formatPercent(spans.findLast((share) => share !== undefined) ?? 0, 1, 1)}
          </span>
          <button
            type="button"
            aria-expanded={open}
            aria-label={t.details(nodeName(node))}
            onClick={onToggle}
            className="inline-flex size-9 items-center justify-center rounded-lg text-muted hover:bg-sunken hover:text-text"
          >
            <ChevronDown aria-hidden className={classes('size-4 transition-transform', open && 'rotate-180')} />
          </button>
        </span>
      </td>
    </tr>
  )
}
