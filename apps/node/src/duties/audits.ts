import { type Cid, MAX_BLOCK_SIZE, parseCid } from '@tidenet/content'
import { readNode, type UnixfsNode } from '@tidenet/content/unixfs'
import { verifyBlock } from '@tidenet/content/verify'
import type { Input, NodeSource, NodeWork, nodeControl } from '@tidenet/contract'
import type { Reporter } from './reporter.ts'
import { fetchWhole } from './source.ts'

export type AuditResult = Input<typeof nodeControl.audits>['results'][number]
export type AuditWork = Extract<NodeWork, { type: 'audit' }>

/** Asks other nodes for proof that they hold what they should. */
export interface Audits {
  room(): number
  take(work: AuditWork): void
  stop(): Promise<void>
}

const AT_A_TIME = 8
const LIMIT_MS = 10_000
const DEPTH_MAX = 64

/** @param onRoom called when an audit has ended */
export function createAudits(options: { reporter: Reporter<AuditResult>; onRoom: () => void }): Audits {
  const { reporter, onRoom } = options
  const stopped = new AbortController()
  const running = new Map<string, Promise<void>>()
  return {
    room: () => AT_A_TIME - running.size,
    take(work) {
      if (running.has(work.id)) return
      const end = audit(work, stopped.signal).then((result) => {
        running.delete(work.id)
        // An audit that this node cut off says nothing about the other.
        if (!stopped.signal.aborted) reporter.add(result)
        onRoom()
      })
      running.set(work.id, end)
    },
    async stop() {
      stopped.abort()
      await Promise.all(running.values())
    },
  }
}

/** Walks from the root to the leaf at `position`, all blocks from one node, each verified. Never rejects. */
export async function audit(work: AuditWork, stop: AbortSignal): Promise<AuditResult> {
  const { id } = work
  const started = performance.now()
  const limit = AbortSignal.timeout(LIMIT_MS)
  try {
    await walk(parseCid(work.cid), work.position, work.source, AbortSignal.any([stop, limit]))
    return { id, passed: true, ms: Math.round(performance.now() - started) }
  } catch (failure) {
    const error = limit.aborted ? 'it took too long' : failure instanceof Error ? failure.message : 'unknown'
    return { id, passed: false, error: error.slice(0, 300), ms: Math.round(performance.now() - started) }
  }
}

async function walk(root: Cid, position: number, source: NodeSource, signal: AbortSignal): Promise<void> {
  let at = { cid: root, position: Math.max(0, Math.min(1, position)) }
  for (let depth = 0; depth < DEPTH_MAX; depth += 1) {
    const bytes = await fetchWhole(source, { cid: at.cid.toString(), format: 'raw' }, MAX_BLOCK_SIZE, signal)
    await verifyBlock(at.cid, bytes)
    const next = child(readNode(at.cid, bytes), at.position)
    if (!next) return
    at = next
  }
  throw new Error('the content is a tree of too many levels')
}

/** The link that holds the position, and the position within it; undefined at a leaf. */
export function child(node: UnixfsNode, position: number): { cid: Cid; position: number } | undefined {
  const { links } = node
  const last = links.at(-1)
  if (!last) return undefined
  // Sizes that a maker declared as nothing must not hide a link from audits.
  const weights = links.map((link) => Math.max(1, link.cumulativeSize))
  let rest = position * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, link] of links.entries()) {
    const weight = weights[index] ?? 1
    if (rest < weight) return { cid: link.cid, position: rest / weight }
    rest -= weight
  }
  return { cid: last.cid, position: 1 }
}
