import { randomUUID } from 'node:crypto'
import type { Member } from '../../platform/http/callers.ts'
import type { Db } from '../context.ts'
import type { Changed } from './changes.ts'
import * as desk from './desk-repository.ts'
import { toDeskConversations, toWireNote } from './desk-wire.ts'
import * as repository from './repository.ts'
import { event, isFull, newReadable, push, type Stream } from './streams.ts'
import { toDeskMessage } from './wire.ts'

/** Streams of agents: all conversations. A client that finds a gap in `seq`, or a new `ready`, loads what it lacks. */

const BATCH = 200
/** Conversations whose last sent message is remembered. */
const REMEMBERED = 20_000
/** Characters that are sent before clients get time to read. */
const PAGE = 32 * 1024

export interface DeskStream extends Stream {
  readonly id: string
  readonly agent: string
  /** The client did not read fast enough, and events were left out. When it has read, `ready` tells it to load what it lacks. */
  behind: boolean
}

export const newDeskStream = (
  agent: Pick<Member, 'uid' | 'userId' | 'credential'>,
  onRead: () => void,
): DeskStream => ({
  id: randomUUID(),
  agent: agent.uid,
  session: { id: agent.credential, userId: agent.userId },
  readable: newReadable(onRead),
  ended: false,
  behind: false,
})

/** Sends events, as many as each client reads: a flood must cut nobody off. */
export async function sendEvents(desks: ReadonlySet<DeskStream>, events: readonly string[]): Promise<void> {
  let sent = 0
  for (const text of events) {
    for (const stream of desks) {
      stream.behind ||= isFull(stream)
      if (!stream.behind) push(stream, text)
    }
    sent += text.length
    if (sent < PAGE) continue
    sent = 0
    await new Promise(setImmediate)
  }
}

/** Sends changes of conversations to all desks of this server. */
export function createDeskFeed(db: Db) {
  const sent = new Map<number, number>()
  let counts = ''

  return {
    /** Forgets what was sent, when nobody listens any more or notifications were missed. */
    reset(): void {
      sent.clear()
      counts = ''
    },

    async send(desks: ReadonlySet<DeskStream>, changed: ReadonlyMap<number, Changed>): Promise<void> {
      const ids = [...changed.keys()]
      const fresh = [...changed].filter(([, { first }]) => first > 0).map(([id]) => id)
      const after = fresh.map((id) => sent.get(id) ?? (changed.get(id)?.first ?? 1) - 1)
      const noteIds = [...changed.values()].flatMap(({ notes }) => notes)
      const [rows, messages, notes] = await Promise.all([
        desk.findByIds(db, ids),
        fresh.length > 0 ? repository.messagesAfter(db, fresh, after, BATCH) : [],
        noteIds.length > 0 ? desk.findNotes(db, ids, noteIds) : [],
      ])
      const conversations = await toDeskConversations(db, rows)
      const parts: string[] = []
      for (const message of messages) {
        remember(sent, message.conversation_id, message.seq)
        parts.push(event('message', { ...toDeskMessage(message), conversation: message.conversation_id }))
      }
      for (const note of notes) parts.push(event('note', { ...toWireNote(note), conversation: note.conversation_id }))
      for (const conversation of conversations) parts.push(event('conversation', conversation))
      const found = new Set(rows.map(({ id }) => id))
      for (const id of ids) {
        if (found.has(id)) continue
        sent.delete(id)
        parts.push(event('removed', { id }))
      }
      await sendEvents(desks, parts)
    },

    async sendCounts(desks: ReadonlySet<DeskStream>): Promise<void> {
      const text = event('counts', await desk.countConversations(db))
      if (text === counts) return
      counts = text
      for (const stream of desks) push(stream, text)
    },
  }
}

/** Forgets the conversation that was not written in for the longest time. */
function remember(sent: Map<number, number>, id: number, seq: number): void {
  sent.delete(id)
  sent.set(id, seq)
  if (sent.size > REMEMBERED) sent.delete(sent.keys().next().value as number)
}
