import { countWallets } from '../../identity/index.ts'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { countByNode, totalsHeld } from '../placement/placement.ts'
import { isPublic, onlineSeconds, uptime } from './repository.ts'

/** Sums are capped, because JSON numbers are exact only up to this. */
const MAX = Number.MAX_SAFE_INTEGER

/** @returns whether the figures were due; if so, no other server refreshes them until that time */
export const claimRefresh = async (db: Db, at: Date, until: Date): Promise<boolean> =>
  (await db.run(sql`update network_figures set due_at = ${until} where due_at <= ${at}`)) === 1

export const setDue = (db: Db, at: Date) => db.run(sql`update network_figures set due_at = ${at}`)

/** Scans all stored replicas and the audits of a week. */
export const refreshNodeFigures = async (db: Db, at: Date) => {
  const copies = await countByNode(db)
  return db.run(sql`
    insert into node_figures as f (node_id, replicas, uptime_30d, audits_passed_7d, audits_failed_7d)
    select n.id, coalesce(r.replicas, 0), ${uptime(ago(at, 30 * DAY), at)}, coalesce(a.passed, 0), coalesce(a.failed, 0)
    from nodes n
      left join unnest(${[...copies.keys()]}::text[], ${[...copies.values()]}::bigint[]) r (node_id, replicas) on r.node_id = n.id
      left join (
        select node_id, count(*) filter (where state = 'passed') as passed, count(*) filter (where state = 'failed') as failed
        from audits where created_at > ${ago(at, 7 * DAY)} group by node_id
      ) a on a.node_id = n.id
    on conflict (node_id) do update set replicas = excluded.replicas, uptime_30d = excluded.uptime_30d,
      audits_passed_7d = excluded.audits_passed_7d, audits_failed_7d = excluded.audits_failed_7d
    where (f.replicas, f.uptime_30d, f.audits_passed_7d, f.audits_failed_7d)
      is distinct from (excluded.replicas, excluded.uptime_30d, excluded.audits_passed_7d, excluded.audits_failed_7d)`)
}

/** Scans all contents, nodes and wallets, and the transfers and audits of a day. */
export const refreshNetworkFigures = async (db: Db, at: Date) => {
  const held = await totalsHeld(db)
  const wallets = await countWallets(db)
  return db.run(sql`
    update network_figures set assets = ${held.contents}, replicas = ${held.replicas}, bytes_stored = ${Math.min(MAX, held.bytes)},
      bytes_transferred_24h = least(${MAX}, t.bytes), transfers_24h = t.transfers, audits_24h = a.done, audits_failed_24h = a.failed,
      active_wallets = ${wallets}, online_seconds = u.online, observed_seconds = u.observed, observed_nodes = u.nodes
    from (select coalesce(sum(size), 0) as bytes, count(*) filter (where begins and ${isPublic}) as transfers from transfers t where at > ${ago(at, DAY)}) t,
      (select count(*) filter (where state in ('passed', 'failed')) as done, count(*) filter (where state = 'failed') as failed
        from audits where created_at > ${ago(at, DAY)}) a,
      (select count(*) as nodes, coalesce(sum(${onlineSeconds(ago(at, 30 * DAY), at)}), 0) as online,
          coalesce(sum(extract(epoch from ${at}::timestamptz - greatest(${ago(at, 30 * DAY)}::timestamptz, n.created_at))), 0) as observed
        from nodes n where n.created_at < ${at}) u`)
}

export const deleteFigures = (tx: Db, nodeIds: readonly string[]): Promise<number> =>
  tx.run(sql`delete from node_figures where node_id = any(${nodeIds})`)
