import { z } from 'zod'
import {
  CHAT_FROM,
  CHAT_KINDS,
  CHAT_NOTE_MAX,
  CHAT_PAGE,
  CHAT_RATING_MAX,
  CHAT_STATES,
  CHAT_TEXT_MAX,
} from '../chat.ts'
import { assetName, cid, email, int, nothing, plain, receiptKey, refuse } from '../fields.ts'
import { downloadInfo } from '../objects.ts'
import { ROLES } from '../roles.ts'
import { route } from '../route.ts'

/** The token of a visitor, from `chat.start`; ignored if the caller is signed in. */
const visitor = z.string().max(200).optional()
/** Made by the sender, new for every message: a repeated call has no effect. */
export const messageId = z.uuid().toLowerCase()
/** Empty only with an attachment. */
export const messageText = z
  .string({ error: refuse('textMissing') })
  .trim()
  .max(CHAT_TEXT_MAX, refuse('textTooLong', { max: CHAT_TEXT_MAX }))
/** A file that the sender has uploaded as an anonymous one, encrypted with `password`; empty: it is not encrypted. */
export const newAttachment = z
  .object({
    cid,
    name: assetName,
    password: plain(100)
      .regex(/^\P{Cs}*$/u)
      .default(''),
    /** Of the anonymous upload: only whoever uploaded the file knows it. Not needed for a file that the caller's account uploaded. */
    trace_id: plain(100).default(''),
  })
  .optional()
const comment = z
  .string()
  .trim()
  .max(CHAT_NOTE_MAX, refuse('textTooLong', { max: CHAT_NOTE_MAX }))
  .default('')

export const attachmentErrors = [
  'badCid',
  'nameMissing',
  'nameTooLong',
  'nameForbidden',
  'chatAttachmentMissing',
  'chatAttachmentTooLarge',
] as const

export const chatMessage = z.object({
  /** Of the sender. */
  id: z.string(),
  /** Its place in the conversation: 1, 2, 3 and so on, without gaps. */
  seq: z.number(),
  from_type: z.enum(CHAT_FROM),
  kind: z.enum(CHAT_KINDS),
  /** Plain text. */
  text: z.string(),
  attachment: z
    .object({ id: z.string(), cid: z.string(), name: z.string(), size: z.number(), password: z.string() })
    .nullable(),
  /** Of the kind `rated`; otherwise null. */
  rating: z.number().nullable(),
  created_at: z.string(),
})
export type ChatMessage = z.infer<typeof chatMessage>

export const chatConversation = z.object({
  /** Another one after the conversation was deleted and a new one began: messages of the old one are gone. */
  id: z.string(),
  state: z.enum(CHAT_STATES),
  /** Of the last message; 0: none. */
  last_seq: z.number(),
  /** The customer has read up to this one. */
  read_seq: z.number(),
  /** Messages of agents after `read_seq`. */
  unread: z.number(),
  /** Where answers are mailed that nobody reads in the chat; empty: nowhere. */
  email: z.string(),
  /** The conversation was closed and can be rated. */
  can_rate: z.boolean(),
})
export type ChatConversation = z.infer<typeof chatConversation>

/** PostgreSQL's largest integer. */
const SEQ_MAX = 2_147_483_647

/** The last messages before `before`, or the first after `after`; oldest first. */
export const messagePage = {
  before: int(1, SEQ_MAX).optional(),
  after: int(0, SEQ_MAX).optional(),
  size: int(1, 200).default(CHAT_PAGE),
}

export const chat = {
  start: route({
    method: 'POST',
    path: '/api/v1/chat/start',
    auth: 'public',
    input: nothing,
    output: z.object({ visitor: z.string() }),
    errors: [],
    limit: 30,
    summary: 'Returns a new visitor token for the support chat; nothing is stored until the first message',
  }),
  state: route({
    method: 'POST',
    path: '/api/v1/chat/state',
    repeatable: true,
    auth: 'optional',
    input: z.object({ visitor }),
    output: z.object({
      /** An agent is online. */
      online: z.boolean(),
      /** Null: nothing was written yet. */
      conversation: chatConversation.nullable(),
      /** For signed-in callers: messages that were written with this visitor token before, which `chat.adopt` would add to the account. */
      adoptable: z.number(),
    }),
    errors: ['chatVisitor'],
    limit: 300,
    summary: 'Returns whether an agent is online, and the state of the caller’s conversation',
  }),
  messages: route({
    method: 'POST',
    path: '/api/v1/chat/messages',
    repeatable: true,
    auth: 'optional',
    input: z.object({ visitor, ...messagePage }),
    /** `conversation`: its id; null: nothing was written yet. */
    output: z.object({ conversation: z.string().nullable(), list: z.array(chatMessage), more: z.boolean() }),
    errors: ['chatVisitor'],
    limit: 300,
    summary: 'Returns messages of the caller’s conversation, oldest first',
  }),
  send: route({
    method: 'POST',
    path: '/api/v1/chat/send',
    repeatable: true,
    auth: 'optional',
    input: z.object({
      visitor,
      id: messageId,
      text: messageText,
      attachment: newAttachment,
      /** Path of the page that the customer is on. */
      page: plain(300).default(''),
    }),
    /** `conversation`: its id. `online`: an agent is online. If not, ask for an e-mail address: `chat.email`. */
    output: z.object({ message: chatMessage, conversation: z.string(), online: z.boolean(), email: z.string() }),
    errors: [
      'chatVisitor',
      'textMissing',
      'textTooLong',
      'tooManyRequests',
      'chatAttachmentsFull',
      ...attachmentErrors,
    ],
    limit: 300,
    summary:
      'Sends a message to support; the same id twice has no effect. Opens the conversation again if it was closed',
  }),
  attachment: route({
    method: 'POST',
    path: '/api/v1/chat/attachment',
    repeatable: true,
    auth: 'optional',
    input: z.object({ visitor, id: z.uuid(), receipt_key: receiptKey }),
    output: downloadInfo,
    errors: ['chatVisitor', 'notFound', 'tooManyRequests', 'contentBlocked', 'nodesOffline', 'noArea'],
    limit: 120,
    summary: 'Returns download sources for an attachment of the caller’s conversation',
  }),
  read: route({
    method: 'POST',
    path: '/api/v1/chat/read',
    repeatable: true,
    auth: 'optional',
    input: z.object({ visitor, seq: int(0, SEQ_MAX) }),
    output: z.object({ unread: z.number() }),
    errors: ['chatVisitor'],
    limit: 300,
    summary: 'Marks messages as read up to this one',
  }),
  email: route({
    method: 'POST',
    path: '/api/v1/chat/email',
    repeatable: true,
    auth: 'optional',
    /** Empty: answers are no longer mailed. Accounts with an e-mail address can only use this address. */
    input: z.object({ visitor, email: z.union([z.literal(''), email]) }),
    output: z.object({ email: z.string() }),
    errors: ['chatVisitor', 'chatUnknown', 'chatEmail', 'emailMissing', 'emailInvalid', 'tooManyRequests'],
    limit: 20,
    summary: 'Sets the e-mail address for answers that nobody reads in the chat',
  }),
  rate: route({
    method: 'POST',
    path: '/api/v1/chat/rate',
    repeatable: true,
    auth: 'optional',
    input: z.object({ visitor, id: messageId, rating: int(1, CHAT_RATING_MAX), comment }),
    output: z.object({ message: chatMessage }),
    errors: ['chatVisitor', 'chatUnknown', 'chatNotClosed', 'textTooLong'],
    limit: 60,
    summary: 'Rates a closed conversation from 1 to 5, once per closing',
  }),
  adopt: route({
    method: 'POST',
    path: '/api/v1/chat/adopt',
    repeatable: true,
    auth: 'session',
    input: z.object({ visitor: z.string().max(200) }),
    /** Messages that were added; 0: there was nothing (any more). */
    output: z.object({ adopted: z.number() }),
    errors: ['chatVisitor'],
    limit: 30,
    summary: 'Adds the conversation of a visitor token to the account, and invalidates the token for it',
  }),
  export: route({
    method: 'POST',
    path: '/api/v1/chat/export',
    repeatable: true,
    auth: 'optional',
    shape: 'raw',
    media: 'application/json',
    input: z.object({ visitor }),
    output: z.object({ conversation: chatConversation.nullable(), messages: z.array(chatMessage) }),
    errors: ['chatVisitor'],
    limit: 20,
    summary: 'Returns the whole conversation as a JSON file',
  }),
  remove: route({
    method: 'POST',
    path: '/api/v1/chat/remove',
    repeatable: true,
    auth: 'optional',
    input: z.object({ visitor }),
    output: nothing,
    errors: ['chatVisitor'],
    limit: 20,
    summary: 'Deletes the caller’s conversation, with the notes of agents about it',
  }),
  events: route({
    method: 'POST',
    path: '/api/v1/chat/events',
    auth: 'optional',
    shape: 'raw',
    media: 'text/event-stream',
    /**
     * `after`: the last `seq` that the client has of this `conversation`; the header Last-Event-ID with `<conversation>:<seq>` does the same.
     * Absent, or for another conversation than the present one: the last 50 messages come first.
     */
    input: z.object({ visitor, conversation: z.string().max(100).optional(), after: int(0, SEQ_MAX).optional() }),
    /** The data of each event, by event name. */
    output: z.object({
      /** In order, each once; the event’s id is `<conversation>:<seq>`. */
      message: chatMessage,
      /** At the start, and when anything in it changes; null: it was deleted, or nothing was written yet. */
      conversation: chatConversation.nullable(),
      /** At the start, and when it changes. */
      agents: z.object({ online: z.boolean() }),
      /** Signed in only: at the start, and within 5 seconds of a change. */
      account: z.object({
        vip: z.boolean(),
        role: z.enum(ROLES),
        /** Quotas in bytes: stored, and downloaded per month. */
        storage: z.number(),
        download_traffic: z.number(),
      }),
    }),
    errors: ['chatVisitor', 'tooManyRequests'],
    limit: 300,
    summary:
      'Streams messages, states and changes of the account’s plan as server-sent events; ends with the session, and when the client reads too slowly: reconnect with the last id',
  }),
}
