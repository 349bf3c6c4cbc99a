import type { ChatConversation, ChatMessage, DeskMessage } from '@tidenet/contract'
import type { ConversationRow, MessageRow } from './repository.ts'

/** Customers do not learn which agent wrote. */
export const toWireMessage = ({
  id,
  seq,
  from_type,
  kind,
  text,
  rating,
  attachment,
  created_at,
}: MessageRow): ChatMessage => ({
  id,
  seq,
  from_type,
  kind,
  text,
  rating,
  attachment,
  created_at: created_at.toISOString(),
})

export const toDeskMessage = (row: MessageRow): DeskMessage => ({ ...toWireMessage(row), agent: row.agent })

export const toWireConversation = ({
  state,
  last_seq,
  read_seq,
  unread,
  email,
  closed_seq,
}: ConversationRow & { unread: number }): ChatConversation => ({
  state,
  last_seq,
  read_seq,
  unread,
  email,
  can_rate: state === 'closed' && closed_seq !== null,
})
