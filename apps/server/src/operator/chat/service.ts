import {
  AppError,
  CHAT_BEGINNINGS_PER_DAY,
  CHAT_MAIL_AFTER,
  CHAT_PER_DAY,
  CHAT_PER_MINUTE,
  type ChatMessage,
  type contract,
  type Lang,
  type Output,
  type Parsed,
} from '@tidenet/contract'
import { visitorNetworkOf } from '@tidenet/daemon'
import { ago, DAY } from '../../platform/ago.ts'
import { countFailure, secondsUntil } from '../../platform/attempts/attempts.ts'
import { harmlessText } from '../../storage/index.ts'
import { type Context, type Db, now } from '../context.ts'
import { isAgentOnline } from './agents-repository.ts'
import { attach, countAttachment } from './attachments.ts'
import type { Customer } from './customers.ts'
import * as repository from './repository.ts'
import { toWireConversation, toWireMessage, unreadOf } from './wire.ts'

type Deps = Pick<Context, 'db' | 'clock'>
type Operations = typeof contract.chat

/** How much of the last message lists show, in characters. */
const PREVIEW = 160
const MINUTE = 60_000

export const previewOf = (text: string): string => [...text.slice(0, 2 * PREVIEW)].slice(0, PREVIEW).join('')

export async function readState(
  context: Deps,
  customer: Customer,
  earlier: Customer | undefined,
): Promise<Output<Operations['state']>> {
  const [row, online, adoptable] = await Promise.all([
    repository.findConversation(context.db, customer),
    isAgentOnline(context.db, now(context)),
    earlier ? repository.countMessages(context.db, earlier) : 0,
  ])
  return { online, conversation: row ? toWireConversation(row) : null, adoptable }
}

/** Answers that an account has not read. */
export async function unreadAnswers(db: Db, userId: number): Promise<number> {
  const row = await repository.findConversation(db, { userId, visitorHash: null })
  return row ? unreadOf(row) : 0
}

export async function listMessages(
  { db }: Deps,
  customer: Customer,
  page: { before?: number | undefined; after?: number | undefined; size: number },
): Promise<Output<Operations['messages']>> {
  const row = await repository.findConversation(db, customer)
  if (!row) return { conversation: null, list: [], more: false }
  const { rows, more } = await repository.pageOfMessages(db, row.id, page)
  return { conversation: row.public_id, list: rows.map(toWireMessage), more }
}

/** Begins the conversation with the first message. @throws AppError tooManyRequests, textMissing and those of `attach` */
export async function sendMessage(
  context: Deps,
  customer: Customer,
  input: Pick<Parsed<Operations['send']>, 'id' | 'text' | 'page' | 'attachment'>,
  { ip, lang }: { ip: string; lang: Lang },
): Promise<Output<Operations['send']>> {
  const text = harmlessText(input.text)
  if (text === '' && !input.attachment) throw new AppError('textMissing')
  const at = now(context)
  const sent = await context.db.transaction(async (tx) => {
    const row = await lockOrBegin(context, tx, customer, { ip, lang, at })
    const before = await repository.findMessage(tx, row.id, input.id)
    const email = addressOf(row, customer)
    const conversation = row.public_id
    if (before) return { message: requireOwn(before), conversation, email }
    await count(tx, row, at)
    if (input.attachment) await countAttachment(context, tx, customer, { id: row.id, ip })
    const attachment = input.attachment && (await attach(tx, input.attachment, customer.member?.uid ?? '', at))
    const message = await repository.insertMessage(tx, row, {
      id: input.id,
      from_type: 'user',
      agent: '',
      kind: 'text',
      text,
      attachment,
      created_at: at,
    })
    await repository.updateConversation(tx, {
      ...row,
      lang,
      page: harmlessText(input.page),
      email,
      state: 'open',
      closed_seq: null,
      last_seq: message.seq,
      waiting_since: row.waiting_since ?? at,
      last_from: 'user',
      last_text: previewOf(text || (attachment?.name ?? '')),
      last_at: at,
    })
    await repository.announce(tx, customer.key, { id: row.id, first: message.seq })
    return { message: toWireMessage(message), conversation, email }
  })
  return { ...sent, online: await isAgentOnline(context.db, now(context)) }
}

/** Where answers are mailed: the account may have got another address. */
const addressOf = ({ email }: repository.ConversationRow, { member }: Customer): string =>
  email === '' ? '' : member?.email || email

/** An id that an agent has used is none of the customer's. @throws AppError invalidParams */
function requireOwn(row: repository.MessageRow): ChatMessage {
  if (row.from_type !== 'user') throw new AppError('invalidParams', { field: 'id' })
  return toWireMessage(row)
}

async function lockOrBegin(
  { clock }: Deps,
  tx: Db,
  customer: Customer,
  { ip, lang, at }: { ip: string; lang: Lang; at: Date },
): Promise<repository.CountedRow> {
  const found = await repository.lockConversation(tx, customer)
  if (found) return found
  if (await repository.insertConversation(tx, customer, { lang, email: customer.member?.email ?? '', at })) {
    // Deleted conversations take their counts with them, so those of accounts are limited, too.
    const limit = { kind: 'chat beginnings', max: CHAT_BEGINNINGS_PER_DAY, within: DAY }
    const seconds = await countFailure({ db: tx, clock }, limit, customer.member ? customer.key : visitorNetworkOf(ip))
    if (seconds > 0) throw new AppError('tooManyRequests', { seconds })
  }
  // Another call of the customer may have begun it.
  const row = await repository.lockConversation(tx, customer)
  if (!row) throw new Error('the conversation was deleted while it began')
  return row
}

/** @throws AppError tooManyRequests */
async function count(tx: Db, row: repository.CountedRow, at: Date): Promise<void> {
  const inMinute = row.minute_from > ago(at, MINUTE)
  const inDay = row.day_from > ago(at, DAY)
  if (inMinute && row.minute_count >= CHAT_PER_MINUTE)
    throw new AppError('tooManyRequests', { seconds: secondsUntil(new Date(row.minute_from.getTime() + MINUTE), at) })
  if (inDay && row.day_count >= CHAT_PER_DAY)
    throw new AppError('tooManyRequests', { seconds: secondsUntil(new Date(row.day_from.getTime() + DAY), at) })
  await repository.updateCounts(tx, {
    id: row.id,
    minute_from: inMinute ? row.minute_from : at,
    minute_count: inMinute ? row.minute_count + 1 : 1,
    day_from: inDay ? row.day_from : at,
    day_count: inDay ? row.day_count + 1 : 1,
  })
}

/** Read messages do not become unread again. */
export async function markRead({ db }: Deps, customer: Customer, seq: number): Promise<{ unread: number }> {
  await db.transaction(async (tx) => {
    const changed = await repository.markRead(tx, customer, seq)
    if (changed) await repository.announce(tx, customer.key, changed)
  })
  const row = await repository.findConversation(db, customer)
  return { unread: row ? unreadOf(row) : 0 }
}

/** @throws AppError chatUnknown; chatEmail for another address than that of the account */
export async function setEmail(context: Deps, customer: Customer, email: string): Promise<{ email: string }> {
  const own = customer.member?.email ?? ''
  if (own !== '' && email !== '' && email !== own) throw new AppError('chatEmail')
  await context.db.transaction(async (tx) => {
    const row = await repository.lockConversation(tx, customer)
    if (!row) throw new AppError('chatUnknown')
    if (row.email === email) return
    // An answer that waits already is mailed, too.
    const waits = email !== '' && row.last_from === 'agent' && row.read_seq < row.last_seq
    const mailDueAt = waits ? new Date(now(context).getTime() + CHAT_MAIL_AFTER) : null
    await repository.updateConversation(tx, { ...row, email, mail_due_at: mailDueAt })
    await repository.announce(tx, customer.key, { id: row.id })
  })
  return { email }
}

/** @throws AppError chatUnknown, chatNotClosed */
export async function rate(
  context: Deps,
  customer: Customer,
  input: Pick<Parsed<Operations['rate']>, 'id' | 'rating' | 'comment'>,
): Promise<{ message: ChatMessage }> {
  const at = now(context)
  return context.db.transaction(async (tx) => {
    const row = await repository.lockConversation(tx, customer)
    if (!row) throw new AppError('chatUnknown')
    const before = await repository.findMessage(tx, row.id, input.id)
    if (before) return { message: requireOwn(before) }
    if (row.state !== 'closed' || row.closed_seq === null) throw new AppError('chatNotClosed')
    const message = await repository.insertMessage(tx, row, {
      id: input.id,
      from_type: 'user',
      agent: '',
      kind: 'rated',
      text: harmlessText(input.comment),
      rating: input.rating,
      created_at: at,
    })
    await repository.updateConversation(tx, {
      ...row,
      closed_seq: null,
      rating: input.rating,
      last_seq: message.seq,
      last_at: at,
    })
    await repository.announce(tx, customer.key, { id: row.id, first: message.seq })
    return { message: toWireMessage(message) }
  })
}

export async function removeConversation({ db }: Deps, customer: Customer): Promise<void> {
  await db.transaction(async (tx) => {
    const removed = await repository.deleteConversation(tx, customer)
    if (removed) await repository.announce(tx, customer.key, removed)
  })
}

/** Messages per query of an export. */
const EXPORT_BATCH = 500

/** The JSON of the whole conversation, in parts. */
export async function* exportConversation({ db }: Deps, customer: Customer): AsyncGenerator<string> {
  const row = await repository.findConversation(db, customer)
  yield `{"conversation":${JSON.stringify(row ? toWireConversation(row) : null)},"messages":[`
  let after = 0
  for (let more = row !== undefined; more && row; ) {
    const page = await repository.pageOfMessages(db, row.id, { after, size: EXPORT_BATCH })
    const list = page.rows.map((message) => JSON.stringify(toWireMessage(message))).join(',\n')
    if (list !== '') yield after === 0 ? list : `,\n${list}`
    after = page.rows.at(-1)?.seq ?? after
    more = page.more
  }
  yield ']}\n'
}
