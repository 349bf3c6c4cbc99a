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

/** Texts of agents that the customer has not read. */
export const unreadOf = ({ answers, answers_read }: Pick<ConversationRow, 'answers' | 'answers_read'>): number =>
  answers - answers_read

export const toWireConversation = ({
  public_id,
  state,
  last_seq,
  read_seq,
  email,
  closed_seq,
  answers,
  answers_read,
}: ConversationRow): ChatConversation => ({
  id: public_id,
  state,
  last_seq,
  read_seq,
  unread: unreadOf({ answers, answers_read }),
  email,
  can_rate: state === 'closed' && closed_seq !== null,
})
