import { CHAT_IDLE_DAYS, CHAT_VISITOR_DAYS, type ChatKind } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import type { Attachment } from '../../storage/index.ts'
import type { Customer } from './customers.ts'

export const CHANNEL = 'chat'

export interface ConversationRow {
  id: number
  user_id: number | null
  visitor_hash: Buffer | null
  lang: 'en' | 'cn'
  page: string
  email: string
  state: 'open' | 'closed'
  assigned: string
  last_seq: number
  read_seq: number
  closed_seq: number | null
  rating: number | null
  waiting_since: Date | null
  last_from: 'user' | 'agent'
  last_text: string
  last_at: Date
  /** Answers up to this one were mailed. */
  mailed_seq: number
  mail_due_at: Date | null
  created_at: Date
  /** For clients: a conversation that was deleted and begun again has another one. */
  public_id: string
  /** Texts of agents, all and those that the customer has read. */
  answers: number
  answers_read: number
}

/** What limits the messages of a customer. */
export interface CountedRow extends ConversationRow {
  minute_from: Date
  minute_count: number
  day_from: Date
  day_count: number
}

export interface MessageRow {
  conversation_id: number
  seq: number
  id: string
  from_type: 'user' | 'agent'
  agent: string
  kind: ChatKind
  text: string
  rating: number | null
  attachment: MessageAttachment | null
  /** Texts of agents up to this message. */
  answers: number
  created_at: Date
}

/** A copy of what readers need. */
export interface MessageAttachment extends Attachment {
  password: string
}

export const conversationColumns = sql`c.id, c.user_id, c.visitor_hash, c.lang, c.page, c.email, c.state, c.assigned, c.last_seq, c.read_seq,
  c.closed_seq, c.rating, c.waiting_since, c.last_from, c.last_text, c.last_at, c.mailed_seq, c.mail_due_at,
  c.created_at, c.public_id, c.answers, c.answers_read`
const messageColumns = sql`m.conversation_id, m.seq, m.id, m.from_type, m.agent, m.kind, m.text, m.rating, m.attachment,
  m.answers, m.created_at`

const ofCustomer = ({ userId, visitorHash }: Pick<Customer, 'userId' | 'visitorHash'>): Sql =>
  userId !== null ? sql`c.user_id = ${userId}` : sql`c.visitor_hash = ${visitorHash}`

export const findConversation = (
  db: Db,
  customer: Pick<Customer, 'userId' | 'visitorHash'>,
): Promise<ConversationRow | undefined> =>
  db.maybe(sql`select ${conversationColumns} from chat_conversations c where ${ofCustomer(customer)}`)

/** The conversations of these customers, for their streams. */
export const findConversations = (
  db: Db,
  userIds: readonly number[],
  hashes: readonly Buffer[],
): Promise<ConversationRow[]> =>
  db.rows(sql`
    select ${conversationColumns} from chat_conversations c
    where c.user_id = any(${userIds}::bigint[]) or c.visitor_hash = any(${hashes}::bytea[])`)

export const lockConversation = (tx: Db, customer: Customer): Promise<CountedRow | undefined> =>
  tx.maybe(sql`
    select ${conversationColumns}, c.minute_from, c.minute_count, c.day_from, c.day_count
    from chat_conversations c where ${ofCustomer(customer)} for no key update`)

export const lockConversationById = (tx: Db, id: number): Promise<ConversationRow | undefined> =>
  tx.maybe(sql`select ${conversationColumns} from chat_conversations c where c.id = ${id} for no key update`)

/** Does nothing if the customer has one. @returns whether it is new */
export const insertConversation = async (
  tx: Db,
  { userId, visitorHash }: Customer,
  { lang, email, at }: { lang: 'en' | 'cn'; email: string; at: Date },
): Promise<boolean> =>
  (await tx.run(sql`
    insert into chat_conversations (user_id, visitor_hash, lang, email, last_at, minute_from, day_from, created_at)
    values (${userId}, ${visitorHash}, ${lang}, ${email}, ${at}, ${at}, ${at}, ${at}) on conflict do nothing`)) === 1

export const findMessage = (db: Db, conversationId: number, id: string): Promise<MessageRow | undefined> =>
  db.maybe(
    sql`select ${messageColumns} from chat_messages m where m.conversation_id = ${conversationId} and m.id = ${id}::uuid`,
  )

/** Appends a message. The caller holds the lock of the conversation, and stores `last_seq` and `answers` of the message in it. */
export const insertMessage = (
  tx: Db,
  { id, last_seq, answers }: Pick<ConversationRow, 'id' | 'last_seq' | 'answers'>,
  message: Pick<MessageRow, 'id' | 'from_type' | 'agent' | 'kind' | 'text' | 'created_at'> & {
    rating?: number
    attachment?: MessageAttachment | undefined
  },
): Promise<MessageRow> =>
  tx.one(sql`
    insert into chat_messages as m (conversation_id, seq, id, from_type, agent, kind, text, rating, attachment, answers, created_at)
    values (${id}, ${last_seq + 1}, ${message.id}::uuid, ${message.from_type}, ${message.agent}, ${message.kind},
      ${message.text}, ${message.rating ?? null}, ${message.attachment ? JSON.stringify(message.attachment) : null}::jsonb,
      ${answers + (message.from_type === 'agent' && message.kind === 'text' ? 1 : 0)}, ${message.created_at}) returning ${messageColumns}`)

export const hasAttachment = async (db: Db, conversationId: number, attachment: string): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from chat_messages m where m.conversation_id = ${conversationId} and m.attachment->>'id' = ${attachment}`)) !==
  undefined

/** Bytes of the attachments that the customer sent. */
export const attachedBytes = async (tx: Db, conversationId: number): Promise<number> =>
  (
    await tx.one<{ bytes: number }>(sql`
      select coalesce(sum((m.attachment->>'size')::bigint), 0)::float8 as bytes from chat_messages m
      where m.conversation_id = ${conversationId} and m.from_type = 'user' and m.attachment is not null`)
  ).bytes

/** Stores the row as it is now: the caller holds its lock. */
export const updateConversation = (tx: Db, row: ConversationRow): Promise<number> =>
  tx.run(sql`
    update chat_conversations set lang = ${row.lang}, page = ${row.page}, email = ${row.email}, state = ${row.state}, assigned = ${row.assigned},
      last_seq = ${row.last_seq}, read_seq = ${row.read_seq}, closed_seq = ${row.closed_seq}, rating = ${row.rating},
      waiting_since = ${row.waiting_since}, last_from = ${row.last_from}, last_text = ${row.last_text}, last_at = ${row.last_at},
      mailed_seq = ${row.mailed_seq}, mail_due_at = ${row.mail_due_at}, answers = ${row.answers}, answers_read = ${row.answers_read}
    where id = ${row.id}`)

export const updateCounts = (
  tx: Db,
  {
    id,
    minute_from,
    minute_count,
    day_from,
    day_count,
  }: Pick<CountedRow, 'id' | 'minute_from' | 'minute_count' | 'day_from' | 'day_count'>,
): Promise<number> =>
  tx.run(sql`
    update chat_conversations set minute_from = ${minute_from}, minute_count = ${minute_count}, day_from = ${day_from}, day_count = ${day_count}
    where id = ${id}`)

/** @returns the number of conversations that changed: 0 or 1 */
export const markRead = (tx: Db, customer: Customer, seq: number): Promise<{ id: number } | undefined> =>
  tx.maybe(sql`
    update chat_conversations c set read_seq = m.seq, answers_read = m.answers,
      mail_due_at = case when m.seq = c.last_seq then null else c.mail_due_at end
    from chat_messages m
    where ${ofCustomer(customer)} and m.conversation_id = c.id and m.seq = least(${seq}::int, c.last_seq) and c.read_seq < m.seq
    returning c.id`)

/** Announces a change when the transaction commits. @param first `seq` of the first new message, if there are any */
export const announce = (
  tx: Db,
  customerKey: string,
  { id, first = 0, note = '' }: { id: number; first?: number; note?: string },
): Promise<number> => tx.run(sql`select pg_notify(${CHANNEL}, ${`${id} ${customerKey} ${first} ${note}`.trim()})`)

/** Oldest first. Asks for one more than `size`, so that the caller knows whether there are more. */
export const pageOfMessages = async (
  db: Db,
  id: number,
  { before, after, size }: { before?: number | undefined; after?: number | undefined; size: number },
): Promise<{ rows: MessageRow[]; more: boolean }> => {
  const rows = await db.rows<MessageRow>(sql`
    select ${messageColumns} from chat_messages m where m.conversation_id = ${id}
      ${before === undefined ? none : sql`and m.seq < ${before}`} ${after === undefined ? none : sql`and m.seq > ${after}`}
    order by ${after === undefined ? sql`m.seq desc` : sql`m.seq`} limit ${size + 1}`)
  const page = rows.slice(0, size)
  return { rows: after === undefined ? page.reverse() : page, more: rows.length > size }
}

/** Messages of each conversation after the given one, in order, at most `limit` of each. */
export const messagesAfter = (
  db: Db,
  ids: readonly number[],
  after: readonly number[],
  limit: number,
): Promise<MessageRow[]> =>
  db.rows(sql`
    select ${messageColumns} from unnest(${ids}::bigint[], ${after}::int[]) w (id, after), lateral (
      select * from chat_messages x where x.conversation_id = w.id and x.seq > w.after order by x.seq limit ${limit}) m
    order by m.conversation_id, m.seq`)

/** @returns its id, if there was one */
export const deleteConversation = (tx: Db, customer: Customer): Promise<{ id: number } | undefined> =>
  tx.maybe(sql`delete from chat_conversations c where ${ofCustomer(customer)} returning c.id`)

export const countMessages = async (db: Db, customer: Customer): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) as count from chat_conversations c join chat_messages m on m.conversation_id = c.id where ${ofCustomer(customer)}`)
  ).count

/** Conversations of visitors end some time after the last message. */
export const expired = (at: Date): Sql[] => [
  sql`delete from chat_conversations where id in (
    select id from chat_conversations where user_id is null and last_at < ${ago(at, CHAT_VISITOR_DAYS * DAY)}
    limit ${EXPIRED_BATCH} for update skip locked)`,
  sql`delete from chat_agents where stream in (
    select stream from chat_agents where until < ${ago(at, DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
]

/** Moves messages and notes behind those of another conversation. Ids that it has already are replaced. */
export async function moveMessages(
  tx: Db,
  from: number,
  { id: into, last_seq, answers }: Pick<ConversationRow, 'id' | 'last_seq' | 'answers'>,
): Promise<void> {
  await tx.run(sql`
    update chat_messages m set conversation_id = ${into}, seq = m.seq + ${last_seq}::int, answers = m.answers + ${answers}::int, id = case
      when exists (select 1 from chat_messages x where x.conversation_id = ${into} and x.id = m.id) then gen_random_uuid() else m.id end
    where m.conversation_id = ${from}`)
  await tx.run(sql`
    update chat_notes n set conversation_id = ${into}, id = case
      when exists (select 1 from chat_notes x where x.conversation_id = ${into} and x.id = n.id) then gen_random_uuid() else n.id end
    where n.conversation_id = ${from}`)
}

/** Closes open conversations of visitors that nobody wrote in for a while. @returns those that were closed */
export const closeIdle = (
  tx: Db,
  at: Date,
  limit: number,
): Promise<Pick<ConversationRow, 'id' | 'user_id' | 'visitor_hash' | 'last_seq'>[]> =>
  tx.rows(sql`
    with idle as (
      select id from chat_conversations
      where state = 'open' and user_id is null and last_at < ${ago(at, CHAT_IDLE_DAYS * DAY)}
      order by last_at limit ${limit} for no key update skip locked),
    closed as (
      update chat_conversations c set state = 'closed', closed_seq = null, waiting_since = null, last_seq = c.last_seq + 1
      from idle where c.id = idle.id returning c.id, c.user_id, c.visitor_hash, c.last_seq, c.answers),
    added as (
      insert into chat_messages (conversation_id, seq, id, from_type, kind, answers, created_at)
      select id, last_seq, gen_random_uuid(), 'agent', 'closed', answers, ${at}::timestamptz from closed)
    select id, user_id, visitor_hash, last_seq from closed`)

/** A conversation with answers to mail that no other server handles. */
export const lockMailDue = (tx: Db, at: Date): Promise<ConversationRow | undefined> =>
  tx.maybe(sql`
    select ${conversationColumns} from chat_conversations c where c.mail_due_at <= ${at}
    order by c.mail_due_at limit 1 for no key update skip locked`)

/** Texts of agents after a message, oldest first. */
export const answersAfter = (db: Db, id: number, seq: number, limit: number): Promise<{ text: string }[]> =>
  db.rows(sql`
    select coalesce(nullif(m.text, ''), m.attachment->>'name', '') as text from chat_messages m
    where m.conversation_id = ${id} and m.seq > ${seq} and m.from_type = 'agent' and m.kind = 'text'
    order by m.seq limit ${limit}`)

/** First the messages, of which there can be many; their attachments go with them. */
export const erased = (userId: number): Sql[] => [
  sql`delete from chat_messages where (conversation_id, seq) in (
    select m.conversation_id, m.seq from chat_messages m join chat_conversations c on c.id = m.conversation_id
    where c.user_id = ${userId} limit ${EXPIRED_BATCH})`,
  sql`delete from chat_conversations where user_id = ${userId}`,
]

/** Without notes of agents, and who they are. */
export const exported = (userId: number): Sql => sql`
  select row_number() over (order by m.conversation_id, m.seq) as row_key, m.conversation_id, m.seq, m.from_type, m.kind, m.text,
    m.attachment ->> 'name' as attachment, m.created_at
  from chat_messages m join chat_conversations c on c.id = m.conversation_id where c.user_id = ${userId}`
