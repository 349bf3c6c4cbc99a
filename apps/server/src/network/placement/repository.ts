import type { Db } from '../../platform/db/db.ts'
import { prepared, sql } from '../../platform/db/sql.ts'
import { CHANNEL } from '../nodes/work-signal.ts'
import type { Holder, ReplicaState } from './choose.ts'
import { checkContents, lockContents } from './contents-repository.ts'
import type { Copy } from './demand.ts'
import { OFFLINE, type ReplicaChange } from './replica-states.ts'

/** Lock contents, ordered by CID, before changing their replicas: this prevents deadlocks. */

/** Locks the node's replicas of these contents. */
export async function lockReplicas(tx: Db, nodeId: string, cids: readonly string[]) {
  await lockContents(tx, cids)
  return tx.rows<{
    cid: string
    state: Holder['state']
    tries: number
    suspect: boolean
    size: number
    edge: boolean
  }>(prepared`
    select r.cid, r.state, r.tries, r.suspect, c.size, n.kind = 'edge' as edge
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
  const updated = changes.filter((change) => change.state !== 'gone')
  const due = changes.filter((change) => change.check)
  if (gone.length > 0)
    await tx.run(
      prepared`delete from replicas where node_id = ${nodeId} and cid = any(${gone.map((change) => change.cid)})`,
    )
  if (updated.length > 0)
    await tx.run(prepared`
      update replicas r set state = f.state, tries = f.tries, error = f.error, retry_at = f.retry_at, lease_until = null, changed_at = ${at},
        pulled = r.pulled or f.fetched or (f.state = 'unverified' and r.state in ('wanted', 'pulling')), verified = r.verified and f.state = 'stored'
      from unnest(${updated.map((change) => change.cid)}::text[], ${updated.map((change) => change.state)}::text[],
        ${updated.map((change) => change.tries)}::int[], ${updated.map((change) => change.error)}::text[],
        ${updated.map((change) => change.retryAt)}::timestamptz[], ${updated.map((change) => change.fetched ?? false)}::boolean[])
        f (cid, state, tries, error, retry_at, fetched)
      where r.node_id = ${nodeId} and r.cid = f.cid`)
  if (due.length > 0)
    await checkContents(
      tx,
      due.map((change) => change.cid),
      at,
    )
}

/**
 * Condition on a replica `r` of one content: it is wanted. PostgreSQL's planner assumes that few replicas are, and would read all of them from
 * their partial index for each content. With '', which is no state, the planner cannot use that index, and uses the primary key.
 */
const isWanted = sql`r.state in ('wanted', '')`

/** Wakes up nodes that want to pull one of the contents, which now have one more source. */
export async function notifyWaitingNodes(tx: Db, cids: readonly string[], at: Date): Promise<void> {
  if (cids.length > 0)
    await tx.rows(prepared`
      select pg_notify(${CHANNEL}, node_id) from (
        select distinct w.node_id from unnest(${cids}::text[]) c (cid), lateral (
          select node_id from replicas r where r.cid = c.cid and ${isWanted} and (r.retry_at is null or r.retry_at <= ${at}) limit 3
        ) w
      ) nodes`)
}

/** Ends the backoff of a node's replicas: a pull has just succeeded there. */
export async function clearRetries(db: Db, nodeId: string, at: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const waiting = await tx.rows<{ cid: string }>(prepared`
      select cid from replicas where node_id = ${nodeId} and state in ('wanted', 'lost') and retry_at > ${at} and not suspect`)
    if (waiting.length === 0) return
    const cids = waiting.map((row) => row.cid)
    await lockContents(tx, cids)
    await tx.run(prepared`
      update replicas set retry_at = null where node_id = ${nodeId} and cid = any(${cids}) and state in ('wanted', 'lost')`)
    await checkContents(tx, cids, at)
  })
}

/**
 * Restores lost replicas of a node that is back online, or those `among` the contents in its inventory. On an edge, replicas that no audit
 * confirmed become unverified.
 */
export async function restoreReplicas(db: Db, nodeId: string, at: Date, among?: readonly string[]): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await tx.rows<{ cid: string }>(sql`
      select cid from replicas where node_id = ${nodeId} and state = 'lost' and not suspect
        ${among ? sql`and cid = any(${among})` : sql`and error = ${OFFLINE}`}`)
    if (rows.length === 0) return
    const cids = rows.map((row) => row.cid)
    await lockContents(tx, cids)
    await tx.run(sql`
      update replicas r set state = case when n.kind <> 'edge' or r.verified then 'stored' else 'unverified' end,
        tries = 0, error = '', changed_at = ${at}
      from nodes n where n.id = r.node_id and r.node_id = ${nodeId} and r.cid = any(${cids}) and r.state = 'lost' and not r.suspect`)
    await checkContents(tx, cids, at)
    await notifyWaitingNodes(tx, cids, at)
  })
}

/** The node's replicas of these contents. */
export const replicasAmong = (db: Db, nodeId: string, cids: readonly string[]) =>
  db.rows<{ cid: string; state: ReplicaState }>(
    sql`select cid, state from replicas where node_id = ${nodeId} and cid = any(${cids})`,
  )

/** The node's replicas in all states. */
export const countOfNode = async (db: Db, nodeId: string): Promise<number> =>
  (await db.one<{ replicas: number }>(sql`select count(*) as replicas from replicas where node_id = ${nodeId}`))
    .replicas

/** How many contents still need a node: it has a replica that others have not replaced yet. */
export const countNeeded = async (db: Db, nodeId: string): Promise<number> =>
  (
    await db.one<{ needed: number }>(sql`
      select count(*) as needed from replicas
      where node_id = ${nodeId} and (state in ('stored', 'unverified') or state = 'lost' and error = ${OFFLINE})`)
  ).needed

/** Contents whose replica on the node did not change since that time and is not in the node's inventory. */
export const missingReplicas = async (tx: Db, nodeId: string, since: Date): Promise<string[]> =>
  (
    await tx.rows<{ cid: string }>(sql`
      select r.cid from replicas r where r.node_id = ${nodeId} and r.changed_at < ${since}
        and (r.state in ('stored', 'unverified', 'removed') or r.suspect)
        and not exists (select 1 from inventories i where i.node_id = r.node_id and i.cid = r.cid)`)
  ).map(({ cid }) => cid)

/**
 * Deletes missing replicas that were to be removed, or that failed audits, and marks the others as lost. A replica whose one failed audit
 * is not confirmed stays until it is.
 */
export async function recordMissing(tx: Db, nodeId: string, cids: readonly string[], at: Date): Promise<void> {
  await lockContents(tx, cids)
  await tx.run(sql`
    delete from replicas where node_id = ${nodeId} and cid = any(${cids}) and (state = 'removed' or (suspect and state = 'lost' and tries > 0))`)
  await tx.run(sql`
    update replicas set state = 'lost', error = 'missing', verified = false, changed_at = ${at}
    where node_id = ${nodeId} and cid = any(${cids}) and state in ('stored', 'unverified')`)
  await checkContents(tx, cids, at)
}

/** Records a copy that a node signed for. An edge's copy is unverified, and does not replace a stored or suspect replica. */
export const addCopy = (tx: Db, cid: string, nodeId: string, at: Date) =>
  tx.run(sql`
    insert into replicas as r (cid, node_id, state, changed_at)
    select ${cid}, id, case when kind = 'edge' then 'unverified' else 'stored' end, ${at} from nodes where id = ${nodeId}
    on conflict (cid, node_id) do update set state = excluded.state, tries = 0, error = '', suspect = false, lease_until = null,
      retry_at = null, pulled = false, verified = false, changed_at = excluded.changed_at
    where excluded.state = 'stored' or not (r.state = 'stored' or r.suspect)`)

/** The same for several copies, of different contents. */
export const addCopies = (tx: Db, copies: readonly { cid: string; nodeId: string }[], at: Date) =>
  tx.run(prepared`
    insert into replicas as r (cid, node_id, state, changed_at)
    select c.cid, n.id, case when n.kind = 'edge' then 'unverified' else 'stored' end, ${at}
    from unnest(${copies.map(({ cid }) => cid)}::text[], ${copies.map(({ nodeId }) => nodeId)}::text[]) c (cid, node_id)
    join nodes n on n.id = c.node_id order by c.cid
    on conflict (cid, node_id) do update set state = excluded.state, tries = 0, error = '', suspect = false, lease_until = null,
      retry_at = null, pulled = false, verified = false, changed_at = excluded.changed_at
    where excluded.state = 'stored' or not (r.state = 'stored' or r.suspect)`)

/** Removes all copies of a content whose recorded size was wrong. */
export async function removeCopies(tx: Db, cid: string, at: Date): Promise<void> {
  await tx.run(sql`delete from replicas where cid = ${cid} and state = 'wanted'`)
  await tx.run(sql`
    update replicas set state = 'removed', changed_at = ${at}, lease_until = null, retry_at = null, suspect = false
    where cid = ${cid} and state <> 'removed'`)
}

/** Removes all copies of contents that no account lists, except those that an account still needs. */
export const releaseCopies = (tx: Db, cids: readonly string[], needed: readonly Copy[], at: Date) =>
  tx.run(sql`
    with never_sent as (
      delete from replicas r where r.cid = any(${cids}) and r.state = 'wanted'
    ), removed as (
      update replicas r set state = 'removed', changed_at = ${at}, lease_until = null, retry_at = null
      where r.cid = any(${cids}) and r.state in ('pulling', 'unverified', 'stored', 'lost')
        and (r.cid, r.node_id) not in (
          select * from unnest(${needed.map(({ cid }) => cid)}::text[], ${needed.map(({ nodeId }) => nodeId)}::text[]))
      returning r.node_id
    )
    select pg_notify(${CHANNEL}, node_id) from (select distinct node_id from removed) nodes`)
