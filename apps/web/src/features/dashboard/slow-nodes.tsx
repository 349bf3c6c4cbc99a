import type { TraceDetail } from '@tidenet/contract'
import { type SlowNode, slowNodes } from '@tidenet/contract/slow-nodes'
import { Hourglass } from 'lucide-react'
import { formatNumber, formatPercent, formatSpeed } from '../../lib/format.ts'
import { NodeName, type NodeNames } from './node-name.tsx'
import { t } from './texts.ts'

/** Names the nodes that slowed a transfer; nothing if there are none. */
export function SlowNodes({ details, names }: { details: readonly TraceDetail[]; names: NodeNames }) {
  const slow = slowNodes(details)
  if (slow.length === 0) return null
  return (
    <section className="mt-4 rounded-lg bg-warn-soft px-4 py-3">
      <h3 className="flex items-center gap-2 font-medium">
        <Hourglass aria-hidden className="size-4 shrink-0" />
        {t.slowTitle}
      </h3>
      <ul className="mt-1 flex flex-col gap-1">
        {slow.map((node) => (
          <li key={`${node.node_id} ${node.kind}`}>
            <NodeName id={node.node_id} names={names} />
            {textOf(node)}
          </li>
        ))}
      </ul>
    </section>
  )
}

function textOf({ kind, ms, rate, share }: SlowNode): string {
  const seconds = formatNumber(ms / 1000, 1)
  if (kind === 'unanswered') return t.unanswered(seconds)
  if (kind === 'single') return t.single(seconds, formatSpeed(rate))
  return t.slow(seconds, formatPercent(share, 1, share < 0.1 ? 1 : 0))
}
