import { ApiError, api } from './api.ts'
import { readCookie, removeCookie } from './cookies.ts'
import { clearSession, currentToken, notifyUserChange, onSessionEnd, useSession } from './session-store.ts'

/** Cookies by which a neighbouring site of the same domain says that its person has signed out. */
export const LOGOUT_COOKIES = ['loginout', 'loginoutend']
const LOGIN_COOKIE = 'login-token'
const POLL_MS = 1000
/** With the half second that a server believes a session: one that was ended elsewhere is left within five seconds. */
const STANDS_MS = 4000
const BOOT_LIMIT_MS = 3000

/**
 * Asks who a token belongs to and keeps both.
 * @param may whether an account may take the place of who is signed in
 * @throws ApiError
 */
export async function storeSession(token: string, may: (uid: string) => boolean = () => true): Promise<void> {
  const known = token === currentToken()
  const userinfo = await api('accounts.vipInfo', {}, { token })
  // The answer may have rotated a stored token; and who signed out meanwhile stays signed out.
  const latest = known ? currentToken() : token
  if (latest === '' || !may(userinfo.uid)) return
  // Pages that anyone may see ask before this is known: whose questions are forgotten waits for ever.
  if (userinfo.uid !== useSession.getState().address) notifyUserChange()
  useSession.setState({ token: latest, address: userinfo.uid, emailAddress: userinfo.account, userinfo })
}

/** Whether the server says no to something; without its answer nothing is known. */
const refusedBy = async (asking: Promise<unknown>): Promise<boolean> =>
  asking.then(
    () => false,
    (error: unknown) => error instanceof ApiError && error.kind === 'session',
  )

async function boot(): Promise<void> {
  if (leaveWhenMarked()) return
  const token = currentToken()
  if (!token) return takeCookie('')
  const { address } = useSession.getState()
  // Without an answer the stored session stands; only the server's no ends it.
  if (!(await refusedBy(storeSession(token)))) return
  await takeCookie(address)
  if (token === currentToken()) clearSession('expired')
}

/**
 * Takes up the session that a neighbouring site has left in its cookie. Any of them can set one: it opens a session where there is none, and
 * never puts another account in the place of who is signed in.
 * @param address of the account whose session has ended; empty: nobody was signed in
 */
async function takeCookie(address: string): Promise<void> {
  const cookie = readCookie(LOGIN_COOKIE)
  if (!cookie || cookie === currentToken()) return
  const before = currentToken()
  // Somebody may sign in by hand meanwhile.
  const may = (uid: string) => currentToken() === before && (address === '' || uid === address)
  if (await refusedBy(storeSession(cookie, may))) removeCookie(LOGIN_COOKIE)
}

/** Resolves when it is known who is signed in, after three seconds at the latest. */
export let sessionReady: Promise<void> = Promise.resolve()

/** Takes up the session of the last visit and watches for its end. Called once, when the texts are there. */
export function startSession(): void {
  sessionReady = Promise.race([boot(), new Promise<void>((resolve) => setTimeout(resolve, BOOT_LIMIT_MS))])
  onSessionEnd(() => {
    removeCookie(LOGIN_COOKIE)
    notifyUserChange()
  })
  setInterval(leaveWhenMarked, POLL_MS)
  setInterval(leaveWhenEnded, STANDS_MS)
  document.addEventListener('visibilitychange', leaveWhenEnded)
}

let asking = false

/** Asks whether the session still stands: the owner may have ended it from elsewhere. A page that nobody looks at asks when it is looked at. */
async function leaveWhenEnded(): Promise<void> {
  if (asking || currentToken() === '' || document.visibilityState !== 'visible' || !navigator.onLine) return
  asking = true
  // What is refused ends the session here; nothing else matters.
  await api('accounts.vipInfo', {}).catch(() => {})
  asking = false
}

/** Signs out here when a neighbouring site says so; its mark is taken away, so that it counts once. */
function leaveWhenMarked(): boolean {
  if (!LOGOUT_COOKIES.some((mark) => readCookie(mark))) return false
  for (const mark of [...LOGOUT_COOKIES, LOGIN_COOKIE]) removeCookie(mark)
  clearSession('elsewhere')
  return true
}
