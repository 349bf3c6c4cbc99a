/**
 * Short links that this tab opened. In calls and in addresses of other pages, a name stands for the account of a short link; it opens
 * nothing without the token in the link's own address.
 */

const KEY = 'short links'

export const isShortLink = (owner: string | undefined): owner is string => owner?.startsWith('s:') === true

export const shortLinkKey = (token: string | undefined) => ['short link', token] as const

function readTokens(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}

/** The token of a link that this tab opened, by its name. */
export const tokenOfShortLink = (name: string): string | undefined => readTokens()[name]

export function rememberShortLink(name: string, token: string): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...readTokens(), [name]: token }))
  } catch {
    // Without storage, pages below the link open it again by its address only.
  }
}
