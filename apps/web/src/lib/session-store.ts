import { createPersistedStore } from './persisted-store.ts'

export interface UserInfo {
  uid: string
  vip: boolean
  account: string
  /** RFC 3339: from when the account is deleted; empty or missing: it is not. */
  closing_at?: string
  /** Missing in sessions stored by older versions; set at the next start. */
  role?: 'test' | 'user' | 'enterprise' | 'agent' | 'operator'
}

export interface Session {
  /** Empty when nobody is signed in. */
  token: string
  /** The uid of the account; the route guard of the console checks it. */
  address: string
  emailAddress: string
  userinfo: UserInfo | null
  /** 3: signed in with a wallet (spec 4); 0: any other way. */
  loginType: 0 | 3
}

const signedOut: Session = { token: '', address: '', emailAddress: '', userinfo: null, loginType: 0 }

export const SESSION_KEY = 'tidenet.login'

/** Who is signed in, shared by all tabs through local storage. */
export const useSession = createPersistedStore<Session>(SESSION_KEY, signedOut)

export const currentToken = (): string => useSession.getState().token

/** `left`: the user signed out. `expired`: the server rejected the token. `elsewhere`: ended by another tab or site. */
export type SessionEnd = 'left' | 'expired' | 'elsewhere'

const listeners = new Set<(why: SessionEnd) => void>()
const userListeners = new Set<() => void>()

/** Calls the listener when another user may be signed in: data loaded for the previous user must be dropped. */
export function onUserChange(listener: () => void): void {
  userListeners.add(listener)
}

export function notifyUserChange(): void {
  for (const listener of userListeners) listener()
}

export function onSessionEnd(listener: (why: SessionEnd) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Clears the session and notifies the listeners, once even if several calls fail at the same time. */
export function clearSession(why: SessionEnd): void {
  if (currentToken() === '') return
  useSession.setState(signedOut)
  for (const listener of listeners) listener(why)
}

/** Stores a rotated token, unless the user has signed out meanwhile. */
export function replaceToken(next: string): void {
  if (next && currentToken() !== '') useSession.setState({ token: next })
}

// Another tab signed in or out.
const syncWithTabs = (event: StorageEvent) => {
  if (event.key !== SESSION_KEY && event.key !== null) return
  const before = useSession.getState()
  useSession.reread()
  if (before.token !== '' && currentToken() === '') for (const listener of listeners) listener('elsewhere')
}
if (!import.meta.env.SSR) window.addEventListener('storage', syncWithTabs)
