import type { ChatMessage } from '@tidenet/contract'
import type { Attached } from './attachments.ts'

/** A message that the server has not confirmed yet. */
export interface Outgoing {
  /** Made here: the server stores it once, however often it is sent. */
  id: string
  /** Who wrote it: the uid of the account; empty: a visitor. It is never sent as anybody else. */
  owner: string
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

const bySeq = (one: { seq: number }, other: { seq: number }): number => one.seq - other.seq

/** The index at which a number is, or would be. */
function indexOf(messages: readonly { seq: number }[], seq: number): number {
  let [from, to] = [0, messages.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((messages[middle]?.seq ?? 0) < seq) from = middle + 1
    else to = middle
  }
  return from
}

/** Adds messages by their number. A message that is known stays as it is. @param known in order */
export function mergeMessages<M extends { seq: number }>(known: readonly M[], added: readonly M[]): readonly M[] {
  const fresh = added.filter(({ seq }) => known[indexOf(known, seq)]?.seq !== seq).sort(bySeq)
  const first = fresh[0]
  if (!first) return known
  // Almost always they follow, or precede, all others.
  const at = indexOf(known, first.seq)
  const after = known.slice(at)
  const between = after.length === 0 || (fresh.at(-1)?.seq ?? 0) < (after[0]?.seq ?? 0)
  const rest = between ? [...fresh, ...after] : [...fresh, ...after].sort(bySeq)
  return known.slice(0, at).concat(rest.filter(({ seq }, index) => seq !== rest[index - 1]?.seq))
}

/** The number after which a message is missing; undefined if none is. */
export function gapAfter(messages: readonly { seq: number }[]): number | undefined {
  const [first, last] = [messages[0], messages.at(-1)]
  if (!first || !last || last.seq - first.seq + 1 === messages.length) return undefined
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
