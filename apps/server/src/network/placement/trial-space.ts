import { TRIAL_BYTES, TRIAL_GROUP_BYTES } from '@tidenet/contract'
import { wideNetworkOf } from '@tidenet/daemon'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Context } from '../context.ts'
import type { NodeFacts } from '../nodes/node-table.ts'

/** An IPv6 /32 gets this many times as many bytes as one of its /48s. */
const WIDE = 8

/** The bytes of trial copies on new edges, which are limited per edge, per network and per owner. */
export interface TrialSpace {
  /** Bytes that the node may still get. */
  left(node: NodeFacts): number
  add(node: NodeFacts, bytes: number): void
}

export function createTrialSpace(held: readonly { node: NodeFacts; bytes: number }[]): TrialSpace {
  const used = new Map<string, number>()
  const keysOf = (node: NodeFacts): [key: string, most: number][] => {
    const keys: [string, number][] = [
      [node.id, TRIAL_BYTES],
      [`network ${node.network}`, TRIAL_GROUP_BYTES],
      [`owner ${node.owner}`, TRIAL_GROUP_BYTES],
    ]
    const wide = wideNetworkOf(node.network)
    if (wide !== undefined) keys.push([`network ${wide}`, WIDE * TRIAL_GROUP_BYTES])
    return keys
  }
  const add = (node: NodeFacts, bytes: number) => {
    for (const [key] of keysOf(node)) used.set(key, (used.get(key) ?? 0) + bytes)
  }
  for (const { node, bytes } of held) add(node, bytes)
  return { add, left: (node) => Math.min(...keysOf(node).map(([key, most]) => most - (used.get(key) ?? 0))) }
}

/** It is computed from all trial copies, so not for every batch: at most once a minute, and at most a fiftieth of the time. */
const FRESH_MS = 60_000
const FRESH_TIMES = 50
const known = new WeakMap<Db, { until: number; space: TrialSpace }>()

/** A minute old, or more if it takes long; in between this server adds what it places. */
export async function trialSpaceOf(
  { db, config }: Pick<Context, 'db' | 'config'>,
  nodes: readonly NodeFacts[],
): Promise<TrialSpace> {
  const last = known.get(db)
  if (last && config.pace !== 'quick' && performance.now() < last.until) return last.space
  const began = performance.now()
  const rows = await db.rows<{ id: string; bytes: number }>(sql`
    select n.id, sum(c.size)::float8 as bytes
    from nodes n join replicas r on r.node_id = n.id and r.state in ('wanted', 'pulling', 'unverified', 'stored')
      join contents c on c.cid = r.cid
    where n.kind = 'edge' and n.vetted_at is null group by n.id`)
  const bytes = new Map(rows.map((row) => [row.id, row.bytes]))
  const held = nodes.flatMap((node) => (bytes.has(node.id) ? [{ node, bytes: bytes.get(node.id) ?? 0 }] : []))
  const space = createTrialSpace(held)
  const at = performance.now()
  known.set(db, { until: at + Math.max(FRESH_MS, FRESH_TIMES * (at - began)), space })
  return space
}
