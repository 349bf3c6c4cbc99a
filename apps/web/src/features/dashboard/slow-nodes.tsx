import type { TraceDetail } from '@tidenet/contract'
import { type SlowNode, slowNodes } from '@tidenet/contract/slow-nodes'
import { Hourglass } from 'lucide-react'
import { formatNumber, formatPercent, formatSpeed } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { t } from './texts.ts'

/** Names the nodes that slowed a transfer; nothing if there are none. */
export function SlowNodes({ details }: { details: readonly TraceDetail[] }) {
  const named = slowNodes(details)
  if (named.length === 0) return null
  return (
    <section className="mt-4 rounded-lg bg-warn-soft px-4 py-3">
      <h3 className="flex items-center gap-2 font-medium">
        <Hourglass aria-hidden className="size-4 shrink-0" />
        {t.slowTitle}
      </h3>
      <ul className="mt-1 flex flex-col gap-1">
        {named.map((node) => (
          <li key={`${node.node_id} ${node.kind}`} title={node.node_id} className="wrap-anywhere">
            {textOf(node)}
          </li>
        ))}
      </ul>
    </section>
  )
}

function textOf({ node_id, kind, ms, rate, share }: SlowNode): string {
  const node = node_id.length > 18 ? shorten(node_id, 10, 6) : node_id
  const seconds = formatNumber(ms / 1000, 1)
  if (kind === 'unanswered') return t.unanswered(node, seconds)
  if (kind === 'single') return t.single(node, seconds, formatSpeed(rate))
  return t.slow(node, seconds, formatPercent(share, 1, share < 0.1 ? 1 : 0))
}
