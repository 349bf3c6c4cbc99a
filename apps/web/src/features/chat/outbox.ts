import { ApiError, messageOf } from '../../lib/api.ts'
import { useSession } from '../../lib/session-store.ts'
import { storeVisitor } from '../feedback/support.ts'
import type { Attached } from './attachments.ts'
import { chatCall, isVisitorInvalid, requireVisitor } from './client.ts'
import { addMessages, changeOutgoing, chatState, setOutbox, useChat } from './store.ts'
import type { Outgoing } from './timeline.ts'

/** A random UUID; `crypto.randomUUID` exists only on pages served by HTTPS. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

let onSent = () => {}
/** Calls the listener after each message that the server confirmed. */
export function afterSending(listener: () => void): void {
  onSent = listener
}

/** Shows a message at once, and sends it after those before it. */
export function sendMessage(text: string, attachment?: Attached): void {
  const owner = chatState().account
  const content = { text, ...(attachment && { attachment }) }
  const message: Outgoing = { id: newId(), owner, ...content, at: Date.now(), state: 'sending' }
  setOutbox([...chatState().outbox, message])
  void sendAll()
}

export function retryMessage(id: string): void {
  changeOutgoing(id, { state: 'sending' })
  void sendAll()
}

export const discardMessage = (id: string): void => setOutbox(chatState().outbox.filter((each) => each.id !== id))

/** Tries again what failed only because of the connection. */
export function retryTemporary(): void {
  const { outbox } = chatState()
  if (outbox.some(({ isTemporary }) => isTemporary))
    setOutbox(
      outbox.map((each) => (each.isTemporary ? { ...each, state: 'sending' as const, isTemporary: false } : each)),
    )
  void sendAll()
}

let sending: Promise<void> | undefined

/** Sends one message after another, so that they arrive in the order in which they were written. */
export function sendAll(): Promise<void> {
  sending ??= (async () => {
    for (;;) {
      const next = chatState().outbox.find(({ state }) => state === 'sending')
      if (!next) return
      await send(next)
    }
  })().finally(() => {
    sending = undefined
  })
  return sending
}

async function send(message: Outgoing): Promise<void> {
  try {
    const { message: sent, conversation: id, online } = await post(message)
    if (!isOwner(message)) return
    const { conversation, visitor } = chatState()
    if (visitor) storeVisitor(visitor)
    useChat.setState({
      agentOnline: online,
      conversation:
        conversation?.id === id
          ? { ...conversation, state: 'open', last_seq: Math.max(conversation.last_seq, sent.seq) }
          : { id, state: 'open', last_seq: sent.seq, read_seq: sent.seq, unread: 0, email: '', can_rate: false },
    })
    setOutbox(chatState().outbox.filter((each) => each.id !== message.id))
    addMessages(id, [sent])
    onSent()
  } catch (error) {
    // It stays in the owner's queue.
    if (!isOwner(message)) return
    const isTemporary = error instanceof ApiError && (error.kind === 'network' || error.kind === 'server')
    changeOutgoing(message.id, { state: 'failed', problem: messageOf(error), isTemporary })
  }
}

/** Whether the page is still used by whoever wrote the message. */
const isOwner = ({ owner }: Outgoing): boolean =>
  chatState().account === owner && useSession.getState().address === owner

async function post(message: Outgoing) {
  const { id, text, attachment } = message
  // The path only: queries can contain passwords of links.
  const input = { id, text, ...(attachment && { attachment }), page: location.pathname.slice(0, 300) }
  /** Sends it, unless somebody has signed in or out since it was written. */
  const sendAsOwner = async () => {
    await requireVisitor()
    if (!isOwner(message)) throw new Error('the message belongs to somebody else')
    return chatCall('chat.send', input)
  }
  try {
    return await sendAsOwner()
  } catch (error) {
    if (!isVisitorInvalid(error) || !isOwner(message)) throw error
    // The conversation of this token was deleted or added to an account. The message begins a new one.
    storeVisitor('')
    useChat.setState({ visitor: '', conversation: null, messages: [], messagesOf: '' })
    return await sendAsOwner()
  }
}
