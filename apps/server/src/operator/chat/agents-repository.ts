import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** Who is online: agents with an open stream on any server. */

export const AGENTS_CHANNEL = 'chat_agents'

const notifyAll = sql`select pg_notify(${AGENTS_CHANNEL}, 'x')`

export async function openDesk(tx: Db, stream: string, agent: string, until: Date): Promise<void> {
  await tx.run(sql`insert into chat_agents (stream, agent, until) values (${stream}::uuid, ${agent}, ${until})`)
  await tx.run(notifyAll)
}

export async function closeDesk(tx: Db, stream: string): Promise<void> {
  await tx.run(sql`delete from chat_agents where stream = ${stream}::uuid`)
  await tx.run(notifyAll)
}

/** Inserts them again if they were deleted meanwhile. */
export const extendDesks = (
  db: Db,
  desks: readonly { stream: string; agent: string }[],
  until: Date,
): Promise<number> =>
  db.run(sql`
    insert into chat_agents (stream, agent, until)
    select stream, agent, ${until}::timestamptz
    from unnest(${desks.map(({ stream }) => stream)}::uuid[], ${desks.map(({ agent }) => agent)}::text[]) f (stream, agent)
    on conflict (stream) do update set until = excluded.until`)

/** Their uids, sorted. */
export const agentsOnline = async (db: Db, at: Date): Promise<string[]> =>
  (
    await db.rows<{ agent: string }>(sql`select distinct agent from chat_agents where until > ${at} order by agent`)
  ).map(({ agent }) => agent)

export const isAgentOnline = async (db: Db, at: Date): Promise<boolean> =>
  (await db.maybe(sql`select 1 from chat_agents where until > ${at} limit 1`)) !== undefined
