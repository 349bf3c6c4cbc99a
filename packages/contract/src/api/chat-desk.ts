import { z } from 'zod'
import { CHAT_CANNED_NAME_MAX, CHAT_LISTS, CHAT_NOTE_MAX, CHAT_STATES, CHAT_TEXT_MAX } from '../chat.ts'
import { int, nothing, plain, receiptKey, refuse } from '../fields.ts'
import { downloadInfo } from '../objects.ts'
import { ROLES } from '../roles.ts'
import { route } from '../route.ts'
import { after, next, q, size } from './admin-fields.ts'
import { attachmentErrors, chatMessage, messageId, messagePage, messageText, newAttachment } from './chat.ts'
import { trace } from './traces.ts'

const id = int(1)
const note = z
  .string({ error: refuse('textMissing') })
  .trim()
  .min(1, refuse('textMissing'))
  .max(CHAT_NOTE_MAX, refuse('textTooLong', { max: CHAT_NOTE_MAX }))
const cannedText = z
  .string({ error: refuse('textMissing') })
  .trim()
  .min(1, refuse('textMissing'))
  .max(CHAT_TEXT_MAX, refuse('textTooLong', { max: CHAT_TEXT_MAX }))

/** `agent`: the uid of the agent who wrote it; empty: the customer. */
export const deskMessage = chatMessage.extend({ agent: z.string() })
export type DeskMessage = z.infer<typeof deskMessage>

/** Only agents see notes. */
export const deskNote = z.object({ id: z.string(), agent: z.string(), text: z.string(), created_at: z.string() })
export type DeskNote = z.infer<typeof deskNote>

/** A conversation in the lists of the desk. */
export const deskConversation = z.object({
  id: z.number(),
  /** Empty: a visitor. */
  uid: z.string(),
  vip: z.boolean(),
  /** Of the customer's portal: `en` or `cn`. */
  lang: z.enum(['en', 'cn']),
  /** Path of the page from which the customer wrote last. */
  page: z.string(),
  email: z.string(),
  state: z.enum(CHAT_STATES),
  /** The uid of the agent whose conversation it is; empty: nobody's. */
  assigned: z.string(),
  last_seq: z.number(),
  /** The customer has read up to this one. */
  read_seq: z.number(),
  /** Since when the customer waits for an answer; null: the customer does not. */
  waiting_since: z.string().nullable(),
  /** The last message: who wrote it, when, and how it begins. */
  last_from: chatMessage.shape.from_type,
  last_text: z.string(),
  last_at: z.string(),
  /** The last rating. */
  rating: z.number().nullable(),
  created_at: z.string(),
})
export type DeskConversation = z.infer<typeof deskConversation>

export const cannedAnswer = z.object({
  id: z.number(),
  name: z.string(),
  /** The answer in English and in Chinese. */
  text_en: z.string(),
  text_cn: z.string(),
})
export type CannedAnswer = z.infer<typeof cannedAnswer>

const errors = ['operatorSecondFactor', 'chatUnknown'] as const

export const chatDesk = {
  list: route({
    method: 'GET',
    path: '/api/v1/admin/chat/list',
    auth: 'agent',
    /** `waiting`: longest waiting first; others: last written first. `q`: part of a message, or a complete uid or e-mail address. */
    input: z.object({ list: z.enum(CHAT_LISTS).default('waiting'), q, after, size }),
    output: z.object({ list: z.array(deskConversation), next }),
    errors: ['operatorSecondFactor'],
    summary: 'Lists support conversations',
  }),
  conversation: route({
    method: 'GET',
    path: '/api/v1/admin/chat/conversation',
    auth: 'agent',
    input: z.object({ id, ...messagePage }),
    output: z.object({
      conversation: deskConversation,
      messages: z.array(deskMessage),
      more: z.boolean(),
      /** All of them, oldest first. */
      notes: z.array(deskNote),
    }),
    errors,
    summary: 'Returns a support conversation with messages and notes',
  }),
  customer: route({
    method: 'GET',
    path: '/api/v1/admin/chat/customer',
    auth: 'agent',
    input: z.object({ id }),
    output: z.object({
      /** Null: a visitor. */
      account: z
        .object({
          uid: z.string(),
          email: z.string(),
          role: z.enum(ROLES),
          vip: z.boolean(),
          locked_at: z.string().nullable(),
          created_at: z.string(),
          /** Bytes. */
          used: z.number(),
          storage: z.number(),
          sent_this_month: z.number(),
          download_traffic: z.number(),
        })
        .nullable(),
      /** The last orders, newest first. */
      orders: z.array(
        z.object({ id: z.string(), status: z.number(), created_at: z.string(), expired_at: z.string().nullable() }),
      ),
      /** The last transfers, newest first. Texts are the customer's. */
      traces: z.array(trace),
      /** The last failed transfers. */
      errors: z.array(trace),
    }),
    errors,
    summary: 'Returns what an agent needs beside a conversation: plan, orders, transfers and errors of the customer',
  }),
  send: route({
    method: 'POST',
    path: '/api/v1/admin/chat/send',
    repeatable: true,
    auth: 'agent',
    input: z.object({ id, message_id: messageId, text: messageText, attachment: newAttachment }),
    output: z.object({ message: deskMessage }),
    errors: [...errors, 'textMissing', 'textTooLong', ...attachmentErrors],
    summary: 'Answers a customer; the same message id twice has no effect. Takes the conversation if it is nobody’s',
  }),
  attachment: route({
    method: 'GET',
    path: '/api/v1/admin/chat/attachment',
    auth: 'agent',
    input: z.object({ id, attachment: z.uuid(), receipt_key: receiptKey }),
    output: downloadInfo,
    errors: [...errors, 'notFound', 'tooManyRequests', 'contentBlocked', 'nodesOffline', 'noArea'],
    summary: 'Returns download sources for an attachment of a conversation',
  }),
  note: route({
    method: 'POST',
    path: '/api/v1/admin/chat/note',
    repeatable: true,
    auth: 'agent',
    input: z.object({ id, note_id: messageId, text: note }),
    output: z.object({ note: deskNote }),
    errors: [...errors, 'textMissing', 'textTooLong'],
    summary: 'Adds a note that only agents see; the same note id twice has no effect',
  }),
  take: route({
    method: 'POST',
    path: '/api/v1/admin/chat/take',
    repeatable: true,
    auth: 'agent',
    input: z.object({ id }),
    output: deskConversation,
    errors: [...errors, 'chatTaken'],
    summary: 'Assigns a conversation to the caller; if two agents do it at once, one gets an error',
  }),
  assign: route({
    method: 'POST',
    path: '/api/v1/admin/chat/assign',
    repeatable: true,
    auth: 'agent',
    /** Empty: nobody. */
    input: z.object({ id, uid: plain(80) }),
    output: deskConversation,
    errors: [...errors, 'chatAgent'],
    summary: 'Hands a conversation over to another agent, or gives it back to the queue',
  }),
  close: route({
    method: 'POST',
    path: '/api/v1/admin/chat/close',
    repeatable: true,
    auth: 'agent',
    input: z.object({ id }),
    output: deskConversation,
    errors,
    summary: 'Closes a conversation; the customer can rate it, and opens it again by writing',
  }),
  reopen: route({
    method: 'POST',
    path: '/api/v1/admin/chat/reopen',
    repeatable: true,
    auth: 'agent',
    input: z.object({ id }),
    output: deskConversation,
    errors,
    summary: 'Opens a closed conversation again',
  }),
  agents: route({
    method: 'GET',
    path: '/api/v1/admin/chat/agents',
    auth: 'agent',
    input: nothing,
    output: z.object({
      list: z.array(z.object({ uid: z.string(), email: z.string(), online: z.boolean(), assigned: z.number() })),
    }),
    errors: ['operatorSecondFactor'],
    summary: 'Lists agents, whether each is online, and how many open conversations are assigned to each',
  }),
  canned: route({
    method: 'GET',
    path: '/api/v1/admin/chat/canned',
    auth: 'agent',
    input: nothing,
    output: z.object({ max: z.number(), list: z.array(cannedAnswer) }),
    errors: ['operatorSecondFactor'],
    summary: 'Lists canned answers by name',
  }),
  saveCanned: route({
    method: 'POST',
    path: '/api/v1/admin/chat/canned',
    auth: 'agent',
    /** Without `id`: a new one. */
    input: z.object({
      id: id.optional(),
      name: z
        .string({ error: refuse('nameMissing') })
        .trim()
        .min(1, refuse('nameMissing'))
        .max(CHAT_CANNED_NAME_MAX, refuse('nameTooLong', { max: CHAT_CANNED_NAME_MAX })),
      text_en: cannedText,
      text_cn: cannedText,
    }),
    output: cannedAnswer,
    errors: [
      'operatorSecondFactor',
      'notFound',
      'nameMissing',
      'nameTooLong',
      'textMissing',
      'textTooLong',
      'chatCanned',
    ],
    summary: 'Creates or changes a canned answer',
  }),
  removeCanned: route({
    method: 'POST',
    path: '/api/v1/admin/chat/canned/remove',
    repeatable: true,
    auth: 'agent',
    input: z.object({ id }),
    output: nothing,
    errors: ['operatorSecondFactor'],
    summary: 'Deletes a canned answer',
  }),
  events: route({
    method: 'GET',
    path: '/api/v1/admin/chat/events',
    auth: 'agent',
    shape: 'raw',
    media: 'text/event-stream',
    input: nothing,
    /** The data of each event, by event name. */
    output: z.object({
      /** First, and when events were left out: load lists and the open conversation again, from the last `seq` that the client has. */
      ready: z.object({
        /** Open conversations; those that wait for an answer; waiting ones of nobody. */
        open: z.number(),
        waiting: z.number(),
        unassigned: z.number(),
      }),
      /** The same, when it changes; at most once a second. Each is counted up to 1,000. */
      counts: z.object({ open: z.number(), waiting: z.number(), unassigned: z.number() }),
      /** A conversation that is new or has changed. */
      conversation: deskConversation,
      /** Of any conversation, in its order; `conversation` is its id. */
      message: deskMessage.extend({ conversation: z.number() }),
      note: deskNote.extend({ conversation: z.number() }),
      /** A conversation that was deleted. */
      removed: z.object({ id: z.number() }),
      /** Agents that are online. */
      agents: z.object({ online: z.array(z.string()) }),
    }),
    errors: ['operatorSecondFactor', 'tooManyRequests'],
    limit: 120,
    summary: 'Streams all conversations as server-sent events; the agent is online as long as it is open',
  }),
}
