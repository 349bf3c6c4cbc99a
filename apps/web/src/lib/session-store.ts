import { createPersistedStore } from './persisted-store.ts'

export interface UserInfo {
  uid: string
  vip: boolean
  account: string
  /** Missing in what older visits have stored; the server says it at the next start. */
  role?: 'test' | 'user' | 'enterprise' | 'operator'
}

export interface Session {
  /** Empty when nobody is signed in. */
  token: string
  /** The uid of the account: what the console's guard asks for. */
  address: string
  emailAddress: string
  userinfo: UserInfo | null
  /** How this browser signed in: 3 by a wallet (spec 4); 0 in another way. */
  loginType: 0 | 3
}

const nobody: Session = { token: '', address: '', emailAddress: '', userinfo: null, loginType: 0 }

export const SESSION_KEY = 'tidenet.login'

/** Who is signed in, shared by all tabs through local storage. */
export const useSession = createPersistedStore<Session>(SESSION_KEY, nobody)

export const currentToken = (): string => useSession.getState().token

/** `left`: the person signed out. `expired`: the server no longer takes the token. `elsewhere`: another tab or site. */
export type SessionEnd = 'left' | 'expired' | 'elsewhere'

const listeners = new Set<(why: SessionEnd) => void>()
const watchers = new Set<() => void>()

/** Somebody else may be there now: what was loaded for one person is not the next one's. */
export function onUserChange(watcher: () => void): void {
  watchers.add(watcher)
}

export function notifyUserChange(): void {
  for (const watcher of watchers) watcher()
}

export function onSessionEnd(listener: (why: SessionEnd) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Forgets who is signed in and tells the listeners, once however many calls fail at the same time. */
export function clearSession(why: SessionEnd): void {
  if (currentToken() === '') return
  useSession.setState(nobody)
  for (const listener of listeners) listener(why)
}

/** A rotated token replaces the one it came from, unless the person signed out meanwhile. */
export function replaceToken(next: string): void {
  if (next && currentToken() !== '') useSession.setState({ token: next })
}

// Another tab signed in or out: take its state over.
const follow = (event: StorageEvent) => {
  if (event.key !== SESSION_KEY && event.key !== null) return
  const before = useSession.getState()
  useSession.reread()
  if (before.token !== '' && currentToken() === '') for (const listener of listeners) listener('elsewhere')
}
if (!import.meta.env.SSR) window.addEventListener('storage', follow)
