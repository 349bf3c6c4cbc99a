import type { Input, OperationName, Output, RouteOf } from '@tidenet/contract'
import { CHAT_VISITOR_INVALID } from '@tidenet/contract/chat'
import { ApiError, api } from '../../lib/api.ts'
import { clearSession, currentToken } from '../../lib/session-store.ts'
import { readVisitor } from '../feedback/support.ts'
import { chatState, useChat } from './store.ts'

type Call = Extract<
  OperationName,
  `chat.${'state' | 'messages' | 'send' | 'read' | 'email' | 'rate' | 'export' | 'remove'}`
>

/** The field that identifies a visitor; nothing for an account, whose session does. */
export function caller(): { visitor?: string } {
  const { account, visitor } = chatState()
  return account || !visitor ? {} : { visitor }
}

export const isVisitorInvalid = (error: unknown): boolean =>
  error instanceof ApiError && error.err === CHAT_VISITOR_INVALID

/**
 * Calls an operation for the account or the visitor as they are now: somebody may sign in or out before the request is sent.
 * @throws ApiError
 */
export async function chatCall<N extends Call>(
  name: N,
  input: Omit<Input<RouteOf<N>>, 'visitor'>,
): Promise<Output<RouteOf<N>>> {
  const token = chatState().account ? currentToken() : ''
  try {
    return await api(name, { ...input, ...caller() } as Input<RouteOf<N>>, { token })
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'session' && token === currentToken()) clearSession('expired')
    throw error
  }
}

/** Makes sure that a visitor has a token. It is stored only after the first message. @throws ApiError */
export async function requireVisitor(): Promise<void> {
  const { account, visitor } = chatState()
  if (account || visitor) return
  const fresh = await api('chat.start', {})
  // Another tab may have begun a conversation meanwhile.
  if (!chatState().account) useChat.setState({ visitor: readVisitor() || fresh.visitor })
}
