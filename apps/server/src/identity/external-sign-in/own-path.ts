import { readUrl } from '../../platform/read-url.ts'

const DUMMY_ORIGIN = 'http://portal.invalid'

/**
 * Prevents open redirects: returns path and query if `text` is a page of the portal, otherwise an empty text.
 * Browsers treat `//host` and `/\host` as other hosts, and ignore tabs and line breaks within.
 */
export function ownPath(text: string | undefined): string {
  if (!text || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return ''
  const parsed = readUrl(text, DUMMY_ORIGIN)
  if (parsed?.origin !== DUMMY_ORIGIN || parsed.username !== '') return ''
  const { pathname, search } = parsed
  // Resolving `/./` or `/x/..` can leave two slashes at the start.
  if (pathname.startsWith('//') || /^\/(api|dev|link)(\/|$)/i.test(pathname)) return ''
  return pathname + search
}
