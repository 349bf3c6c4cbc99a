import { hostnameOf, labelOf, readLabel } from '../workspaces/labels.ts'

/** What a browser says about the page that made a request. Programs cannot change these headers in the browsers of visitors. */
export interface OfPage {
  origin?: string | undefined
  referer?: string | undefined
  'sec-fetch-site'?: string | string[] | undefined
  'sec-fetch-mode'?: string | string[] | undefined
  'sec-fetch-dest'?: string | string[] | undefined
}

/**
 * Whether a page of somebody else made a request, and the visitor only has to do with it as the owner of a pass: all programs are below one
 * domain, so browsers send passes along with requests of the pages of other tenants. Links are nobody's harm; what is not a browser has no
 * pages.
 * @param domain of programs
 * @param host the host name that is asked for
 */
export function isOfStranger(
  headers: OfPage,
  method: string,
  { domain, host }: { domain: string; host: string },
): boolean {
  const isOwn = (page: string) => isSameWorkspace(page, { domain, host })
  const site = headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none') return false
  // Old browsers send it with websockets and all requests that change something.
  if (headers.origin !== undefined) return !isOwn(headers.origin)
  if (site === undefined) return false
  const isLink =
    (method === 'GET' || method === 'HEAD') &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  return !isLink && !isOwn(headers.referer ?? '')
}

/** Programs of a workspace may use each other. @param page its address */
function isSameWorkspace(page: string, { domain, host }: { domain: string; host: string }): boolean {
  const from = hostOf(page)
  if (from === undefined) return false
  if (from === host) return true
  const [one, other] = [from, host].map((name) => readLabel(labelOf(name, domain) ?? '')?.workspace)
  return one !== undefined && one === other
}

const hostOf = (page: string): string | undefined => {
  try {
    return hostnameOf(new URL(page).host)
  } catch {
    return undefined
  }
}
