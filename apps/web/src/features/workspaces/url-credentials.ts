/** Credentials read from the URL, kept in memory until the login page uses them; the URL no longer contains them. */
export interface UrlCredentials {
  account: string
  /** Opens the console without user action, once. */
  consoleToken: string
  /** Only prefills the form: a link of someone else must not sign anyone in. */
  password: string
}

const TOKEN_PREFIX = 'tnt_'
let stored: UrlCredentials | undefined

/** Reads account and console token or password from the URL. @returns whether the URL contains credentials, which must be removed */
export function storeUrlCredentials(search: string): boolean {
  const params = new URLSearchParams(search)
  const account = params.get('account') ?? ''
  const secret = params.get('ticket') ?? params.get('password') ?? ''
  if (account === '' && secret === '') return false
  const isToken = secret.startsWith(TOKEN_PREFIX)
  stored = { account, consoleToken: isToken ? secret : '', password: isToken ? '' : secret }
  return true
}

/** The stored credentials. */
export const urlCredentials = (): UrlCredentials | undefined => stored

export function clearUrlCredentials(): void {
  stored = undefined
}
