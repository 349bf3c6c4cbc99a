import { sql } from '../../platform/db/sql.ts'
import { type Context, now } from '../context.ts'
import { findLongOffline, lockOffline, markLost } from '../nodes/nodes.ts'
import { timesOf } from '../nodes/times.ts'
import { PULL_TRIES } from './choose.ts'
import { checkContents, lockContents } from './contents-repository.ts'
import { backoff, OFFLINE, retryAfter } from './replica-states.ts'

/** Timeouts: expired pull leases, replicas of offline nodes, ended backoffs. */

type Deps = Pick<Context, 'db' | 'clock' | 'config'>

const LEASES = 500
const REPLICAS = 1000

/** Pulls with an expired lease are wanted again; after several tries they are lost and placed elsewhere. */
export async function expireLeases({ db, clock }: Deps): Promise<void> {
  const at = new Date(clock.now())
  const late = await db.rows<{ cid: string; state: string }>(sql`
    with late as (
      select cid, node_id from replicas where state = 'pulling' and lease_until <= ${at} limit ${LEASES} for update skip locked
    )
    update replicas r set state = case when tries + 1 >= ${PULL_TRIES} then 'lost' else 'wanted' end, tries = tries + 1,
      error = 'not finished in time', lease_until = null, changed_at = ${at},
      retry_at = case when tries + 1 >= ${PULL_TRIES} then ${new Date(at.getTime() + backoff(PULL_TRIES))}::timestamptz
        else ${new Date(at.getTime() + retryAfter(1))}::timestamptz end
    from late where r.cid = late.cid and r.node_id = late.node_id
    returning r.cid, r.state`)
  const lost = late.filter((row) => row.state === 'lost').map((row) => row.cid)
  if (lost.length > 0) await checkContents(db, lost, at)
}

/** Replicas of nodes that stay offline are lost, so that they are replaced. */
export async function loseOfflineReplicas(context: Deps): Promise<void> {
  const { db, clock, config } = context
  const nodes = await findLongOffline(db, new Date(clock.now() - timesOf(config).lostAfter))
  for (const { id } of nodes) {
    let after: string | undefined = ''
    while (after !== undefined) after = await loseOfflineBatch(context, id, after)
  }
}

/** @returns the last CID of the batch; undefined if it was the last batch or the node is back */
async function loseOfflineBatch(context: Deps, nodeId: string, after: string): Promise<string | undefined> {
  const at = now(context)
  return context.db.transaction(async (tx) => {
    // The node's next heartbeat waits for this transaction and then restores the replicas.
    if (!(await lockOffline(tx, nodeId))) return undefined
    const rows = await tx.rows<{ cid: string }>(sql`
      select cid from replicas where node_id = ${nodeId} and cid > ${after} and state in ('stored', 'unverified', 'wanted', 'pulling')
      order by cid limit ${REPLICAS}`)
    const cids = rows.map((row) => row.cid)
    if (cids.length > 0) {
      await lockContents(tx, cids)
      await tx.run(sql`
        delete from replicas where node_id = ${nodeId} and cid = any(${cids}) and state in ('wanted', 'pulling')`)
      await tx.run(sql`
        update replicas set state = 'lost', error = ${OFFLINE}, changed_at = ${at}
        where node_id = ${nodeId} and cid = any(${cids}) and state in ('stored', 'unverified')`)
      await checkContents(tx, cids, at)
    }
    if (cids.length === REPLICAS) return cids.at(-1)
    await markLost(tx, nodeId, at)
    return undefined
  })
}

/** Nodes whose backoff is over can be chosen again. */
export async function endBackoffs({ db, clock }: Deps): Promise<void> {
  const at = new Date(clock.now())
  const over = await db.rows<{ cid: string }>(sql`
    with over as (
      select cid, node_id from replicas where state = 'lost' and retry_at <= ${at} limit ${REPLICAS} for update skip locked
    )
    update replicas r set retry_at = null from over where r.cid = over.cid and r.node_id = over.node_id
    returning r.cid`)
  const cids = over.map((row) => row.cid)
  if (cids.length > 0) await checkContents(db, cids, at)
}
