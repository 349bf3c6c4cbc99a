import { type Guard, type GuardedAnswer, guardedFetch } from './guarded-fetch.ts'

/** What clients request of a node to find out how fast it answers. */
const PROBE = 'bytes=0-0'

/** GET from a node like a client, for many requests with the same limits. */
export const clientGet =
  (guard: Omit<Guard, 'headers' | 'bare' | 'most'>) =>
  async (address: string, { range, most }: { range?: string; most: number }) => {
    const { status, headers, body } = await clientFetch(address, { ...guard, most, range })
    body.on('error', () => {})
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
