import type { Via } from './client-fetch.ts'
import { type Guard, type GuardedAnswer, guardedFetch } from './guarded-fetch.ts'

/** Most contents of one request for copies, and most bytes of its answer. */
export const COPIES_MAX = 64
export const COPIES_BYTES = 4 << 20
/** Contents up to this size are copied together. */
export const COPY_SMALL = 128 * 1024
/** Most bytes of the header of an archive, and of each block besides its content. */
export const COPY_FRAME = 64
/** In a token for passing a request on, takes the place of the CID if the request is for copies of many contents. */
export const VIA_COPIES = 'copies'

/**
 * Requests many small contents from a node, in the same way as a node that copies them, directly or through another node. The answer is an
 * archive of the contents that the node has.
 * @param tokens for copies; one for each content
 * @throws FetchFailed, or the signal's reason if it was aborted
 */
export function askForCopies(
  origin: string,
  tokens: readonly string[],
  { via, ...guard }: Omit<Guard, 'post' | 'headers' | 'bare'> & { via?: Via | undefined },
): Promise<GuardedAnswer> {
  return postForCopies(
    via ? `${new URL(via.url).origin}/via/copies?token=${via.token}` : `${new URL(origin).origin}/copies`,
    JSON.stringify({ tokens }),
    guard,
  )
}

/** The same with the body as JSON text. A node that passes the request on sends it unchanged. */
export const postForCopies = (
  address: string,
  body: string,
  guard: Omit<Guard, 'post' | 'headers' | 'bare'>,
): Promise<GuardedAnswer> =>
  guardedFetch(address, { ...guard, post: Buffer.from(body), headers: { 'content-type': 'application/json' } })
