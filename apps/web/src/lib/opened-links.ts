/**
 * Short links that this tab opened. In calls, a name stands for the account of a short link; it opens nothing without the token in the
 * link's own address.
 */

const KEY = 'short links'

export const isShortLink = (owner: string | undefined): owner is string => owner?.startsWith('s:') === true

export const shortLinkKey = (token: string | undefined) => ['short link', token] as const

/** Also without storage, until the page is loaded again. */
const opened = new Map<string, string>()

function readTokens(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}

/** The token of a link that this tab opened, by its name. */
export const tokenOfShortLink = (name: string): string | undefined => opened.get(name) ?? readTokens()[name]

export function rememberShortLink(name: string, token: string): void {
  opened.set(name, token)
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...readTokens(), [name]: token }))
  } catch {
    // The page of the link remembers it again.
  }
}
