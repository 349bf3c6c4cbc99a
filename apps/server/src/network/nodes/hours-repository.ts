import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'

/** What nodes did in an hour, as the server observed it. */

export interface NodeHourRow {
  node_id: string
  owner_id: number | null
  /** Copies on it count, and earn. */
  trusted: boolean
  /** Copies on it count now. */
  counts: boolean
  /** Audits in this time that count. */
  passed: number
  failed: number
  /** The last passed one within a day before the end. */
  audited: Date | null
  /** Seconds. */
  online: number
  /** Vetted edges at its address, with itself: the time that they spent there, as a multiple of the period. */
  crowd: number
}

export interface Period {
  from: Date
  to: Date
}

/** Which nodes: a page of all, of an owner, or one. */
export interface HourFilter {
  after?: string
  limit?: number
  ownerId?: number
  nodeId?: string
}

const DAY_SECONDS = 86_400

/** In the order of ids. */
export function findNodeHours(db: Db, { from, to }: Period, { after = '', limit, ownerId, nodeId }: HourFilter) {
  const seconds = Math.max(1, (to.getTime() - from.getTime()) / 1000)
  // Spans `s` in the period, and how many seconds of them.
  const within = sql`s.began < ${to} and (s.ended is null or s.ended > ${from})`
  // A span that lasts is proven until the node was heard last.
  const spent = (seen: Sql) =>
    sql`sum(greatest(0, extract(epoch from least(coalesce(s.ended, ${seen}), ${to}::timestamptz) - greatest(s.began, ${from}::timestamptz))))`
  return db.rows<NodeHourRow>(sql`
    with page as (
      select n.id, n.owner_id, n.kind, n.vetted_at, n.seen_at, n.reachable, n.uncounted_since, n.draining_since, n.out_since from nodes n
      where n.id > ${after} ${ownerId === undefined ? none : sql`and n.owner_id = ${ownerId}`} ${nodeId === undefined ? none : sql`and n.id = ${nodeId}`}
      order by n.id ${limit === undefined ? none : sql`limit ${limit}`}
    ), places as (
      select distinct s.node_id, s.address from page p join online_spans s on s.node_id = p.id where ${within} and s.address <> ''
    ), crowds as (
      -- New edges earn nothing, and anyone can register them at the address of somebody else: behind one NAT, in one /64.
      select s.address, round(${spent(sql`n.seen_at`)} / ${seconds}) as devices
      from online_spans s join nodes n on n.id = s.node_id and n.kind = 'edge' and n.vetted_at is not null
      where s.address in (select address from places) and ${within} group by s.address
    )
    select p.id as node_id, p.owner_id, (p.kind <> 'edge' or p.vetted_at is not null) as trusted,
      ((p.reachable or p.uncounted_since is null) and p.draining_since is null and p.out_since is null) as counts,
      a.passed, a.failed, l.audited, least(3600, coalesce(o.online, 0))::int as online, greatest(1, coalesce(c.devices, 1))::int as crowd
    from page p
      cross join lateral (
        select count(*) filter (where state = 'passed')::int as passed, count(*) filter (where state <> 'passed')::int as failed
        from audits where node_id = p.id and counted and done_at >= ${from} and done_at < ${to}
      ) a
      cross join lateral (
        select max(done_at) as audited from audits
        where node_id = p.id and counted and state = 'passed' and done_at < ${to}
          and done_at > ${to}::timestamptz - make_interval(secs => ${DAY_SECONDS})
      ) l
      cross join lateral (select floor(${spent(sql`p.seen_at`)}) as online from online_spans s where s.node_id = p.id and ${within}) o
      cross join lateral (
        select max(devices) as devices from places join crowds using (address) where places.node_id = p.id
      ) c
    order by p.id`)
}

/** Names of nodes, who owns them now, and since when. */
export const findDevices = (db: Db, { ownerId, ids }: { ownerId: number; ids: readonly string[] }) =>
  db.rows<{ node_id: string; name: string; owned: boolean; linked_at: Date }>(sql`
    select id as node_id, name, owner_id is not distinct from ${ownerId}::bigint as owned, coalesce(linked_at, created_at) as linked_at from nodes
    where owner_id = ${ownerId} or id = any(${ids})`)
