import type { Via } from './client-fetch.ts'
import { type Guard, type GuardedAnswer, guardedFetch } from './guarded-fetch.ts'

/** Most contents of one request for copies, and most bytes of its answer. */
export const COPIES_MAX = 64
export const COPIES_BYTES = 4 << 20
/** Contents up to this size are copied together. */
export const COPY_SMALL = 128 * 1024
/** What a block takes in an archive besides its bytes, and the header. */
export const COPY_FRAME = 64
/** The content of a token for passing requests for copies on: that of no content. */
export const VIA_COPIES = 'copies'

/**
 * Asks a node for many small contents, as a node that copies them, directly or through another node. The answer is an archive of those that
 * the node has.
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

/** The same with a body that is complete. A node that passes it on sends the same request as one that copies. */
export const postForCopies = (
  address: string,
  body: string,
  guard: Omit<Guard, 'post' | 'headers' | 'bare'>,
): Promise<GuardedAnswer> =>
  guardedFetch(address, { ...guard, post: Buffer.from(body), headers: { 'content-type': 'application/json' } })
