import { ApiError, api } from './api.ts'
import { readCookie, removeCookie } from './cookies.ts'
import {
  clearSession,
  currentToken,
  notifyUserChange,
  onSessionEnd,
  type UserInfo,
  useSession,
} from './session-store.ts'

/** Cookies that a site on the same domain sets when its user signs out. */
export const LOGOUT_COOKIES = ['loginout', 'loginoutend']
const LOGIN_COOKIE = 'login-token'
const LOGOUT_COOKIE_POLL_MS = 1000
/** Servers cache a session for half a second, so an ended session or a changed plan is noticed within five seconds. */
const SESSION_CHECK_MS = 4000
const START_TIMEOUT_MS = 3000

/**
 * Loads the account of a token and stores both as the session.
 * @param isAllowed whether this account may become the signed-in one
 * @throws ApiError
 */
export async function storeSession(token: string, isAllowed: (uid: string) => boolean = () => true): Promise<void> {
  const isCurrent = token === currentToken()
  const userinfo = await api('accounts.vipInfo', {}, { token })
  // The response may have rotated the stored token, or the user may have signed out meanwhile.
  const latest = isCurrent ? currentToken() : token
  if (latest === '' || !isAllowed(userinfo.uid)) return
  // Only for another account: public pages query before the session is known, and clearing the cache would leave those queries pending.
  if (userinfo.uid !== useSession.getState().address) notifyUserChange()
  useSession.setState({ token: latest, address: userinfo.uid, emailAddress: userinfo.account, userinfo })
}

/** Whether the server rejected the token; false if it did not answer. */
const isRejected = async (request: Promise<unknown>): Promise<boolean> =>
  request.then(
    () => false,
    (error: unknown) => error instanceof ApiError && error.kind === 'session',
  )

async function restoreSession(): Promise<void> {
  if (applyLogoutCookie()) return
  const token = currentToken()
  if (!token) return adoptLoginCookie('')
  const { address } = useSession.getState()
  // Keep the stored session unless the server rejects it.
  if (!(await isRejected(storeSession(token)))) return
  await adoptLoginCookie(address)
  if (token === currentToken()) clearSession('expired')
}

/**
 * Adopts the session in the cookie of another site on the same domain. Any such site can set the cookie, so it never replaces a
 * signed-in account with another one.
 * @param address account whose session has ended; empty if nobody was signed in
 */
async function adoptLoginCookie(address: string): Promise<void> {
  const cookie = readCookie(LOGIN_COOKIE)
  if (!cookie || cookie === currentToken()) return
  const before = currentToken()
  // The user may sign in by hand meanwhile.
  const isAllowed = (uid: string) => currentToken() === before && (address === '' || uid === address)
  if (await isRejected(storeSession(cookie, isAllowed))) removeCookie(LOGIN_COOKIE)
}

/**
 * Resolves when the session is restored, or after three seconds; at once for a stored account that no cookie could replace, because a
 * rejected token ends the session on any page.
 */
export let sessionReady: Promise<void> = Promise.resolve()

/** Restores the stored session and watches for its end. Call once, after the texts have loaded. */
export function startSession(): void {
  const restored = restoreSession()
  const isStored = useSession.getState().userinfo !== null && !readCookie(LOGIN_COOKIE)
  sessionReady = isStored
    ? Promise.resolve()
    : Promise.race([restored, new Promise<void>((resolve) => setTimeout(resolve, START_TIMEOUT_MS))])
  onSessionEnd(() => {
    removeCookie(LOGIN_COOKIE)
    notifyUserChange()
  })
  setInterval(applyLogoutCookie, LOGOUT_COOKIE_POLL_MS)
  setInterval(checkSession, SESSION_CHECK_MS)
  document.addEventListener('visibilitychange', checkSession)
}

let checking = false

/** Checks whether the session was ended elsewhere. Hidden pages check when they become visible. */
async function checkSession(): Promise<void> {
  if (checking || currentToken() === '' || document.visibilityState !== 'visible' || !navigator.onLine) return
  checking = true
  // api() clears the session if the token is rejected; other errors do not matter here.
  await api('accounts.vipInfo', {}).then(applyPlan, () => {})
  checking = false
}

/**
 * Stores plan and role, which operators may change while the user is signed in, and when the account will be deleted, which other tabs and
 * devices can change.
 */
export function applyPlan({
  uid,
  vip,
  role,
  closing_at: closingAt,
}: Pick<UserInfo, 'uid' | 'vip' | 'role' | 'closing_at'>): void {
  const { userinfo } = useSession.getState()
  const closing_at = closingAt ?? userinfo?.closing_at ?? ''
  const isSame = userinfo?.vip === vip && userinfo.role === role && (userinfo.closing_at ?? '') === closing_at
  if (!userinfo || userinfo.uid !== uid || isSame) return
  useSession.setState({ userinfo: { ...userinfo, vip, closing_at, ...(role && { role }) } })
}

/** Signs out if another site on the domain has set a logout cookie, and removes the cookie so that it counts once. */
function applyLogoutCookie(): boolean {
  if (!LOGOUT_COOKIES.some((name) => readCookie(name))) return false
  for (const name of [...LOGOUT_COOKIES, LOGIN_COOKIE]) removeCookie(name)
  clearSession('elsewhere')
  return true
}
