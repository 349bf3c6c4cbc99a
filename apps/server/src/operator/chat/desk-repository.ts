import { AppError, CHAT_COUNTED_MAX, type CHAT_LISTS } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { type ConversationRow, conversationColumns } from './repository.ts'

export interface ListFilter {
  list: (typeof CHAT_LISTS)[number]
  /** The uid of the agent who asks, for `mine`. */
  agent: string
  /** Part of a message as a pattern, and accounts that the words name. */
  search?: { words: string; userIds: readonly number[] } | undefined
}

/** `waiting`: longest waiting first; others: last written first. */
export const pageOfConversations = (
  db: Db,
  filter: ListFilter,
  after: { at: Date; id: number } | undefined,
  limit: number,
): Promise<ConversationRow[]> => {
  const { list, agent, search } = filter
  const found = search
    ? sql`and (c.user_id = any(${search.userIds}::bigint[]) or c.email ilike ${search.words}
        or exists (select 1 from chat_messages m where m.conversation_id = c.id and m.text ilike ${search.words}))`
    : none
  return list === 'waiting'
    ? db.rows(sql`
        select ${conversationColumns} from chat_conversations c where c.waiting_since is not null ${found}
          ${after ? sql`and (c.waiting_since, c.id) > (${after.at}, ${after.id})` : none}
        order by c.waiting_since, c.id limit ${limit}`)
    : db.rows(sql`
        select ${conversationColumns} from chat_conversations c where true ${found}
          ${list === 'open' || list === 'mine' ? sql`and c.state = 'open'` : list === 'closed' ? sql`and c.state = 'closed'` : none}
          ${list === 'mine' ? sql`and c.assigned = ${agent} and c.assigned <> ''` : none}
          ${after ? sql`and (c.last_at, c.id) < (${after.at}, ${after.id})` : none}
        order by c.last_at desc, c.id desc limit ${limit}`)
}

const findById = (db: Db, id: number): Promise<ConversationRow | undefined> =>
  db.maybe(sql`select ${conversationColumns} from chat_conversations c where c.id = ${id}`)

/** @throws AppError chatUnknown */
export async function requireConversation(db: Db, id: number): Promise<ConversationRow> {
  const row = await findById(db, id)
  if (!row) throw new AppError('chatUnknown')
  return row
}

export const findByIds = (db: Db, ids: readonly number[]): Promise<ConversationRow[]> =>
  db.rows(sql`select ${conversationColumns} from chat_conversations c where c.id = any(${ids}::bigint[])`)

export const idsOfAccounts = async (db: Db, userIds: readonly number[]): Promise<number[]> =>
  (await db.rows<{ id: number }>(sql`select id from chat_conversations where user_id = any(${userIds}::bigint[])`)).map(
    ({ id }) => id,
  )

export interface Counts {
  open: number
  waiting: number
  unassigned: number
}

/** Each up to a number that no agent works through: a flood of conversations must not make counting slow. */
export const countConversations = (db: Db): Promise<Counts> => {
  const count = (condition: Sql) => sql`(
    select count(*) from (select 1 from chat_conversations where ${condition} limit ${CHAT_COUNTED_MAX}) c)`
  return db.one(sql`
    select ${count(sql`state = 'open'`)} as open, ${count(sql`waiting_since is not null`)} as waiting,
      ${count(sql`waiting_since is not null and assigned = ''`)} as unassigned`)
}

export const countAssigned = (db: Db): Promise<{ assigned: string; count: number }[]> =>
  db.rows(sql`
    select assigned, count(*) as count from chat_conversations where state = 'open' and assigned <> '' group by assigned`)

export interface NoteRow {
  id: string
  conversation_id: number
  agent: string
  text: string
  created_at: Date
}

const noteColumns = sql`n.id, n.conversation_id, n.agent, n.text, n.created_at`

/** Oldest first. */
export const notesOf = (db: Db, conversationId: number): Promise<NoteRow[]> =>
  db.rows(sql`
    select ${noteColumns} from chat_notes n where n.conversation_id = ${conversationId} order by n.created_at, n.id limit 1000`)

/** Of these conversations, by which they are indexed. */
export const findNotes = (db: Db, conversationIds: readonly number[], ids: readonly string[]): Promise<NoteRow[]> =>
  db.rows(
    sql`select ${noteColumns} from chat_notes n where n.conversation_id = any(${conversationIds}::bigint[]) and n.id = any(${ids}::uuid[])`,
  )

/** @returns undefined if the conversation has a note with this id */
export const insertNote = (tx: Db, note: NoteRow): Promise<NoteRow | undefined> =>
  tx.maybe(sql`
    insert into chat_notes as n (id, conversation_id, agent, text, created_at)
    values (${note.id}::uuid, ${note.conversation_id}, ${note.agent}, ${note.text}, ${note.created_at})
    on conflict do nothing returning ${noteColumns}`)

export interface CannedRow {
  id: number
  name: string
  text_en: string
  text_cn: string
}

export const listCanned = (db: Db): Promise<CannedRow[]> =>
  db.rows(sql`select id, name, text_en, text_cn from chat_canned order by lower(name), id`)

/** @returns undefined if there are `max` already or one has this name */
export const insertCanned = (tx: Db, row: Omit<CannedRow, 'id'>, max: number): Promise<CannedRow | undefined> =>
  tx.maybe(sql`
    insert into chat_canned (name, text_en, text_cn)
    select ${row.name}, ${row.text_en}, ${row.text_cn} where (select count(*) from chat_canned) < ${max}
    on conflict do nothing returning id, name, text_en, text_cn`)

export const lockCanned = (tx: Db): Promise<CannedRow[]> =>
  tx.rows(sql`select id, name, text_en, text_cn from chat_canned order by id for update`)

export const updateCanned = (tx: Db, row: CannedRow): Promise<number> =>
  tx.run(sql`
    update chat_canned set name = ${row.name}, text_en = ${row.text_en}, text_cn = ${row.text_cn} where id = ${row.id}`)

export const deleteCanned = (tx: Db, id: number): Promise<number> =>
  tx.run(sql`delete from chat_canned where id = ${id}`)
