import { FetchFailed, type GuardedAnswer, guardedFetch, isOutsideTarget } from '@tidenet/daemon'
import { failedFetch, ImportFailed } from './import-failed.ts'

/** How a source may be used. */
export interface SourceLimits {
  /** Private addresses are allowed, for development. */
  privateToo: boolean
  /** A source that sends nothing for so long is given up, ms. */
  silenceMs: number
  signal: AbortSignal
}

const REDIRECTS_MAX = 5
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]
/** For a whole answer, ms: `everyPiece` gives sources up earlier that are slow on purpose. */
const WITHIN_MS = 24 * 3_600_000
/** After this time, less than this rate in bytes per second is too slow. */
const RATE_AFTER_MS = 5 * 60_000
const RATE_MIN = 1024

/**
 * GET from an address that a stranger named. Names are resolved once and connected by the address that was checked; each redirect is checked
 * anew, and headers are not sent on to another origin.
 * @param most bytes of the body
 * @param isNamed the operator named the address, so that it may be private; what it redirects to may not
 * @throws ImportFailed
 */
export async function fetchSource(
  address: URL,
  { silenceMs, signal, ...limits }: SourceLimits,
  {
    most,
    headers = {},
    isNamed = false,
    redirectsMax = REDIRECTS_MAX,
    encodedToo = false,
  }: {
    most: number
    headers?: Record<string, string>
    isNamed?: boolean
    redirectsMax?: number
    encodedToo?: boolean
  },
): Promise<GuardedAnswer & { url: URL }> {
  let url = address
  for (let redirects = 0; ; redirects++) {
    const privateToo = limits.privateToo || (isNamed && url.origin === address.origin)
    if (!isOutsideTarget(url, { privateToo, httpToo: true }))
      throw new ImportFailed(redirects === 0 ? 'private' : 'redirects')
    const sent = url.origin === address.origin ? headers : {}
    const answer = await guardedFetch(url, {
      most,
      withinMs: WITHIN_MS,
      silenceMs,
      privateToo,
      // Services of the gateway's machine may trust what comes from there.
      othersOnly: true,
      manyNames: true,
      encodedToo,
      signal,
      headers: { 'user-agent': 'Tidenet import', ...sent },
    }).catch((error: unknown) => {
      throw failedFetch(error, false)
    })
    if (!REDIRECTS.includes(answer.status)) return { ...answer, url }
    answer.body.destroy()
    const { location } = answer.headers
    if (redirects >= redirectsMax || !location || !URL.canParse(location, url.href)) throw new ImportFailed('redirects')
    url = new URL(location, url)
  }
}

/** What a status that is not 200 means. */
export function requireFound(status: number): void {
  if (status === 200) return
  if (status === 404 || status === 410) throw new ImportFailed('missing', `status ${status}`)
  if (status >= 500 || status === 429) throw new ImportFailed('unreachable', `status ${status}`)
  throw new ImportFailed('refused', `status ${status}`)
}

/** The bytes of an answer, while they come fast enough. @throws ImportFailed */
export async function* piecesOf(body: GuardedAnswer['body']): AsyncGenerator<Uint8Array, void> {
  const began = performance.now()
  let received = 0
  try {
    for await (const piece of body) {
      received += (piece as Buffer).length
      const ms = performance.now() - began
      if (ms > RATE_AFTER_MS && received < (RATE_MIN * ms) / 1000) throw new ImportFailed('slow')
      yield piece as Buffer
    }
  } catch (error) {
    throw error instanceof FetchFailed ? failedFetch(error, true) : error
  } finally {
    body.destroy()
  }
}
