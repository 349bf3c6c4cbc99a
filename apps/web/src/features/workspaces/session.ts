import type { Input, OperationName, Output, RouteOf } from '@tidenet/contract'
import { ApiError, api, type CallOptions } from '../../lib/api.ts'
import { CONSOLE_KEY, type ConsoleSession, signedOut, useConsole } from '../../lib/console-store.ts'

export { useConsole }

const watchers = new Set<(ended: 'left' | 'expired' | undefined) => void>()

/** Subscribes to session changes: the reason if the session ended, undefined if another one began. @returns unsubscribe */
export function onConsoleChange(watcher: (ended: 'left' | 'expired' | undefined) => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

function set(next: ConsoleSession, ended?: 'left' | 'expired'): void {
  useConsole.setState(next)
  for (const watcher of watchers) watcher(ended)
}

/**
 * Signs in to the console. @param password or a console token
 * @throws ApiError
 */
export async function enter(account: string, password: string): Promise<void> {
  const { expires_at: expires, ...entered } = await api('clusters.enter', { account, password }, { token: '' })
  set({ ...entered, expires })
}

/** Uses a session that was opened otherwise. */
export const begin = (session: ConsoleSession): void => set(session)

/** Ends the console's session, here and on the server; the portal's session continues. */
export async function leave(): Promise<void> {
  const { token } = useConsole.getState()
  set(signedOut, 'left')
  // Ignore errors: the session ends here, and on the server when it expires.
  if (token) await api('clusters.leave', {}, { token, header: 'Authorization' }).catch(() => {})
}

/** Clears a session that the server no longer accepts. */
export function expire(): void {
  if (useConsole.getState().token !== '') set(signedOut, 'expired')
}

/** Calls an operation with the console's session; clears the session if it has ended. @throws ApiError */
export async function call<N extends OperationName>(
  name: N,
  input: Input<RouteOf<N>>,
  options: Pick<CallOptions, 'signal'> = {},
): Promise<Output<RouteOf<N>>> {
  const { token } = useConsole.getState()
  try {
    return await api(name, input, { ...options, token, header: 'Authorization' })
  } catch (error) {
    const refused = error instanceof ApiError && error.kind === 'session'
    // Ignore the error if the session was replaced meanwhile.
    if (refused && token === useConsole.getState().token) expire()
    throw error
  }
}

// Another tab signed in or out.
const follow = (event: StorageEvent) => {
  if (event.key !== CONSOLE_KEY && event.key !== null) return
  const before = useConsole.getState().token
  useConsole.reread()
  const { token } = useConsole.getState()
  if (token !== before) for (const watcher of watchers) watcher(token === '' ? 'left' : undefined)
}
if (!import.meta.env.SSR) window.addEventListener('storage', follow)
