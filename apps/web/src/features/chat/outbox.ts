import { ApiError, api, messageOf } from '../../lib/api.ts'
import type { Attached } from './attachments.ts'
import { chatCall, isVisitorInvalid, requireVisitor, storeVisitor } from './client.ts'
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
  const message: Outgoing = { id: newId(), text, at: Date.now(), ...(attachment && { attachment }), state: 'sending' }
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
      await send(next, chatState().account)
    }
  })().finally(() => {
    sending = undefined
  })
  return sending
}

async function send(message: Outgoing, account: string): Promise<void> {
  try {
    const { message: sent, online } = await post(message)
    // Somebody else may have signed in meanwhile.
    if (chatState().account !== account) return
    const { conversation, visitor } = chatState()
    if (visitor) storeVisitor(visitor)
    useChat.setState({
      agentOnline: online,
      conversation: conversation
        ? { ...conversation, state: 'open', last_seq: Math.max(conversation.last_seq, sent.seq) }
        : { state: 'open', last_seq: sent.seq, read_seq: sent.seq, unread: 0, email: '', can_rate: false },
    })
    setOutbox(chatState().outbox.filter(({ id }) => id !== message.id))
    addMessages([sent])
    onSent()
  } catch (error) {
    if (chatState().account !== account) return
    const isTemporary = error instanceof ApiError && (error.kind === 'network' || error.kind === 'server')
    changeOutgoing(message.id, { state: 'failed', problem: messageOf(error), isTemporary })
  }
}

async function post({ id, text, attachment }: Outgoing) {
  // The path only: queries can contain passwords of links.
  const input = { id, text, ...(attachment && { attachment }), page: location.pathname.slice(0, 300) }
  await requireVisitor()
  try {
    return await chatCall('chat.send', input)
  } catch (error) {
    const { visitor } = chatState()
    if (!visitor || !isVisitorInvalid(error) || (await isAccepted(visitor))) throw error
    // The conversation of this token was deleted or added to an account. The message begins a new one.
    storeVisitor('')
    useChat.setState({ visitor: '', conversation: null, messages: [], hasMore: false })
    await requireVisitor()
    return await chatCall('chat.send', input)
  }
}

/** Whether the server still knows a visitor token. */
const isAccepted = (visitor: string): Promise<boolean> =>
  api('chat.state', { visitor }).then(
    () => true,
    (error: unknown) => !isVisitorInvalid(error),
  )
