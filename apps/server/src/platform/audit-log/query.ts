import type { AuditAction, AuditResult, AuditRow } from '@tidenet/contract'
import type { Db } from '../db/db.ts'
import { none, type Sql, sql } from '../db/sql.ts'

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

export type OwnAuditRow = Pick<
  AuditLogRow,
  'id' | 'at' | 'actor' | 'via' | 'credential' | 'ip' | 'action' | 'subject' | 'result'
> & {
  /** How many objects it was about, if it says so. */
  items: number | null
  /** Of publications and imports: the name of what was published, and where the files come from. */
  about: string | null
}

/** A time span; `from` is inclusive, `to` exclusive. */
export interface Within {
  from?: Date | undefined
  to?: Date | undefined
}

/** What an account did, and what was done to it, newest first. @param only beginnings of the actions, or of those that are left out */
export const pageOfOwnAudit = (
  db: Db,
  uid: string,
  { from, to, only }: Within & { only?: { one?: readonly string[]; not?: readonly string[] } | undefined },
  before: { at: Date; id: number } | undefined,
  limit: number,
): Promise<OwnAuditRow[]> =>
  db.rows(sql`
    select id, at, actor, via, credential, ip, action, subject, result, (detail ->> 'items')::int as items,
      case split_part(action, '.', 1)
        when 'publication' then coalesce(detail ->> 'name', detail ->> 'of')
        when 'import' then detail ->> 'source'
      end as about
    from audit_log
    where (actor = ${uid} or subject = ${`user:${uid}`})
      ${only?.one ? sql`and split_part(action, '.', 1) = any(${only.one})` : none}
      ${only?.not ? sql`and split_part(action, '.', 1) <> all(${only.not})` : none}
      ${from ? sql`and at >= ${from}` : none} ${to ? sql`and at < ${to}` : none}
      ${before === undefined ? none : sql`and (at, id) < (${before.at}, ${before.id})`}
    order by at desc, id desc limit ${limit}`)

/** What an account did, for its export. */
export const exported = (uid: string): Sql => sql`
  select id as row_key, at, via, credential, ip, action, subject, detail, result from audit_log where actor = ${uid}`

export const countAudit = async (db: Db, since: Date): Promise<number> =>
  (await db.one<{ changes: number }>(sql`select count(*) as changes from audit_log where at > ${since}`)).changes
