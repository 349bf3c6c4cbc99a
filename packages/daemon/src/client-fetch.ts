import { FetchFailed, type Guard, type GuardedAnswer, guardedFetch } from './guarded-fetch.ts'

/** What clients request of a node to find out how fast it answers. */
const PROBE = 'bytes=0-0'

/** Another node that passes requests on, and the token for it. */
export interface Via {
  url: string
  token: string
}

/** The address at a node that passes the request on to this one. */
export function viaAddress(address: string, { url, token }: Via): string {
  const { pathname, search } = new URL(address)
  return `${new URL(url).origin}${pathname.replace(/^\/ipfs\//, '/via/')}?token=${token}&${search.slice(1)}`
}

/** The node that should pass a request on is too busy, or does not accept the token: this says nothing about the other node. */
export class NotPassedOn extends FetchFailed {
  override name = 'NotPassedOn'
}

/** Answers that are passed on have another type than a node's own refusals. */
const isOwnRefusal = ({ status, headers }: GuardedAnswer): boolean =>
  (status === 401 || status === 503) && headers['content-type']?.startsWith('application/json') === true

/**
 * GET from a node like a client, for many requests with the same limits, directly or through another node. The function throws FetchFailed,
 * NotPassedOn, or the signal's reason if it was aborted.
 */
export const clientGet =
  ({ via, ...guard }: Omit<Guard, 'headers' | 'bare' | 'most'> & { via?: Via | undefined }) =>
  async (address: string, { range, most }: { range?: string; most: number }) => {
    const asked = via ? viaAddress(address, via) : address
    const answer = await clientFetch(asked, { ...guard, most, range })
    const { status, headers, body } = answer
    body.on('error', () => {})
    if (via && isOwnRefusal(answer)) {
      body.destroy()
      throw new NotPassedOn(`the node between answered ${status}`)
    }
    return { status, contentRange: headers['content-range'], body, discard: () => void body.destroy() }
  }

/**
 * GET from a node with the headers of the SDK in Node.js, in the same order, so that the node takes it for a client. As there, parts of a
 * file over plain HTTP have other headers than the rest.
 * @param range value of the header Range
 * @throws FetchFailed, or the signal's reason if it was aborted
 */
export function clientFetch(
  address: string | URL,
  { range, ...guard }: Omit<Guard, 'headers' | 'bare'> & { range?: string | undefined },
): Promise<GuardedAnswer> {
  const { protocol, host } = new URL(address)
  if (range === undefined) return guardedFetch(address, { ...guard, bare: 'with-connection' })
  if (protocol === 'http:' && range !== PROBE)
    return guardedFetch(address, { ...guard, bare: 'without-connection', headers: { Host: host, Range: range } })
  return guardedFetch(address, { ...guard, bare: 'with-connection', headers: { Range: range } })
}
