import {
  type Checksums,
  createChecksums,
  decodeAwsChunked,
  type Headers,
  headerOf,
  readChunkedBody,
  readExpectedChecksums,
  S3Error,
} from '@tidenet/s3-wire'
import type { Exchange } from './exchange.ts'

/** The bytes that a client sends, without their framing. */
export interface Body {
  size: number
  /**
   * The last piece comes only after all bytes have the checksums and signatures that the client sent: what stores them must not be done before.
   * Throws S3Error.
   */
  pieces: AsyncGenerator<Uint8Array, void>
  /** What the bytes were; after the last piece. */
  checksums(): Checksums
}

/** Largest object that is sent in one request, in bytes. Larger ones are sent in parts. */
export const PUT_MAX = 5 * 1024 ** 3

/**
 * @param about what a checksum in the headers belongs to: these bytes, or the object that the request completes
 * @throws S3Error MissingContentLength, EntityTooLarge, and for headers that contradict each other
 */
export async function openBody(exchange: Exchange, about: 'body' | 'object' = 'body'): Promise<Body> {
  const { headers, target, signed, caller } = exchange
  const { payload } = signed
  const isChunked = typeof payload === 'string' && payload !== 'unsigned'
  const chunked = isChunked ? readChunkedBody(headers, signed) : undefined
  const length = chunked?.decodedLength ?? lengthOf(headers)
  if (length > PUT_MAX) throw new S3Error('EntityTooLarge')
  const expected = readExpectedChecksums({
    headers,
    target,
    payload,
    isOfObject: about === 'object',
    ...(chunked && { trailerNames: chunked.trailerNames }),
  })
  const stream = await createChecksums(expected)
  const source = inTime(exchange)
  const decoded = chunked
    ? decodeAwsChunked(source, chunked, caller.signingKey)
    : { body: source, trailers: new Map<string, string>() }
  let found: Checksums | undefined
  async function* pieces() {
    let held: Uint8Array | undefined
    let size = 0
    for await (const piece of decoded.body) {
      size += piece.length
      stream.update(piece)
      if (held) yield held
      held = piece
    }
    if (size !== length) throw new S3Error('IncompleteBody')
    found = stream.finish(decoded.trailers)
    if (held) yield held
  }
  return {
    size: length,
    pieces: pieces(),
    checksums() {
      if (!found) throw new Error('the body was not read to its end')
      return found
    },
  }
}

/** A message without a length and without framing has no body. */
function lengthOf(headers: Headers): number {
  if (headers.has('transfer-encoding')) throw new S3Error('MissingContentLength')
  return Number(headerOf(headers, 'content-length') ?? 0)
}

/**
 * A client that stands still is given up. One that waits to be asked for the body is asked only now: most refusals come before. The
 * connection stays, so that the client can be told what is wrong.
 */
async function* inTime({ request, askForBody, idleTimeout }: Exchange): AsyncGenerator<Uint8Array, void> {
  askForBody()
  const pieces = request.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new S3Error('RequestTimeout')), idleTimeout)
      })
      const next = pieces.next()
      const { done, value } = await Promise.race([next, late]).finally(() => clearTimeout(timer))
      if (done) return
      yield value as Uint8Array
    }
  } catch (error) {
    if (error instanceof S3Error) throw error
    throw new S3Error('IncompleteBody', `The request ended early: ${(error as Error).message}`)
  }
}

/** The whole body of a small request. @throws S3Error MaxMessageLengthExceeded, SlowDown */
export async function readWhole(exchange: Exchange, max: number, about?: 'body' | 'object'): Promise<Buffer> {
  const body = await openBody(exchange, about)
  if (body.size > max) throw new S3Error('MaxMessageLengthExceeded')
  const held = exchange.heldBodies.add(exchange.signed.accessKeyId, body.size)
  try {
    const pieces: Uint8Array[] = []
    for await (const piece of held.pieces(body.pieces)) pieces.push(piece)
    return Buffer.concat(pieces)
  } finally {
    held.end()
  }
}
