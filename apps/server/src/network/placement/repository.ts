import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Holder } from './choose.ts'
import type { ReplicaChange } from './replica-states.ts'

/** Replicas are changed after their contents were locked, in one order, so that nobody waits in a circle. */

/** Why a replica is lost whose node is away: it counts again when the node is back. */
export const AWAY = 'offline'

export const lockContents = (tx: Db, cids: readonly string[]) =>
  tx.rows(sql`select 1 from contents where cid = any(${cids}) order by cid for no key update`)

/** The replicas of one node among these contents. */
export async function lockReplicas(tx: Db, nodeId: string, cids: readonly string[]) {
  await lockContents(tx, cids)
  return tx.rows<{
    cid: string
    state: Holder['state']
    tries: number
    doubted: boolean
    size: number
    edge: boolean
  }>(sql`
    select r.cid, r.state, r.tries, r.doubted, c.size, n.kind = 'edge' as edge
    from replicas r join contents c on c.cid = r.cid join nodes n on n.id = r.node_id
    where r.node_id = ${nodeId} and r.cid = any(${cids}) order by r.cid for update of r`)
}

export async function changeReplicas(
  tx: Db,
  nodeId: string,
  changes: readonly ReplicaChange[],
  at: Date,
): Promise<void> {
  const gone = changes.filter((change) => change.state === 'gone')
  const kept = changes.filter((change) => change.state !== 'gone')
  const checked = changes.filter((change) => change.check)
  if (gone.length > 0)
    await tx.run(sql`delete from replicas where node_id = ${nodeId} and cid = any(${gone.map((change) => change.cid)})`)
  if (kept.length > 0)
    await tx.run(sql`
      update replicas r set state = f.state, tries = f.tries, error = f.error, retry_at = f.retry_at, lease_until = null, changed_at = ${at},
        pulled = r.pulled or f.fetched or (f.state = 'claimed' and r.state in ('wanted', 'pulling')), proven = r.proven and f.state = 'stored'
      from unnest(${kept.map((change) => change.cid)}::text[], ${kept.map((change) => change.state)}::text[],
        ${kept.map((change) => change.tries)}::int[], ${kept.map((change) => change.error)}::text[],
        ${kept.map((change) => change.retryAt)}::timestamptz[], ${kept.map((change) => change.fetched ?? false)}::boolean[])
        f (cid, state, tries, error, retry_at, fetched)
      where r.node_id = ${nodeId} and r.cid = f.cid`)
  if (checked.length > 0)
    await checkContents(
      tx,
      checked.map((change) => change.cid),
      at,
    )
}

/** Has the scheduler look at contents at once. */
export const checkContents = (tx: Db, cids: readonly string[], at: Date) =>
  tx.run(sql`update contents set check_at = ${at} where cid = any(${cids})`)

/** Rings for nodes that want a content which one more node now holds. */
export async function spreadFurther(tx: Db, cids: readonly string[], at: Date): Promise<void> {
  if (cids.length > 0)
    await tx.rows(sql`
      select pg_notify('node_work', node_id) from (
        select distinct w.node_id from unnest(${cids}::text[]) c (cid), lateral (
          select node_id from replicas r where r.cid = c.cid and r.state = 'wanted' and (r.retry_at is null or r.retry_at <= ${at}) limit 3
        ) w
      ) nodes`)
}

/** Of contents and nodes those where the node says that it holds the content. */
export async function heldPairs(
  tx: Db,
  pairs: readonly { cid: string; nodeId: string }[],
): Promise<{ cid: string; nodeId: string }[]> {
  return tx.rows(sql`
    select distinct r.cid, r.node_id as "nodeId" from unnest(${pairs.map((pair) => pair.cid)}::text[], ${pairs.map((pair) => pair.nodeId)}::text[]) p (cid, node_id)
    join replicas r on r.cid = p.cid and r.node_id = p.node_id and r.state in ('stored', 'claimed')`)
}

/** A node that has just got something done is asked again at once for what failed before. */
export async function endWaits(db: Db, nodeId: string, at: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const waiting = await tx.rows<{ cid: string }>(sql`
      select cid from replicas where node_id = ${nodeId} and state in ('wanted', 'lost') and retry_at > ${at} and not doubted`)
    if (waiting.length === 0) return
    const cids = waiting.map((row) => row.cid)
    await lockContents(tx, cids)
    await tx.run(sql`
      update replicas set retry_at = null where node_id = ${nodeId} and cid = any(${cids}) and state in ('wanted', 'lost')`)
    await checkContents(tx, cids, at)
  })
}

export const lowerQuality = (tx: Db, nodeIds: readonly string[], by: { step: number; floor: number }) =>
  tx.run(sql`
    update nodes n set quality = greatest(least(quality, ${by.floor}), quality - ${by.step})
    where n.id in (select id from nodes where id = any(${nodeIds}) order by id for no key update)`)

/**
 * The replicas of a node that was away count again; those `among` what it says that it holds, too. The word of an edge counts for
 * nothing: what an audit has not found there is claimed.
 */
export async function restoreReplicas(db: Db, nodeId: string, at: Date, among?: readonly string[]): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await tx.rows<{ cid: string }>(sql`
      select cid from replicas where node_id = ${nodeId} and state = 'lost' and not doubted
        ${among ? sql`and cid = any(${among})` : sql`and error = ${AWAY}`}`)
    if (rows.length === 0) return
    const cids = rows.map((row) => row.cid)
    await lockContents(tx, cids)
    await tx.run(sql`
      update replicas r set state = case when n.kind <> 'edge' or r.proven then 'stored' else 'claimed' end,
        tries = 0, error = '', changed_at = ${at}
      from nodes n where n.id = r.node_id and r.node_id = ${nodeId} and r.cid = any(${cids}) and r.state = 'lost' and not r.doubted`)
    await checkContents(tx, cids, at)
    await spreadFurther(tx, cids, at)
  })
}
