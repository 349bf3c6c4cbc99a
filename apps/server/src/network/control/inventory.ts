import type { contract, Parsed } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { type Context, now } from '../context.ts'
import * as placement from '../placement/placement.ts'

type Page = Parsed<typeof contract.nodeControl.inventory>

/** Contents stored this shortly before the first page may be missing from it. */
const JUST_STORED_MS = 10_000

/**
 * Compares a node's contents with its replicas. Lost replicas that the node has count again at once; after the last page, replicas that no
 * page named are lost. Pages are stored until then, without contents that have no replica on the node.
 * @returns contents that the node should delete
 */
export async function compareInventory(
  context: Pick<Context, 'db' | 'clock' | 'demand'>,
  nodeId: string,
  { cids, first, last }: Page,
): Promise<string[]> {
  const at = now(context)
  await placement.restoreReplicas(context.db, nodeId, at, cids)
  await context.db.transaction(async (tx) => {
    if (first) await tx.run(sql`delete from inventories where node_id = ${nodeId}`)
    const known = await placement.replicasAmong(tx, nodeId, cids)
    await tx.run(sql`
      insert into inventories (node_id, cid, begun_at)
      select ${nodeId}, f.cid, coalesce((select min(begun_at) from inventories where node_id = ${nodeId}), ${at})
      from unnest(${known.map(({ cid }) => cid)}::text[]) f (cid) on conflict do nothing`)
    if (last) await closeInventory(tx, nodeId, at)
  })
  const wanted = (await placement.replicasAmong(context.db, nodeId, cids)).filter(({ state }) => state !== 'removed')
  const needed = await context.demand.neededFrom(context.db, nodeId, cids)
  const known = new Set([...wanted.map(({ cid }) => cid), ...needed])
  return cids.filter((cid) => !known.has(cid))
}

async function closeInventory(tx: Db, nodeId: string, at: Date): Promise<void> {
  const { begun } = await tx.one<{ begun: Date }>(sql`
    select coalesce(min(begun_at), ${at}) as begun from inventories where node_id = ${nodeId}`)
  const missing = await placement.missingReplicas(tx, nodeId, new Date(begun.getTime() - JUST_STORED_MS))
  await tx.run(sql`delete from inventories where node_id = ${nodeId}`)
  if (missing.length > 0) await placement.recordMissing(tx, nodeId, missing, at)
}

/** Inventories whose last page never came. */
export const expired = (at: Date): Sql[] => [
  sql`delete from inventories where (node_id, cid) in (
    select node_id, cid from inventories where begun_at < ${ago(at, DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
]
