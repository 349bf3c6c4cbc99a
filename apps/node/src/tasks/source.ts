import type { Readable } from 'node:stream'
import { firstOf } from '@tidenet/content/client-requests'
import { type NodeSource, UPLOAD_TIMEOUT_MIN } from '@tidenet/contract'
import { FetchFailed, type GuardedAnswer, guardedFetch } from '@tidenet/daemon'

/** The source sent wrong bytes or none; the message says why. */
export class BadSource extends Error {}

/** The source stopped in the middle: the same node may go on at another of its origins. */
export class BrokeOff extends BadSource {}

/** Idle timeout for the response head and between pieces of the body; then the next source is tried. */
export const SILENCE_MS = UPLOAD_TIMEOUT_MIN
/** Minimum rate of a source in bytes per second; small responses may take `LEAST_MS`. */
const SLOWEST = 16 * 1024
const LEAST_MS = 60_000
/** How long a response of so many bytes may take, in ms. */
export const timeLimit = (bytes: number): number => LEAST_MS + Math.ceil((bytes / SLOWEST) * 1000)

/** The request: a content or a block, its representation and offset. */
export interface FetchRequest {
  cid: string
  format?: 'inner' | 'car'
  start?: number
  /** Most bytes of the response. */
  most: number
}

/** Rules for requests to other nodes. */
export interface Reach {
  /** Whether private addresses are allowed. */
  privateToo: boolean
  /** The address from which the node connects. */
  localAddress?: string
}

/**
 * Opens a download at another node, at the first of its origins that answers. Size and time are limited, and the IP address is
 * checked when connecting, because the node's owner chose it.
 * @throws BadSource if it does not respond with the expected status
 */
export async function fetchFrom(
  source: NodeSource,
  request: FetchRequest,
  reach: Reach,
  signal: AbortSignal,
): Promise<Readable> {
  const { cid, format, start = 0, most } = request
  let answer: GuardedAnswer
  try {
    const ask = (origin: string, stop: AbortSignal) => {
      const target = new URL(origin)
      target.pathname = `/ipfs/${cid}`
      if (format) target.searchParams.set('format', format)
      return guardedFetch(target, {
        most,
        withinMs: timeLimit(most),
        silenceMs: SILENCE_MS,
        ...reach,
        headers: {
          authorization: `Bearer ${source.token}`,
          ...(start > 0 && { range: `bytes=${start}-` }),
        },
        signal: AbortSignal.any([signal, stop]),
      })
    }
    ;({ answer } = await firstOf([source.url, ...(source.more_urls ?? [])], ask))
  } catch (error) {
    signal.throwIfAborted()
    throw new BadSource(error instanceof FetchFailed ? error.message : 'its address is not valid')
  }
  const { status, headers, body } = answer
  body.on('error', () => {})
  if (status !== (start > 0 ? 206 : 200)) {
    body.destroy()
    throw new BadSource(`it answered ${status}`)
  }
  if (start > 0 && !headers['content-range']?.startsWith(`bytes ${start}-`)) {
    body.destroy()
    throw new BadSource('it sent another range than was asked for')
  }
  return body
}

/** Reads a small response. Throws BadSource if it is larger than `wanted.most` bytes. */
export async function fetchWhole(
  source: NodeSource,
  request: FetchRequest,
  reach: Reach,
  signal: AbortSignal,
): Promise<Buffer> {
  const body = await fetchFrom(source, request, reach, signal)
  const chunks: Buffer[] = []
  try {
    for await (const chunk of body) chunks.push(chunk as Buffer)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof FetchFailed ? new BrokeOff(error.message) : error
  } finally {
    body.destroy()
  }
  return Buffer.concat(chunks)
}
