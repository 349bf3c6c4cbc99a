import { earningsOf, type Hindrance, type Stated } from '@tidenet/receipts'
import { accountsOf, paidBytes } from '../../identity/index.ts'
import { nodeHours, placement } from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { paidTraffic } from '../../storage/index.ts'

/** The inputs of the formula, from what the server observed. */

export const HOUR_MS = 3_600_000
const MILLION = 1_000_000

export type NodeHourClaims = Stated<'node_hour'>

/** An hour of a node with what it earned. */
export interface ComputedHour {
  claims: NodeHourClaims
  ownerId: number | null
  version: number
  traffic: number
  storage: number
  hindrance: Hindrance | null
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000)

/** Millionths of the bytes of all contents that paying accounts store, at most all of them. */
export async function paidShare(db: Db): Promise<number> {
  const paid = await paidBytes(db)
  const { bytes } = await placement.totals(db)
  return bytes > 0 ? Math.floor(Math.min(1, paid / bytes) * MILLION) : 0
}

/**
 * Hours of nodes that were online in it, or served or failed something, in the order of ids.
 * @param to the end of the hour, or now
 * @returns `last`: the last node that was looked at; undefined if there was none
 */
export async function computeHours(
  db: Db,
  { hour, to, share }: { hour: Date; to: Date; share: number },
  filter: Parameters<typeof nodeHours>[2],
): Promise<{ hours: ComputedHour[]; last: string | undefined }> {
  const rows = await nodeHours(db, { from: hour, to }, filter)
  const signed = await paidTraffic(
    db,
    rows.map(({ node_id }) => node_id),
    hour,
  )
  const there = rows.filter(({ node_id, online, failed }) => online > 0 || failed > 0 || signed.has(node_id))
  const owners = await accountsOf(
    db,
    there.flatMap(({ owner_id }) => owner_id ?? []),
  )
  const hours = there.map((row) => {
    const owner = owners.get(row.owner_id ?? 0)
    const claims: NodeHourClaims = {
      kind: 'node_hour',
      ...(owner && { sub: owner.uid }),
      node: row.node_id,
      hour: seconds(hour),
      trusted: row.trusted,
      passed: row.passed,
      failed: row.failed,
      audited: row.audited ? seconds(row.audited) : 0,
      held: Math.min(Number.MAX_SAFE_INTEGER, row.held),
      online: row.online,
      crowd: row.crowd,
      signed: signed.get(row.node_id) ?? 0,
      paid_share: share,
    }
    return { claims, ownerId: owner?.id ?? null, ...earningsOf(claims) }
  })
  return { hours, last: rows.at(-1)?.node_id }
}
