import type { CertificateProblem } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

/** The others follow from times. */
export type StoredProblem = Exclude<CertificateProblem, 'queued' | 'expired'>

export interface CertificateRow {
  label: string
  node_id: string | null
  /** Certificates within the last day are counted by these, oldest first. */
  issued_at: Date[]
  request_time: Date | null
  csr: string | null
  waiting_since: Date | null
  next_at: Date | null
  certificate: string | null
  directory: string | null
  valid_from: Date | null
  valid_until: Date | null
  renew_at: Date | null
  suggested_from: Date | null
  suggested_until: Date | null
  suggested_at: Date | null
  suggestion_due_at: Date | null
  problem: StoredProblem
  problem_detail: string
  problem_since: Date | null
}

export const columns: Sql = sql`c.label, c.node_id, c.issued_at, c.request_time, c.csr, c.waiting_since, c.next_at, c.certificate, c.directory,
  c.valid_from, c.valid_until, c.renew_at, c.suggested_from, c.suggested_until, c.suggested_at, c.suggestion_due_at, c.problem,
  c.problem_detail, c.problem_since`

/** The row of a label, locked until the transaction ends. */
export async function lockCertificate(tx: Db, label: string, nodeId: string): Promise<CertificateRow> {
  await tx.run(sql`
    insert into node_certificates as c (label, node_id) values (${label}, ${nodeId})
    on conflict (label) do update set node_id = excluded.node_id where c.node_id is distinct from excluded.node_id`)
  return tx.one<CertificateRow>(sql`select ${columns} from node_certificates c where c.label = ${label} for update`)
}

/** A request was accepted: the same one is refused from now on, and the clock of its node is right. */
export const setRequested = (tx: Db, label: string, time: Date, at: Date) =>
  tx.run(sql`
    update node_certificates set request_time = ${time}, polled_at = ${at},
      problem = case when problem = 'clock' then '' else problem end, problem_detail = case when problem = 'clock' then '' else problem_detail end,
      problem_since = case when problem = 'clock' then null else problem_since end
    where label = ${label}`)

export const setFetched = (tx: Db, label: string) =>
  tx.run(sql`update node_certificates set fetched = true where label = ${label}`)

/** Counts a certificate. @param times those within the last day */
export const setIssuedTimes = (tx: Db, label: string, times: readonly Date[], at: Date) =>
  tx.run(sql`update node_certificates set issued_at = ${[...times]}, last_at = ${at} where label = ${label}`)

/** A request waits from now on. */
export const enqueue = (tx: Db, label: string, csr: string, at: Date) =>
  tx.run(sql`
    update node_certificates set csr = ${csr}, waiting_since = coalesce(waiting_since, ${at}), next_at = ${at},
      problem = '', problem_detail = '', problem_since = null
    where label = ${label}`)

/** The clock of a node is wrong. A copy of an old request says nothing about it. */
export const setClockProblem = (db: Db, node: { label: string; id: string }, time: Date, ahead: number, at: Date) =>
  db.run(sql`
    insert into node_certificates as c (label, node_id, problem, problem_detail, problem_since)
    values (${node.label}, ${node.id}, 'clock', ${`${ahead}`}, ${at})
    on conflict (label) do update set problem = 'clock', problem_detail = excluded.problem_detail,
      problem_since = case when c.problem = 'clock' then c.problem_since else excluded.problem_since end
    where c.request_time is null or c.request_time < ${time}`)

export const setProblem = (
  db: Db,
  label: string,
  { problem, detail, nextAt }: { problem: StoredProblem; detail: string; nextAt: Date },
  at: Date,
) =>
  db.run(sql`
    update node_certificates set next_at = ${nextAt}, problem = ${problem}, problem_detail = ${detail},
      problem_since = case when problem = ${problem} then problem_since else ${at} end
    where label = ${label} and waiting_since is not null`)

/** The queue looks at it again. */
export const setNextAt = (db: Db, label: string, nextAt: Date) =>
  db.run(sql`update node_certificates set next_at = ${nextAt} where label = ${label} and waiting_since is not null`)

export const setReachedAt = (db: Db, label: string, at: Date) =>
  db.run(sql`
    update node_certificates set reached_at = ${at}, next_at = ${at}, problem = '', problem_detail = '', problem_since = null
    where label = ${label}`)

/**
 * Stores a certificate. A request that came after it was ordered, with another key, goes on waiting.
 * @param csr of its order; undefined: it did not wait
 */
export const setCertificate = (
  db: Db,
  label: string,
  issued: { certificate: string; directory: string; validFrom: Date; validUntil: Date; renewAt: Date; csr?: string },
  at: Date,
) =>
  db.run(sql`
    update node_certificates set certificate = ${issued.certificate}, directory = ${issued.directory}, valid_from = ${issued.validFrom},
      valid_until = ${issued.validUntil}, renew_at = ${issued.renewAt}, suggested_from = null, suggested_until = null, suggested_at = null,
      suggestion_due_at = ${at}, last_at = ${at}, fetched = ${issued.csr === undefined}, notified_at = null, problem = '', problem_detail = '', problem_since = null,
      waiting_since = case when csr is not distinct from ${issued.csr ?? null} then null else waiting_since end
    where label = ${label}`)

/** Certificates as owners and operators see them. */
export const findCertificates = (db: Db, nodeIds: readonly string[]) =>
  db.rows<
    Pick<CertificateRow, 'valid_until' | 'waiting_since' | 'problem' | 'problem_detail' | 'problem_since'> & {
      node_id: string
    }
  >(sql`
    select node_id, valid_until, waiting_since, problem, problem_detail, problem_since from node_certificates
    where node_id = any(${nodeIds})`)

/**
 * Marks online nodes whose owners are notified now: of its life, the certificate has less than a fifth left, or none for some days.
 * @param before owners notified until then are notified again
 * @returns their ids
 */
export const markExpiringNotified = async (db: Db, { at, before }: { at: Date; before: Date }, limit: number) => {
  const rows = await db.rows<{ node_id: string }>(sql`
    with due as (
      select c.label, n.id as node_id from node_certificates c join nodes n on n.id = c.node_id
      where c.valid_until - ${at}::timestamptz < (c.valid_until - c.valid_from) / 5 and c.valid_until > ${ago(at, 30 * DAY)}
        and (c.notified_at is null or c.notified_at <= ${before}) and n.status <> 'offline' and n.owner_id is not null and n.owner_mail
      order by c.label limit ${limit} for update of c skip locked
    )
    update node_certificates c set notified_at = ${at} from due where c.label = due.label returning due.node_id`)
  return rows.map(({ node_id }) => node_id)
}

/** Rows of nodes that have not asked for a month, and have no valid certificate. */
export const expired = (at: Date): readonly Sql[] => [
  sql`delete from node_certificates where label in (
    select label from node_certificates
    where coalesce(last_at, '-infinity') < ${ago(at, DAY)} and coalesce(valid_until, '-infinity') < ${at}
      and coalesce(polled_at, '-infinity') < ${ago(at, 30 * DAY)}
      and coalesce(problem_since, '-infinity') < ${ago(at, 30 * DAY)} limit ${EXPIRED_BATCH})`,
]
