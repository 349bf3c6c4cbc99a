import { type Context, now } from '../context.ts'
import type { Customer } from './customers.ts'
import * as repository from './repository.ts'
import { unreadOf } from './wire.ts'

/**
 * Adds the conversation of a visitor to that of an account, after its last message. The account's owner has asked for it: several people can
 * use one device.
 * @returns how many messages were added
 */
export async function adopt(
  context: Pick<Context, 'db' | 'clock'>,
  account: Customer,
  visitor: Customer,
): Promise<number> {
  const at = now(context)
  return context.db.transaction(async (tx) => {
    const from = await repository.lockConversation(tx, visitor)
    if (!from) return 0
    await repository.insertConversation(tx, account, { lang: from.lang, email: account.member?.email ?? '', at })
    const into = await repository.lockConversation(tx, account)
    if (!into) throw new Error('the conversation was deleted while it was locked')
    const offset = into.last_seq
    const isRead = unreadOf(into) === 0
    await repository.moveMessages(tx, from.id, into)
    const state = from.state === 'open' || (into.state === 'open' && offset > 0) ? 'open' : 'closed'
    await repository.updateConversation(tx, {
      ...into,
      page: from.page,
      // An account with an address uses only this one, and may have declined it.
      email: account.member?.email ? into.email : into.email || from.email,
      state,
      closed_seq: state === 'closed' && from.closed_seq !== null ? offset + from.closed_seq : null,
      assigned: into.assigned || from.assigned,
      last_seq: offset + from.last_seq,
      read_seq: isRead ? offset + from.read_seq : into.read_seq,
      answers: into.answers + from.answers,
      answers_read: isRead ? into.answers + from.answers_read : into.answers_read,
      rating: from.rating ?? into.rating,
      waiting_since: earlier(into.waiting_since, from.waiting_since),
      last_from: from.last_from,
      last_text: from.last_text,
      last_at: into.last_at > from.last_at ? into.last_at : from.last_at,
      mailed_seq: into.mail_due_at === null ? offset + from.mailed_seq : into.mailed_seq,
      mail_due_at: earlier(into.mail_due_at, from.mail_due_at),
    })
    await repository.deleteConversation(tx, visitor)
    await repository.announce(tx, visitor.key, { id: from.id })
    await repository.announce(tx, account.key, { id: into.id, first: offset + 1 })
    return from.last_seq
  })
}

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one < other ? one : other) : (one ?? other)
