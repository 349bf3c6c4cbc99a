/** Target and time of the redirect from /ext_download. */

interface Settings {
  edge_signup_url: string
  extension_store_urls: { cn: string; en: string }
}

/** Used until the portal's settings have loaded. */
export const NO_SETTINGS: Settings = {
  edge_signup_url: '/login?mode=signup',
  extension_store_urls: { cn: '/download#extension', en: '/download#extension' },
}

const REDIRECT_MS = 500
const MAX_WAIT_MS = 4000

/**
 * Mobile devices are sent to the sign-up of the edge product with the whole query, desktops to the store in their language.
 * @param search query of this page, with its `?`
 */
export function destinationOf(
  settings: Settings,
  { mobile, lang, search, origin }: { mobile: boolean; lang: 'cn' | 'en'; search: string; origin: string },
): string {
  if (!mobile) return new URL(settings.extension_store_urls[lang], origin).href
  const url = new URL(settings.edge_signup_url, origin)
  const query = search.replace(/^\?/, '')
  if (query) url.search = url.search ? `${url.search}&${query}` : `?${query}`
  return url.href
}

/** Resolves half a second after all requests have settled, after four seconds at the latest. */
export async function waitBeforeRedirect(requests: readonly Promise<unknown>[]): Promise<void> {
  await Promise.race([Promise.allSettled(requests), pause(MAX_WAIT_MS - REDIRECT_MS)])
  await pause(REDIRECT_MS)
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Phones and tablets. An iPad identifies itself as a Mac, but Macs have no touch screen. */
export function isMobile(device: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): boolean {
  return (
    /Android|iPhone|iPad|iPod|Mobile|HarmonyOS/i.test(device.userAgent) ||
    (/Macintosh/.test(device.userAgent) && device.maxTouchPoints > 1)
  )
}

/** The query of the original request; the router rewrites it. */
export function originalSearch(): string {
  const [entry] = performance.getEntriesByType('navigation')
  const url = entry && URL.parse(entry.name)
  return url?.pathname.toLowerCase() === '/ext_download' ? url.search : location.search
}
