import type { AdminLead } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import { escapeLike } from '../../platform/db/cursors.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import type { Lead } from './emails.ts'

/** Serializes requests of this address and of this client network, so that concurrent ones cannot exceed the limits. */
export async function lockCounts(tx: Db, email: string, network: string): Promise<void> {
  for (const name of [`leads of ${email}`, `leads from ${network}`].sort()) await advisoryLock(tx, name)
}

export const countLeads = (tx: Db, email: string, network: string, since: Date) =>
  tx.one<{ of_address: number; from_network: number; oldest: Date | null }>(sql`
    select count(*) filter (where email = ${email}) as of_address, count(*) filter (where network = ${network}) as from_network,
      min(created_at) filter (where email = ${email} or network = ${network}) as oldest
    from leads where created_at > ${since}`)

export const insertLead = (tx: Db, lead: Lead, network: string, at: Date) =>
  tx.run(sql`
    insert into leads (kind, name, email, organisation, text, lang, network, created_at)
    values (${lead.kind}, ${lead.name}, ${lead.email}, ${lead.organisation}, ${lead.text}, ${lead.lang}, ${network}, ${at})`)

export type LeadRow = Omit<AdminLead, 'created_at' | 'handled_at'> & { created_at: Date; handled_at: Date | null }

const columns = sql`l.id, l.kind, l.name, l.email, l.organisation, l.text, l.lang, l.created_at, l.handled_at, l.handled_by, l.note`

export interface LeadFilter {
  kind?: AdminLead['kind'] | undefined
  handled?: boolean | undefined
  q?: string | undefined
}

/** Newest first. */
export const pageOfLeads = (
  db: Db,
  { kind, handled, q }: LeadFilter,
  before: number | undefined,
  limit: number,
): Promise<LeadRow[]> => {
  const word = `%${escapeLike(q ?? '')}%`
  return db.rows(sql`
    select ${columns} from leads l where true
      ${kind === undefined ? none : sql`and l.kind = ${kind}`}
      ${handled === undefined ? none : handled ? sql`and l.handled_at is not null` : sql`and l.handled_at is null`}
      ${q ? sql`and (l.name ilike ${word} or l.email ilike ${word} or l.organisation ilike ${word} or l.text ilike ${word})` : none}
      ${before === undefined ? none : sql`and l.id < ${before}`}
    order by l.id desc limit ${limit}`)
}

export const lockLeadForUpdate = (tx: Db, id: number): Promise<LeadRow | undefined> =>
  tx.maybe(sql`select ${columns} from leads l where l.id = ${id} for update`)

/** @param handled `at` null: the request is open again */
export const handleLead = (
  tx: Db,
  id: number,
  { at, by, note }: { at: Date | null; by: string; note: string },
): Promise<LeadRow> =>
  tx.one(sql`
    update leads l set handled_at = ${at}, handled_by = ${by}, note = ${note} where id = ${id} returning ${columns}`)

export const leadFigures = (db: Db, weekAgo: Date): Promise<{ open: number; new_7d: number }> =>
  db.one(sql`
    select count(*) filter (where handled_at is null) as open, count(*) filter (where created_at > ${weekAgo}) as new_7d from leads`)

/** The client network is only stored for the daily limit. */
export const expired = (at: Date): Sql[] => [
  sql`update leads set network = null where id in (
    select id from leads where created_at < ${ago(at, DAY)} and network is not null limit ${EXPIRED_BATCH} for update skip locked)`,
]
