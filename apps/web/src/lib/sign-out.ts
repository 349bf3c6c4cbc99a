import { api } from './api.ts'
import { clearSession, currentToken, type SessionEnd } from './session-store.ts'

/** Ends the session in all tabs and on the server. */
export async function signOut(why: SessionEnd = 'left'): Promise<void> {
  const token = currentToken()
  clearSession(why)
  // If the server does not answer, the session expires there by itself.
  if (token) await api('accounts.logout', {}, { token }).catch(() => {})
}
