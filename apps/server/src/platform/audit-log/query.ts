import type { AuditAction, AuditResult, AuditRow } from '@tidenet/contract'
import type { Db } from '../db/db.ts'
import { none, sql } from '../db/sql.ts'

export type AuditLogRow = Omit<AuditRow, 'at'> & { at: Date }

export interface AuditFilter {
  action?: AuditAction | undefined
  /** `system`: changes that no person made. */
  actor?: string | undefined
  subject?: string | undefined
  result?: AuditResult | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Newest first. */
export const pageOfAudit = (
  db: Db,
  filter: AuditFilter,
  before: { at: Date; id: number } | undefined,
  limit: number,
): Promise<AuditLogRow[]> =>
  db.rows(sql`
    select id, at, actor, via, credential, ip, action, subject, detail, result from audit_log where true
      ${filter.action === undefined ? none : sql`and action = ${filter.action}`}
      ${!filter.actor ? none : filter.actor === 'system' ? sql`and via = 'system'` : sql`and actor = ${filter.actor}`}
      ${!filter.subject ? none : sql`and subject = ${filter.subject}`}
      ${filter.result === undefined ? none : sql`and result = ${filter.result}`}
      ${filter.from === undefined ? none : sql`and at >= ${filter.from}`}
      ${filter.to === undefined ? none : sql`and at < ${filter.to}`}
      ${before === undefined ? none : sql`and (at, id) < (${before.at}, ${before.id})`}
    order by at desc, id desc limit ${limit}`)

export const countAudit = async (db: Db, since: Date): Promise<number> =>
  (await db.one<{ changes: number }>(sql`select count(*) as changes from audit_log where at > ${since}`)).changes
