import type { Readable } from 'node:stream'
import type { NodeSource } from '@tidenet/contract'
import { FetchFailed, type GuardedAnswer, guardedFetch } from '@tidenet/daemon'

/** A source that sent wrong bytes or none, with what was wrong. */
export class BadSource extends Error {}

/** The head of the answer, and every next piece of its body, comes within this. */
const SILENCE_MS = 15_000
/** A source that sends more slowly than this, in bytes a second, is left for another; a small answer may take `LEAST_MS`. */
const SLOWEST = 16 * 1024
const LEAST_MS = 60_000

/** A content or one of its blocks, in one representation, from a byte on. */
export interface Wanted {
  cid: string
  format?: 'inner' | 'car' | 'raw'
  start?: number
  /** Bytes that the answer has at most. */
  most: number
}

/** How other nodes may be called. */
export interface Reach {
  /** Whether they may live at private addresses. */
  privateToo: boolean
}

/**
 * Opens a download at another node. The source's URL counts by its origin and its query. What comes is bounded in bytes and in time, and the address is
 * looked at when it is connected to: its owner chose it.
 * @throws BadSource when it does not answer with the status expected
 */
export async function fetchFrom(
  source: NodeSource,
  wanted: Wanted,
  reach: Reach,
  signal: AbortSignal,
): Promise<Readable> {
  const { cid, format, start = 0, most } = wanted
  let answer: GuardedAnswer
  try {
    const target = new URL(source.url)
    target.pathname = `/ipfs/${cid}`
    if (format) target.searchParams.set('format', format)
    answer = await guardedFetch(target, {
      most,
      withinMs: LEAST_MS + Math.ceil((most / SLOWEST) * 1000),
      silenceMs: SILENCE_MS,
      privateToo: reach.privateToo,
      headers: {
        // The address of an audit says all that it says to people who download; nothing else may come with it.
        ...(!target.searchParams.has('token') && { authorization: `Bearer ${source.token}` }),
        ...(start > 0 && { range: `bytes=${start}-` }),
      },
      signal,
    })
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

/** Reads a small answer whole. Throws BadSource when it is larger than `wanted.most` bytes. */
export async function fetchWhole(
  source: NodeSource,
  wanted: Wanted,
  reach: Reach,
  signal: AbortSignal,
): Promise<Buffer> {
  const body = await fetchFrom(source, wanted, reach, signal)
  const chunks: Buffer[] = []
  try {
    for await (const chunk of body) chunks.push(chunk as Buffer)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof FetchFailed ? new BadSource(error.message) : error
  } finally {
    body.destroy()
  }
  return Buffer.concat(chunks)
}
