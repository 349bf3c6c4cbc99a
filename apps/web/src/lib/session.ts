import { ApiError, api } from './api.ts'
import { readCookie, removeCookie } from './cookies.ts'
import { currentToken, forgetSession, onSessionEnd, personChanged, useSession } from './session-store.ts'

/** Cookies by which a neighbouring site of the same domain says that its person has signed out. */
const LOGOUT_MARKS = ['loginout', 'loginoutend']
const LOGIN_COOKIE = 'login-token'
const POLL_MS = 1000
const BOOT_LIMIT_MS = 3000

/** Begins the session of a token that was just given for a password or a code. */
export async function openSession(token: string): Promise<void> {
  // A mark that was left before this sign-in says nothing about it.
  for (const mark of LOGOUT_MARKS) removeCookie(mark)
  await keepSession(token)
}

/** Asks who a token belongs to and keeps both. */
async function keepSession(token: string): Promise<void> {
  const known = token === currentToken()
  const userinfo = await api('accounts.vipInfo', {}, { token })
  // The answer may have rotated a stored token; and who signed out meanwhile stays signed out.
  const latest = known ? currentToken() : token
  if (latest === '') return
  // Pages that anyone may see ask before this is known: whose questions are forgotten waits for ever.
  if (userinfo.uid !== useSession.getState().address) personChanged()
  useSession.setState({ token: latest, address: userinfo.uid, emailAddress: userinfo.account, userinfo })
}

async function boot(): Promise<void> {
  if (leaveWhenMarked()) return
  const cookie = readCookie(LOGIN_COOKIE)
  const token = cookie ?? currentToken()
  if (!token) return
  try {
    await keepSession(token)
  } catch (error) {
    // Without an answer the stored session stands; only the server's no ends it.
    if (!(error instanceof ApiError) || error.kind !== 'session') return
    if (cookie) removeCookie(LOGIN_COOKIE)
    if (token === currentToken()) forgetSession('expired')
  }
}

/** Resolves when it is known who is signed in, after three seconds at the latest. */
export let sessionReady: Promise<void> = Promise.resolve()

/** Takes up the session of the last visit and watches for its end. Called once, when the texts are there. */
export function startSession(): void {
  sessionReady = Promise.race([boot(), new Promise<void>((resolve) => setTimeout(resolve, BOOT_LIMIT_MS))])
  onSessionEnd(() => {
    removeCookie(LOGIN_COOKIE)
    personChanged()
  })
  setInterval(leaveWhenMarked, POLL_MS)
}

/** Signs out here when a neighbouring site says so; its mark is taken away, so that it counts once. */
function leaveWhenMarked(): boolean {
  if (!LOGOUT_MARKS.some((mark) => readCookie(mark))) return false
  for (const mark of [...LOGOUT_MARKS, LOGIN_COOKIE]) removeCookie(mark)
  forgetSession('elsewhere')
  return true
}

/** Ends the session here, in every tab and on the server. */
export async function signOut(): Promise<void> {
  const token = currentToken()
  forgetSession('left')
  // Signed out here whatever the server answers; its own limit ends the session in the end.
  if (token) await api('accounts.logout', {}, { token }).catch(() => {})
}
