import { CHAT_PAGE, type ChatConversation } from '@tidenet/contract'
import { type Plan, plansOf } from '../../identity/index.ts'
import type { Db } from '../context.ts'
import type { Customer } from './customers.ts'
import { memberKey, visitorKey } from './customers.ts'
import * as repository from './repository.ts'
import { event, isFull, newReadable, push, type Stream } from './streams.ts'
import { toWireConversation, toWireMessage } from './wire.ts'

/** Streams of customers: messages in order, each once, and the newest state of everything else. */

/** Messages of one conversation per query; the rest follows. */
const BATCH = 200

export interface CustomerStream extends Stream {
  readonly customer: Customer
  /** Called when the customer has a conversation. */
  readonly onConversation: () => void
  /** The conversation whose messages were sent; undefined: none yet. */
  conversationId: number | undefined
  /** Of the last message that was sent. */
  seq: number
  /** More messages wait until the client has read those that were sent. */
  behind: boolean
  /** What was sent last of each, so that only changes are sent. */
  conversation: string
  account: string
  online: boolean | undefined
  /** The beginning was sent. Until then, changes are remembered in `stale`. */
  ready: boolean
  stale: boolean
}

export const newCustomerStream = (
  customer: Customer,
  { onRead, onConversation }: { onRead: () => void; onConversation: () => void },
): CustomerStream => ({
  customer,
  onConversation,
  conversationId: undefined,
  session: customer.member && { id: customer.member.credential, userId: customer.member.userId },
  readable: newReadable(onRead),
  ended: false,
  seq: 0,
  behind: false,
  conversation: '',
  account: '',
  online: undefined,
  ready: false,
  stale: false,
})

/** The last message that a client has, and the conversation that it belongs to. */
export interface Position {
  conversation: string
  seq: number
}

const positionText = ({ conversation, seq }: Position): string => `${conversation}:${seq}`

/** @returns undefined if it is none */
export function readPosition(text: string): Position | undefined {
  const [, conversation = '', seq] = /^([0-9a-f-]{36}):(\d{1,9})$/.exec(text) ?? []
  return seq === undefined ? undefined : { conversation, seq: Number(seq) }
}

/** Sends what a new client lacks. @param after undefined: the last messages are sent */
export async function begin(
  db: Db,
  stream: CustomerStream,
  after: Position | undefined,
  online: boolean,
): Promise<void> {
  const { customer } = stream
  push(stream, 'retry: 3000\n\n')
  pushOnline(stream, online)
  if (customer.userId !== null) pushAccount(stream, (await plansOf(db, [customer.userId])).get(customer.userId))
  const row = await repository.findConversation(db, customer)
  // The conversation of the client was deleted, and this is another one, although its numbers may be the same.
  const isSame = row !== undefined && after?.conversation === row.public_id && after.seq <= row.last_seq
  if (after && !isSame) pushConversation(stream, null)
  stream.seq = isSame ? after.seq : Math.max(0, (row?.last_seq ?? 0) - CHAT_PAGE)
  await sendChanges(db, [stream])
}

export function pushOnline(stream: CustomerStream, online: boolean): void {
  if (stream.online === online) return
  stream.online = online
  push(stream, event('agents', { online }))
}

export function pushAccount(stream: CustomerStream, plan: Plan | undefined): void {
  if (!plan) return
  const { vip, role, storage, downloadTraffic } = plan
  const text = event('account', { vip, role, storage, download_traffic: downloadTraffic })
  if (text === stream.account) return
  stream.account = text
  push(stream, text)
}

/** Sends new messages and changed states to these streams. */
export async function sendChanges(db: Db, streams: readonly CustomerStream[]): Promise<void> {
  if (streams.length === 0) return
  const rows = await repository.findConversations(
    db,
    streams.flatMap(({ customer }) => customer.userId ?? []),
    streams.flatMap(({ customer }) => customer.visitorHash ?? []),
  )
  const byCustomer = new Map(
    rows.map((row) => [row.user_id !== null ? memberKey(row.user_id) : visitorKey(row.visitor_hash as Buffer), row]),
  )
  for (const stream of streams) {
    const id = byCustomer.get(stream.customer.key)?.id
    // Deleted or adopted: what comes next begins anew, also if another one began meanwhile.
    if (stream.conversationId !== undefined && id !== stream.conversationId) {
      stream.seq = 0
      pushConversation(stream, null)
    }
    stream.conversationId = id
    if (id !== undefined) stream.onConversation()
  }
  await sendMessages(db, streams, byCustomer)
  for (const stream of streams) {
    const row = byCustomer.get(stream.customer.key)
    pushConversation(stream, row ? toWireConversation(row) : null)
  }
}

function pushConversation(stream: CustomerStream, conversation: ChatConversation | null): void {
  const text = event('conversation', conversation)
  if (text === stream.conversation) return
  stream.conversation = text
  push(stream, text)
}

async function sendMessages(
  db: Db,
  streams: readonly CustomerStream[],
  byCustomer: ReadonlyMap<string, repository.ConversationRow>,
): Promise<void> {
  for (;;) {
    const wanted = new Map<number, number>()
    const behind = streams.filter((stream) => {
      const row = byCustomer.get(stream.customer.key)
      if (!row || row.last_seq <= stream.seq || stream.ended || stream.readable.destroyed) return false
      stream.behind = isFull(stream)
      if (stream.behind) return false
      wanted.set(row.id, Math.min(stream.seq, wanted.get(row.id) ?? stream.seq))
      return true
    })
    if (behind.length === 0) return
    const messages = new Map<number, repository.MessageRow[]>()
    for (const row of await repository.messagesAfter(db, [...wanted.keys()], [...wanted.values()], BATCH)) {
      const ofConversation = messages.get(row.conversation_id)
      if (ofConversation) ofConversation.push(row)
      else messages.set(row.conversation_id, [row])
    }
    if (messages.size === 0) return
    for (const stream of behind) {
      const { id = 0, public_id: conversation = '' } = byCustomer.get(stream.customer.key) ?? {}
      for (const row of messages.get(id) ?? []) {
        if (isFull(stream)) break
        if (row.seq <= stream.seq) continue
        stream.seq = row.seq
        push(stream, event('message', toWireMessage(row), positionText({ conversation, seq: row.seq })))
      }
    }
  }
}
