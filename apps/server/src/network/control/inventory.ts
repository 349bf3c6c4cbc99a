import { AppError, type contract, type Parsed } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import { secondsUntil } from '../../platform/attempts/attempts.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { type Context, now } from '../context.ts'
import * as placement from '../placement/placement.ts'

type Page = Parsed<typeof contract.nodeControl.inventory>

/** Contents stored this shortly before the first page may be missing from it. */
const JUST_STORED_MS = 10_000
/** The most contents of an inventory without a replica: leftovers, or just uploaded. A node with more deletes some and sends it again. */
const UNKNOWN_MAX = 10_000
/** The most inventories of a node in this time. Nodes send one at each start and every hour. */
const RUNS_MAX = 30
const RUNS_WITHIN_MS = DAY / 24

/**
 * Compares a node's contents with its replicas. Lost replicas that the node has count again at once; after the last page, replicas that no
 * page named are lost. Pages are stored until then, without contents that have no replica on the node.
 * @returns contents that the node should delete
 * @throws AppError inventoryTooLarge, tooManyRequests
 */
export async function compareInventory(
  context: Pick<Context, 'db' | 'clock' | 'demand'>,
  nodeId: string,
  { cids, first, last }: Page,
): Promise<string[]> {
  const at = now(context)
  await countPage(context.db, nodeId, { first, contents: cids.length }, at)
  await placement.restoreReplicas(context.db, nodeId, at, cids)
  const known = await context.db.transaction(async (tx) => {
    if (first) await tx.run(sql`delete from inventories where node_id = ${nodeId}`)
    const known = await placement.replicasAmong(tx, nodeId, cids)
    await tx.run(sql`
      insert into inventories (node_id, cid, begun_at)
      select ${nodeId}, f.cid, coalesce((select min(begun_at) from inventories where node_id = ${nodeId}), ${at})
      from unnest(${known.map(({ cid }) => cid)}::text[]) f (cid) on conflict do nothing`)
    if (last) await closeInventory(tx, nodeId, at)
    return known
  })
  const wanted = known.filter(({ state }) => state !== 'removed').map(({ cid }) => cid)
  const kept = new Set([...wanted, ...(await context.demand.neededFrom(context.db, nodeId, cids))])
  return cids.filter((cid) => !kept.has(cid))
}

/**
 * Counts the contents of a page, repeated ones too, before they are looked up. A page after the last one begins a new inventory.
 * @throws AppError inventoryTooLarge, tooManyRequests
 */
async function countPage(
  db: Db,
  nodeId: string,
  { first, contents }: { first: boolean; contents: number },
  at: Date,
): Promise<void> {
  const run = first
    ? undefined
    : await db.maybe<{ named: number; most: number }>(sql`
        update inventory_runs set named = named + ${contents} where node_id = ${nodeId} and most is not null returning named, most`)
  if (!run) await beginRun(db, nodeId, contents, at)
  else if (run.named > run.most) throw new AppError('inventoryTooLarge', { max: run.most })
}

async function beginRun(db: Db, nodeId: string, contents: number, at: Date): Promise<void> {
  const most = (await placement.countOfNode(db, nodeId)) + UNKNOWN_MAX
  const isOver = sql`r.since <= ${ago(at, RUNS_WITHIN_MS)}`
  const begun = await db.run(sql`
    insert into inventory_runs as r (node_id, named, most, runs, since) values (${nodeId}, ${contents}, ${most}, 1, ${at})
    on conflict (node_id) do update set named = excluded.named, most = excluded.most,
      runs = case when ${isOver} then 1 else r.runs + 1 end, since = case when ${isOver} then excluded.since else r.since end
    where ${isOver} or r.runs < ${RUNS_MAX}`)
  if (begun === 1) return
  const { since } = await db.one<{ since: Date }>(sql`select since from inventory_runs where node_id = ${nodeId}`)
  throw new AppError('tooManyRequests', { seconds: secondsUntil(new Date(since.getTime() + RUNS_WITHIN_MS), at) })
}

async function closeInventory(tx: Db, nodeId: string, at: Date): Promise<void> {
  const { begun } = await tx.one<{ begun: Date }>(sql`
    select coalesce(min(begun_at), ${at}) as begun from inventories where node_id = ${nodeId}`)
  await tx.run(sql`update inventory_runs set most = null where node_id = ${nodeId}`)
  const missing = await placement.missingReplicas(tx, nodeId, new Date(begun.getTime() - JUST_STORED_MS))
  await tx.run(sql`delete from inventories where node_id = ${nodeId}`)
  if (missing.length > 0) await placement.recordMissing(tx, nodeId, missing, at)
}

/** Inventories whose last page never came. */
export const expired = (at: Date): Sql[] => [
  sql`delete from inventories where (node_id, cid) in (
    select node_id, cid from inventories where begun_at < ${ago(at, DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
  sql`delete from inventory_runs where node_id in (
    select node_id from inventory_runs where since < ${ago(at, DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
]
