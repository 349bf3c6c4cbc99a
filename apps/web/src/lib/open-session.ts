import { removeCookie } from './cookies.ts'
import { LOGOUT_COOKIES, storeSession } from './session.ts'
import { useSession } from './session-store.ts'

/** Starts the session of a new token. @param loginType 3 for a wallet */
export async function openSession(token: string, loginType: 0 | 3 = 0): Promise<void> {
  // A logout cookie from before this sign-in must not end the new session.
  for (const name of LOGOUT_COOKIES) removeCookie(name)
  await storeSession(token)
  useSession.setState({ loginType })
}
