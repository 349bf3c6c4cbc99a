import type { SlowNode } from '@tidenet/storage'
import { bytes } from './amounts.ts'
import { printMessage } from './output.ts'
import { texts } from './texts.ts'

/** Names the nodes that slowed a download, on standard error. */
export function printSlow(nodes: readonly SlowNode[]): void {
  for (const node of nodes) printMessage(slowText(node))
}

/** Such as `Slowed by e_1: it took 12.5 s, at 4.1% of the median speed of the other nodes.` */
export function slowText({ node_id, kind, ms, rate, share }: SlowNode): string {
  const seconds = (ms / 1000).toFixed(1)
  if (kind === 'unanswered') return texts.slowUnanswered(node_id, seconds)
  if (kind === 'single') return texts.slowSingle(node_id, seconds, `${bytes(rate)}/s`)
  return texts.slowNode(node_id, seconds, (share * 100).toFixed(share < 0.1 ? 1 : 0))
}
