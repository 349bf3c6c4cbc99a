import { removeCookie } from './cookies.ts'
import { LOGOUT_COOKIES, storeSession } from './session.ts'
import { useSession } from './session-store.ts'

/** Begins the session of a token that was just given to somebody. @param loginType 3 for a wallet */
export async function openSession(token: string, loginType: 0 | 3 = 0): Promise<void> {
  // A mark that was left before this sign-in says nothing about it.
  for (const mark of LOGOUT_COOKIES) removeCookie(mark)
  await storeSession(token)
  useSession.setState({ loginType })
}
