import type { ChatMessage } from '@tidenet/contract'
import type { Attached } from './attachments.ts'

/** A message that the server has not confirmed yet. */
export interface Outgoing {
  /** Made here: the server stores it once, however often it is sent. */
  id: string
  text: string
  /** A file that the network stores already. */
  attachment?: Attached
  /** Unix ms. */
  at: number
  state: 'sending' | 'failed'
  /** Why it failed, for people. */
  problem?: string
  /** A retry without a change can succeed: the connection failed, or the server was not there. */
  isTemporary?: boolean
}

/** Adds messages by their number. A message that is known stays as it is. */
export function mergeMessages<M extends { seq: number }>(known: readonly M[], added: readonly M[]): readonly M[] {
  const numbers = new Set(known.map(({ seq }) => seq))
  const fresh = added.filter(({ seq }) => !numbers.has(seq) && numbers.add(seq))
  if (fresh.length === 0) return known
  return [...known, ...fresh].sort((one, other) => one.seq - other.seq)
}

/** The number after which a message is missing; undefined if none is. */
export function gapAfter(messages: readonly { seq: number }[]): number | undefined {
  const index = messages.findIndex(({ seq }, at) => at > 0 && seq !== (messages[at - 1]?.seq ?? 0) + 1)
  return index < 0 ? undefined : messages[index - 1]?.seq
}

/** Messages that are not among the confirmed ones: another tab, or the stream, may have been faster than the answer. */
export function unconfirmed(outbox: readonly Outgoing[], messages: readonly Pick<ChatMessage, 'id'>[]): Outgoing[] {
  const confirmed = new Set(messages.map(({ id }) => id))
  return outbox.filter(({ id }) => !confirmed.has(id))
}

const dayOf = (moment: string | number): string => {
  const date = new Date(moment)
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`
}

/** Whether a day separator belongs between two messages. @param before undefined: the first message */
export const isNewDay = (moment: string | number, before: string | number | undefined): boolean =>
  before === undefined || dayOf(moment) !== dayOf(before)

/** `today`, `yesterday`, or undefined for other days. */
export function dayName(moment: string | number, now: number): 'today' | 'yesterday' | undefined {
  if (dayOf(moment) === dayOf(now)) return 'today'
  const yesterday = new Date(now)
  yesterday.setDate(yesterday.getDate() - 1)
  return dayOf(moment) === dayOf(yesterday.getTime()) ? 'yesterday' : undefined
}
