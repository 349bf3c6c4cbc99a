import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_AT_ONCE } from '../../platform/tasks/expired.ts'
import type { Lead } from './letters.ts'

/** Until the transaction ends nobody else counts the requests of this address and network. */
export async function holdCounts(tx: Db, email: string, network: string): Promise<void> {
  for (const name of [`leads of ${email}`, `leads from ${network}`].sort())
    await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
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

/** From where somebody wrote is for limits alone, which look back a day. */
export const expired = (at: Date): Sql[] => [
  sql`update leads set network = null where id in (
    select id from leads where created_at < ${ago(at, DAY)} and network is not null limit ${EXPIRED_AT_ONCE} for update skip locked)`,
]
