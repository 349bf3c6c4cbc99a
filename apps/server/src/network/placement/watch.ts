import { sql } from '../../platform/db/sql.ts'
import { type Context, now } from '../context.ts'
import { findLongOffline, lockOffline, markLost } from '../nodes/nodes.ts'
import { timesOf } from '../nodes/times.ts'
import { PULL_TRIES } from './choose.ts'
import { checkContents, lockContents } from './contents-repository.ts'
import { backoff, retryAfter } from './replica-states.ts'
import { AWAY } from './repository.ts'

/** Watches over time: pulls that take too long, nodes that stay away. */

type Needs = Pick<Context, 'db' | 'clock' | 'config'>

const LEASES = 500
const REPLICAS = 1000

/** Pulls that were not renewed are wanted again, after some tries elsewhere. */
export async function expireLeases({ db, clock }: Needs): Promise<void> {
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

/** Replicas of nodes that stay away count no more, so that others take their place. */
export async function loseOfflineReplicas(context: Needs): Promise<void> {
  const { db, clock, config } = context
  const away = await findLongOffline(db, new Date(clock.now() - timesOf(config).lostAfter))
  for (const { id } of away) {
    let after: string | undefined = ''
    while (after !== undefined) after = await loseOfflineBatch(context, id, after)
  }
}

/** @returns the last content it looked at, or nothing when that was all or the node is back */
async function loseOfflineBatch(context: Needs, nodeId: string, after: string): Promise<string | undefined> {
  const at = now(context)
  return context.db.transaction(async (tx) => {
    // Its next heartbeat waits until this is done and then counts all of them again.
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
        update replicas set state = 'lost', error = ${AWAY}, changed_at = ${at}
        where node_id = ${nodeId} and cid = any(${cids}) and state in ('stored', 'unverified')`)
      await checkContents(tx, cids, at)
    }
    if (cids.length === REPLICAS) return cids.at(-1)
    await markLost(tx, nodeId, at)
    return undefined
  })
}

/** Nodes that pulls failed on are considered again when they have waited for long enough. */
export async function endBackoffs({ db, clock }: Needs): Promise<void> {
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
