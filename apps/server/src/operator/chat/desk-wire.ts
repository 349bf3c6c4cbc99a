import type { DeskConversation, DeskNote } from '@tidenet/contract'
import { accountsOf, plansOf } from '../../identity/index.ts'
import type { Db } from '../context.ts'
import { memberKey, visitorKey } from './customers.ts'
import type { NoteRow } from './desk-repository.ts'
import type { ConversationRow } from './repository.ts'

/** With the accounts of the customers. */
export async function toDeskConversations(db: Db, rows: readonly ConversationRow[]): Promise<DeskConversation[]> {
  const ids = rows.flatMap(({ user_id }) => user_id ?? [])
  const [people, plans] = await Promise.all([accountsOf(db, ids), plansOf(db, ids)])
  return rows.map((row) => ({
    id: row.id,
    uid: people.get(row.user_id ?? 0)?.uid ?? '',
    vip: plans.get(row.user_id ?? 0)?.vip ?? false,
    lang: row.lang,
    page: row.page,
    email: row.email,
    state: row.state,
    assigned: row.assigned,
    last_seq: row.last_seq,
    read_seq: row.read_seq,
    waiting_since: row.waiting_since?.toISOString() ?? null,
    last_from: row.last_from,
    last_text: row.last_text,
    last_at: row.last_at.toISOString(),
    rating: row.rating,
    created_at: row.created_at.toISOString(),
  }))
}

export const toWireNote = ({ id, agent, text, created_at }: NoteRow): DeskNote => ({
  id,
  agent,
  text,
  created_at: created_at.toISOString(),
})

export const customerKeyOf = ({ user_id, visitor_hash }: Pick<ConversationRow, 'user_id' | 'visitor_hash'>): string =>
  user_id !== null ? memberKey(user_id) : visitorKey(visitor_hash ?? Buffer.alloc(0))
