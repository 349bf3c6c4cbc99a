import { api } from './api.ts'
import { clearSession, currentToken, type SessionEnd } from './session-store.ts'

/** Ends the session here, in every tab and on the server. */
export async function signOut(why: SessionEnd = 'left'): Promise<void> {
  const token = currentToken()
  clearSession(why)
  // Signed out here whatever the server answers; its own limit ends the session in the end.
  if (token) await api('accounts.logout', {}, { token }).catch(() => {})
}
