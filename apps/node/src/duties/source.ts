import { Readable } from 'node:stream'
import type { NodeSource } from '@tidenet/contract'

/** A source that sent wrong bytes or none, with what was wrong. */
export class BadSource extends Error {}

const FIRST_BYTE_MS = 10_000

/**
 * Opens a download at another node.
 * @param address of the source, or of a block of the same content
 * @throws BadSource when it does not answer with the status expected
 */
export async function fetchFrom(
  source: NodeSource,
  address: { url?: string; query?: Record<string, string>; start?: number },
  signal: AbortSignal,
): Promise<{ body: Readable; size: number | undefined }> {
  const { url = source.url, query = {}, start = 0 } = address
  const target = new URL(url)
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value)
  const late = new AbortController()
  // Cancelling a body does not close its connection by itself.
  const over = new AbortController()
  const timer = setTimeout(() => late.abort(new BadSource('it did not answer in time')), FIRST_BYTE_MS)
  let answer: Response
  try {
    answer = await fetch(target, {
      headers: {
        authorization: `Bearer ${source.token}`,
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
  const length = answer.headers.get('content-length')
  const body = Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0], { highWaterMark: 1 << 20 })
  body.on('error', () => {})
  body.once('close', () => over.abort())
  return { body, size: length === null ? undefined : Number(length) }
}

/** Reads a small answer whole. Throws BadSource when it is larger than `most` bytes. */
export async function fetchWhole(
  source: NodeSource,
  address: { url?: string; query?: Record<string, string> },
  most: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const { body } = await fetchFrom(source, address, signal)
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
