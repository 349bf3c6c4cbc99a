import { readUrl } from '../../platform/read-url.ts'

const NOWHERE = 'http://portal.invalid'

/**
 * An address of the portal itself, as it may be gone on to after a sign-in; empty for any other text, and for what is no page.
 * `//host` and `/\host` lead elsewhere, also with a tab or line break within, which browsers leave out.
 */
export function ownPath(text: string | undefined): string {
  if (!text || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return ''
  const parsed = readUrl(text, NOWHERE)
  if (parsed?.origin !== NOWHERE || parsed.username !== '') return ''
  const { pathname, search } = parsed
  // `/./` and `/x/..` may have left two slashes at the beginning.
  if (pathname.startsWith('//') || /^\/(api|dev|link)(\/|$)/i.test(pathname)) return ''
  return pathname + search
}
