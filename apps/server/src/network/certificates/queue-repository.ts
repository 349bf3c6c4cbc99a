import type { NodeStatus } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, sql } from '../../platform/db/sql.ts'
import { type CertificateRow, columns } from './repository.ts'

/** A claimed row is nobody else's for this time, unless its server gives it back earlier. */
const CLAIM_MS = 120_000
/** Of a node that has not asked for so long, nothing is ordered: it could not fetch it. */
const GONE_MS = 3_600_000
const WEEK_MS = 7 * DAY

const after = (at: Date, ms: number) => new Date(at.getTime() + ms)

export interface UnreachedRow {
  label: string
  node_id: string
  public_key: string
  /** The server reached its address lately. */
  reachable: boolean
  status: NodeStatus
  waiting_since: Date
  /** Where the node lately said to be reached directly; empty: nowhere. */
  claimed_url: string
}

/** A node repeats every minute where it is. */
const CLAIMED_MS = 5 * 60_000

/** Requests of nodes that the server has never reached. */
export const claimUnreached = (db: Db, at: Date, limit: number) =>
  db.rows<UnreachedRow>(sql`
    with due as (
      select c.label, c.node_id, n.public_key, n.reachable, n.status, c.waiting_since,
        case when n.claimed_at > ${ago(at, CLAIMED_MS)} then n.claimed_url else '' end as claimed_url
      from node_certificates c join nodes n on n.id = c.node_id
      where c.waiting_since is not null and c.reached_at is null and c.next_at <= ${at} and c.polled_at > ${ago(at, GONE_MS)}
      order by c.next_at limit ${limit} for update of c skip locked
    )
    update node_certificates c set next_at = ${after(at, CLAIM_MS)} from due where c.label = due.label
    returning due.label, due.node_id, due.public_key, due.reachable, due.status, due.waiting_since, due.claimed_url`)

/**
 * Requests whose turn it is: renewals that the CA does not count, other renewals, invited nodes, then networks by turns, so that
 * many new nodes of one network do not use up the certificates of a week.
 * @param counted whether orders are made that CAs count
 */
export const claimRequests = (db: Db, at: Date, { counted, limit }: { counted: boolean; limit: number }) =>
  db.rows<CertificateRow>(sql`
    with waiting as materialized (
      select c.label, c.waiting_since, c.valid_until > ${at} as renews, coalesce(c.suggested_from <= ${at} and c.suggested_until > ${at}, false) as exempt,
        n.kind <> 'edge' as invited, case when n.network = '' then n.id else n.network end as network
      from node_certificates c join nodes n on n.id = c.node_id
      where c.waiting_since is not null and c.reached_at is not null and c.next_at <= ${at} and c.polled_at > ${ago(at, GONE_MS)}
        and n.out_since is null
        ${counted ? none : sql`and c.suggested_from <= ${at} and c.suggested_until > ${at}`}
    ), recent as (
      select case when n.network = '' then n.id else n.network end as network, count(*) as issued
      from node_certificates c join nodes n on n.id = c.node_id where c.valid_from > ${ago(at, WEEK_MS)} group by 1
    ), ranked as (
      select w.*, coalesce(r.issued, 0) + row_number() over (partition by w.network order by w.waiting_since, w.label) as turn
      from waiting w left join recent r on r.network = w.network
    ), due as (
      select c.label from node_certificates c join ranked r on r.label = c.label
      order by r.exempt desc, coalesce(r.renews, false) desc, r.invited desc, r.turn, r.waiting_since, c.label
      limit ${limit} for update of c skip locked
    )
    update node_certificates c set next_at = ${after(at, CLAIM_MS)} from due where c.label = due.label and c.next_at <= ${at}
    returning ${columns}`)

/** Certificates whose CA is to be asked when it wants them to be renewed. */
export const claimSuggestions = (db: Db, at: Date, limit: number) =>
  db.rows<CertificateRow>(sql`
    with due as (
      select label from node_certificates where certificate is not null and suggestion_due_at <= ${at} and valid_until > ${at}
      order by suggestion_due_at limit ${limit} for update skip locked
    )
    update node_certificates c set suggestion_due_at = ${after(at, CLAIM_MS)} from due where c.label = due.label returning ${columns}`)

/** @param certificate the one that was asked about */
export const setSuggestion = (
  db: Db,
  label: string,
  certificate: string,
  found: { from: Date | null; until: Date | null; at: Date | null; dueAt: Date; renewAt: Date },
) =>
  db.run(sql`
    update node_certificates set suggested_from = ${found.from}, suggested_until = ${found.until}, suggested_at = ${found.at},
      suggestion_due_at = ${found.dueAt}, renew_at = ${found.renewAt}
    where label = ${label} and certificate = ${certificate}`)

/** Requests of nodes that went away: what is stored about their orders can be deleted. */
export const dropGone = (db: Db, at: Date, limit: number) =>
  db.rows<{ label: string }>(sql`
    with due as (
      select label from node_certificates where waiting_since is not null and polled_at < ${ago(at, WEEK_MS)}
      limit ${limit} for update skip locked
    )
    update node_certificates c set waiting_since = null, next_at = null, problem = '', problem_detail = '', problem_since = null
    from due where c.label = due.label returning c.label`)

export interface CertificateFigures {
  /** Online nodes without a valid certificate, or with one that could not be renewed in time, because of the CA or the name server. */
  failing: number
  failing_since: Date | null
  /** What the CA says about the latest of them. */
  detail: string
  /** Requests that wait for a limit of the CA. */
  waiting: number
  waiting_since: Date | null
  valid: number
}

export const certificateFigures = (db: Db, at: Date) =>
  db.one<CertificateFigures>(sql`
    with failing as (
      select c.problem_since as since, c.problem_detail as detail from node_certificates c join nodes n on n.id = c.node_id
      where n.status <> 'offline' and c.problem in ('dns', 'ca', 'request')
        and (c.valid_until is null or c.valid_until - ${at}::timestamptz < (c.valid_until - c.valid_from) / 4)
    ), waiting as (
      select c.waiting_since as since from node_certificates c where c.problem = 'quota' and c.waiting_since is not null
    )
    select (select count(*) from failing) as failing, (select min(since) from failing) as failing_since,
      coalesce((select detail from failing order by since desc nulls last limit 1), '') as detail,
      (select count(*) from waiting) as waiting, (select min(since) from waiting) as waiting_since,
      (select count(*) from node_certificates where valid_until > ${at}) as valid`)
