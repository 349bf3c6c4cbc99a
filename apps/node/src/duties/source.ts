import { Readable } from 'node:stream'
import type { NodeSource } from '@tidenet/contract'

/** A source that sent wrong bytes or none, with what was wrong. */
export class BadSource extends Error {}

const FIRST_BYTE_MS = 10_000

/** A content or one of its blocks, in one representation, from a byte on. */
export interface Wanted {
  cid: string
  format?: 'inner' | 'car' | 'raw'
  start?: number
}

/**
 * Opens a download at another node. The source's URL counts by its origin and its query.
 * @throws BadSource when it does not answer with the status expected
 */
export async function fetchFrom(source: NodeSource, wanted: Wanted, signal: AbortSignal): Promise<Readable> {
  const { cid, format, start = 0 } = wanted
  const target = new URL(source.url)
  target.pathname = `/ipfs/${cid}`
  if (format) target.searchParams.set('format', format)
  const late = new AbortController()
  // Cancelling a body does not close its connection by itself.
  const over = new AbortController()
  const timer = setTimeout(() => late.abort(new BadSource('it did not answer in time')), FIRST_BYTE_MS)
  let answer: Response
  try {
    answer = await fetch(target, {
      headers: {
        // The address of an audit says all that it says to people who download; nothing else may come with it.
        ...(!target.searchParams.has('token') && { authorization: `Bearer ${source.token}` }),
        // Bytes are taken as they lie on the other disk.
        'accept-encoding': 'identity',
        ...(start > 0 && { range: `bytes=${start}-` }),
      },
      redirect: 'error',
      signal: AbortSignal.any([signal, late.signal, over.signal]),
    })
  } catch (error) {
    signal.throwIfAborted()
    throw late.signal.aborted ? late.signal.reason : new BadSource(`it cannot be reached (${reason(error)})`)
  } finally {
    clearTimeout(timer)
  }
  if (answer.status !== (start > 0 ? 206 : 200) || !answer.body) {
    over.abort()
    throw new BadSource(`it answered ${answer.status}`)
  }
  if (start > 0 && !answer.headers.get('content-range')?.startsWith(`bytes ${start}-`)) {
    over.abort()
    throw new BadSource('it sent another range than was asked for')
  }
  const body = Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0], { highWaterMark: 1 << 20 })
  body.on('error', () => {})
  body.once('close', () => over.abort())
  return body
}

/** Reads a small answer whole. Throws BadSource when it is larger than `most` bytes. */
export async function fetchWhole(
  source: NodeSource,
  wanted: Wanted,
  most: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const body = await fetchFrom(source, wanted, signal)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer)
      size += (chunk as Buffer).length
      if (size > most) throw new BadSource('it sent more than was asked for')
    }
  } finally {
    body.destroy()
  }
  return Buffer.concat(chunks)
}

function reason(error: unknown): string {
  const { cause } = error as { cause?: { code?: string } }
  return cause?.code ?? (error instanceof Error ? error.message : 'unknown')
}
