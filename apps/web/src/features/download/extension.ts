/** Where /ext_download leads, and when. */

interface Settings {
  edge_signup_url: string
  extension_store_urls: { cn: string; en: string }
}

/** While the portal's settings are not there. */
export const NO_SETTINGS: Settings = {
  edge_signup_url: '/login?mode=signup',
  extension_store_urls: { cn: '/download#extension', en: '/download#extension' },
}

const REDIRECT_MS = 500
const LONGEST_MS = 4000

/**
 * Mobile devices go to the sign-up of the edge product and take the whole query along; desktops to the store in their language.
 * @param search of this page, with its `?`
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

/** Half a second after all of this has come or failed, four seconds after the call at the latest. */
export async function timeToLeave(awaited: readonly Promise<unknown>[]): Promise<void> {
  await Promise.race([Promise.allSettled(awaited), pause(LONGEST_MS - REDIRECT_MS)])
  await pause(REDIRECT_MS)
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Phones and tablets; an iPad says that it is a Mac, but a Mac is not touched. */
export function isMobile(device: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): boolean {
  return (
    /Android|iPhone|iPad|iPod|Mobile|HarmonyOS/i.test(device.userAgent) ||
    (/Macintosh/.test(device.userAgent) && device.maxTouchPoints > 1)
  )
}

/** The query as it was asked for: the router writes it in its own way. */
export function askedSearch(): string {
  const [entry] = performance.getEntriesByType('navigation')
  const asked = entry && URL.parse(entry.name)
  return asked?.pathname.toLowerCase() === '/ext_download' ? asked.search : location.search
}
