import type { contract, Parsed } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_AT_ONCE } from '../../platform/tasks/expired.ts'
import { type Context, now } from '../context.ts'
import { checkContents, lockContents, restoreReplicas } from '../placement/repository.ts'

type Page = Parsed<typeof contract.nodeControl.inventory>

/** What was stored this shortly before the first page may be missing from it. */
const JUST_STORED = 10_000

/**
 * Compares what a node holds with what it should hold. Pages are kept until the last one is there, as far as they name what the
 * node has to do with; then what is missing is lost. What had been taken for lost and is there counts again.
 * @returns contents that the node has no business to hold
 */
export async function compareInventory(
  context: Pick<Context, 'db' | 'clock' | 'demand'>,
  nodeId: string,
  { cids, first, last }: Page,
): Promise<string[]> {
  const at = now(context)
  await restoreReplicas(context.db, nodeId, at, cids)
  await context.db.transaction(async (tx) => {
    if (first) await tx.run(sql`delete from inventories where node_id = ${nodeId}`)
    await tx.run(sql`
      insert into inventories (node_id, cid, begun_at)
      select ${nodeId}, r.cid, coalesce((select min(begun_at) from inventories where node_id = ${nodeId}), ${at})
      from replicas r where r.node_id = ${nodeId} and r.cid = any(${cids}) on conflict do nothing`)
    if (last) await closeInventory(tx, nodeId, at)
  })
  const wanted = await context.db.rows<{ cid: string }>(sql`
    select cid from replicas where node_id = ${nodeId} and cid = any(${cids}) and state <> 'removed'`)
  const known = new Set([
    ...wanted.map((row) => row.cid),
    ...(await context.demand.neededFrom(context.db, nodeId, cids)),
  ])
  return cids.filter((cid) => !known.has(cid))
}

async function closeInventory(tx: Db, nodeId: string, at: Date): Promise<void> {
  const { begun } = await tx.one<{ begun: Date }>(sql`
    select coalesce(min(begun_at), ${at}) as begun from inventories where node_id = ${nodeId}`)
  const missing = await tx.rows<{ cid: string }>(sql`
    select r.cid from replicas r where r.node_id = ${nodeId} and r.changed_at < ${new Date(begun.getTime() - JUST_STORED)}
      and (r.state in ('stored', 'claimed', 'removed') or r.doubted)
      and not exists (select 1 from inventories i where i.node_id = r.node_id and i.cid = r.cid)`)
  await tx.run(sql`delete from inventories where node_id = ${nodeId}`)
  if (missing.length === 0) return
  const cids = missing.map((row) => row.cid)
  await lockContents(tx, cids)
  await tx.run(sql`
    delete from replicas where node_id = ${nodeId} and cid = any(${cids}) and (state = 'removed' or doubted)`)
  await tx.run(sql`
    update replicas set state = 'lost', error = 'missing', proven = false, changed_at = ${at}
    where node_id = ${nodeId} and cid = any(${cids}) and state in ('stored', 'claimed')`)
  await checkContents(tx, cids, at)
}

/** Comparisons that were not finished. */
export const expired = (at: Date): Sql[] => [
  sql`delete from inventories where (node_id, cid) in (
    select node_id, cid from inventories where begun_at < ${ago(at, DAY)} limit ${EXPIRED_AT_ONCE} for update skip locked)`,
]
