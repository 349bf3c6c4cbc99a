import type { BlockCategory, Lang } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import { escapeLike } from '../../platform/db/cursors.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

export interface CaseRow {
  id: number
  key: string
  cid: string
  target: string
  created_at: Date
  closed_at: Date | null
  closed_by: string
  decision: 'blocked' | 'kept' | ''
  note: string
}

export interface ReportRow {
  case_id: number
  category: BlockCategory
  text: string
  target: string
  email: string
  lang: Lang
  created_at: Date
}

/** Addresses of reporters are deleted this long after the decision. */
const ADDRESS_LIFE_MS = 30 * DAY

const columns = sql`c.id, c.key, c.cid, c.target, c.created_at, c.closed_at, c.closed_by, c.decision, c.note`

/** Reports of the last day. */
export const countReports = (tx: Db, { email, network, at }: { email: string; network: string; at: Date }) =>
  tx.one<{ of_address: number; from_network: number; oldest: Date | null }>(sql`
    select count(*) filter (where email = ${email} and email <> '') as of_address, count(*) filter (where network = ${network}) as from_network,
      min(created_at) as oldest
    from abuse_reports where created_at > ${ago(at, DAY)} and (network = ${network} or (email = ${email} and email <> ''))`)

/** The open case of a target; a new one if there is none. The caller holds a lock on its key. */
export const openCase = async (
  tx: Db,
  { key, cid, target, at }: { key: string; cid: string; target: string; at: Date },
) =>
  (await tx.maybe<CaseRow>(sql`select ${columns} from abuse_cases c where key = ${key} and closed_at is null`)) ??
  (await tx.one<CaseRow>(sql`
    insert into abuse_cases as c (key, cid, target, created_at) values (${key}, ${cid}, ${target}, ${at}) returning ${columns}`))

export const reportsIn = (tx: Db, caseId: number, network: string) =>
  tx.one<{ all: number; from_network: number }>(sql`
    select count(*) as all, count(*) filter (where network = ${network}) as from_network from abuse_reports where case_id = ${caseId}`)

export const insertReport = (tx: Db, report: ReportRow & { network: string }) =>
  tx.run(sql`
    insert into abuse_reports (case_id, category, text, target, email, lang, network, created_at)
    values (${report.case_id}, ${report.category}, ${report.text}, ${report.target}, ${report.email}, ${report.lang}, ${report.network},
      ${report.created_at})`)

export interface CaseFilter {
  closed?: boolean | undefined
  q?: string | undefined
}

export type ListedCase = CaseRow & { count: number; kept_before: number }

const listed = sql`${columns}, (select count(*) from abuse_reports r where r.case_id = c.id) as count,
  (select count(*) from abuse_cases b where b.key = c.key and b.id < c.id and b.decision = 'kept') as kept_before`

/** Newest first. */
export const pageOfCases = (db: Db, { closed, q }: CaseFilter, before: number | undefined, limit: number) => {
  const word = `%${escapeLike(q ?? '')}%`
  return db.rows<ListedCase>(sql`
    select ${listed} from abuse_cases c where true
      ${closed === undefined ? none : closed ? sql`and c.closed_at is not null` : sql`and c.closed_at is null`}
      ${q ? sql`and (c.cid ilike ${word} or c.target ilike ${word} or exists (select 1 from abuse_reports r where r.case_id = c.id and r.text ilike ${word}))` : none}
      ${before === undefined ? none : sql`and c.id < ${before}`}
    order by c.id desc limit ${limit}`)
}

export const findCase = (db: Db, id: number) =>
  db.maybe<ListedCase>(sql`select ${listed} from abuse_cases c where c.id = ${id}`)

/** The newest reports of each case. */
export const reportsOf = (db: Db, cases: readonly number[], each: number) =>
  db.rows<ReportRow>(sql`
    select r.case_id, r.category, r.text, r.target, r.email, r.lang, r.created_at
    from unnest(${cases}::bigint[]) c (id), lateral (select * from abuse_reports where case_id = c.id order by id desc limit ${each}) r
    order by r.case_id, r.id desc`)

export const lockCase = (tx: Db, id: number) =>
  tx.maybe<CaseRow>(sql`select ${columns} from abuse_cases c where c.id = ${id} for update`)

/** The open case of a target, which is decided next. */
export const lockOpenCase = (tx: Db, key: string) =>
  tx.maybe<CaseRow>(sql`select ${columns} from abuse_cases c where c.key = ${key} and closed_at is null for update`)

export const setNote = (tx: Db, id: number, note: string) =>
  tx.run(sql`update abuse_cases set note = ${note} where id = ${id}`)

export const closeCase = (
  tx: Db,
  id: number,
  { at, by, decision }: { at: Date; by: string; decision: 'blocked' | 'kept' },
) => tx.run(sql`update abuse_cases set closed_at = ${at}, closed_by = ${by}, decision = ${decision} where id = ${id}`)

/** Whom to tell of the decision: each address once, in the language of its last report. */
export const reportersOf = (tx: Db, caseId: number) =>
  tx.rows<{ email: string; lang: Lang }>(sql`
    select distinct on (email) email, lang from abuse_reports where case_id = ${caseId} and email <> '' order by email, id desc`)

export const countOpenCases = (db: Db) =>
  db.one<{ count: number; since: Date | null }>(
    sql`select count(*) as count, min(created_at) as since from abuse_cases where closed_at is null`,
  )

/** Marks open cases about which the operators had no e-mail, unless they had one after `since`. @returns how many */
export const markMailed = (tx: Db, at: Date, since: Date) =>
  tx.run(sql`
    update abuse_cases set mailed_at = ${at} where closed_at is null and mailed_at is null
      and not exists (select 1 from abuse_cases m where m.mailed_at > ${since})`)

/** What is not needed any more. */
export const expired = (at: Date): Sql[] => [
  sql`update abuse_reports set network = null where id in (
    select id from abuse_reports where network is not null and created_at < ${ago(at, DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
  sql`update abuse_reports set email = '' where id in (
    select r.id from abuse_reports r join abuse_cases c on c.id = r.case_id
    where r.email <> '' and c.closed_at < ${ago(at, ADDRESS_LIFE_MS)} limit ${EXPIRED_BATCH} for update of r skip locked)`,
]
