/**
 * Short links that this tab opened. In calls, a name stands for the account of a short link; it opens nothing without the token in the
 * link's own address.
 */

const KEY = 'short links'

export const isShortLink = (owner: string | undefined): owner is string => owner?.startsWith('s:') === true

export const shortLinkKey = (token: string | undefined) => ['short link', token] as const

/** Also without storage, until the page is loaded again. */
const opened = new Map<string, string>()

const PROOFS = 'short link proofs'

function readAll(key: string): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}

/** The token of a link that this tab opened, by its name. */
export const tokenOfShortLink = (name: string): string | undefined => opened.get(name) ?? readAll(KEY)[name]

export function rememberShortLink(name: string, token: string): void {
  opened.set(name, token)
  remember(KEY, name, token)
}

/** The proof of an e-mail address for a link, by the link's token. */
const proofOf = (token: string): string | undefined => readAll(PROOFS)[token]

/** What opens a link: with the proof of an address, if this tab has one. */
export function openingOf(token: string, password: string): { token: string; password: string; proof?: string } {
  const proof = proofOf(token)
  return { token, password, ...(proof !== undefined && { proof }) }
}

export const rememberProof = (token: string, proof: string): void => remember(PROOFS, token, proof)

function remember(key: string, name: string, value: string): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ ...readAll(key), [name]: value }))
  } catch {
    // The page of the link asks again.
  }
}
