import type { Input, OperationName, Output, RouteOf } from '@tidenet/contract'
import { ApiError, api, type CallOptions } from '../../lib/api.ts'
import { createPersistedStore } from '../../lib/persisted-store.ts'

/** The console's own session. The portal's gives no entry here, nor this one there. */
interface ConsoleSession {
  /** Empty when nobody has entered. */
  token: string
  /** The wallet that the workspaces belong to. */
  account: string
  /** RFC 3339. */
  expires: string
}

const KEY = 'tidenet.workspaces'
const nobody: ConsoleSession = { token: '', account: '', expires: '' }

/** Who has entered the console, shared by all tabs. */
export const useConsole = createPersistedStore<ConsoleSession>(KEY, nobody)

const watchers = new Set<(ended: 'left' | 'expired' | undefined) => void>()

/** Told when somebody else is there: why the session ended, or nothing when another one began. */
export function onConsoleChange(watcher: (ended: 'left' | 'expired' | undefined) => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

function set(next: ConsoleSession, ended?: 'left' | 'expired'): void {
  useConsole.setState(next)
  for (const watcher of watchers) watcher(ended)
}

/**
 * Opens the console. @param password or a ticket that stands in for it, once
 * @throws ApiError
 */
export async function enter(account: string, password: string): Promise<void> {
  const { expires_at: expires, ...entered } = await api('clusters.enter', { account, password }, { token: '' })
  set({ ...entered, expires })
}

/** Ends the session of the console, here and on the server; the portal's goes on. */
export async function leave(): Promise<void> {
  const { token } = useConsole.getState()
  set(nobody, 'left')
  // Left here whatever the server answers; its own limit ends the session in the end.
  if (token) await api('clusters.leave', {}, { token, header: 'Authorization' }).catch(() => {})
}

/** The session has ended elsewhere: the server no longer takes its token. */
export function expire(): void {
  if (useConsole.getState().token !== '') set(nobody, 'expired')
}

/** Calls an operation of the console as who has entered it. @throws ApiError; a session that has ended is forgotten */
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
    // One that was replaced meanwhile says nothing about the new one.
    if (refused && token === useConsole.getState().token) expire()
    throw error
  }
}

// Another tab entered or left.
const follow = (event: StorageEvent) => {
  if (event.key !== KEY && event.key !== null) return
  const before = useConsole.getState().token
  useConsole.reread()
  const { token } = useConsole.getState()
  if (token !== before) for (const watcher of watchers) watcher(token === '' ? 'left' : undefined)
}
if (!import.meta.env.SSR) window.addEventListener('storage', follow)
