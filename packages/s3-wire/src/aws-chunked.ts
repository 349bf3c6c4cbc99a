import { createHash, type Hash, timingSafeEqual } from 'node:crypto'
import { S3Error } from './errors.ts'
import { type Headers, headerOf } from './request.ts'
import { type SignedRequest, scopeOf, sign } from './signature.ts'

/** Chunks up to this size are passed on only after their signature was verified; their bytes wait in memory. */
export const HELD_BYTES_MAX = 1024 * 1024
/** Of all chunks but the last one, as in S3: each costs a signature. Unsigned chunks can be smaller. */
export const SIGNED_CHUNK_BYTES_MIN = 8192
// 13 digits are below 2^53.
const SIGNED_HEADER = /^([0-9a-fA-F]{1,13});chunk-signature=([0-9a-f]{64})$/
const UNSIGNED_HEADER = /^([0-9a-f]{1,13})$/i
const LINE_BYTES_MAX = 1024
const EMPTY_SHA256 = createHash('sha256').digest('hex')
const LF = 0x0a
const CR = 0x0d
/** Some clients end the trailers with one line end too many. */
const BYTES_AFTER_END_MAX = 2

/** How the body of a signed request is framed. */
export interface ChunkedBody {
  request: Pick<SignedRequest, 'amzDate' | 'date' | 'payload' | 'region' | 'service' | 'signature'>
  /** Bytes of the whole body without framing; it must have exactly as many. */
  decodedLength: number
  /** Lower-case names that the header x-amz-trailer announced: each must come, and no other. */
  trailerNames: readonly string[]
}

/**
 * Reads how a streamed body is framed.
 * @param request its payload is one of the streaming ones
 * @throws S3Error MissingContentLength without x-amz-decoded-content-length, InvalidRequest if trailers do not fit the payload
 */
export function readChunkedBody(headers: Headers, request: SignedRequest): ChunkedBody {
  const length = headerOf(headers, 'x-amz-decoded-content-length')
  if (length === undefined) throw new S3Error('MissingContentLength')
  if (!/^\d{1,15}$/.test(length)) throw new S3Error('InvalidArgument', 'x-amz-decoded-content-length is not a number.')
  const names = (headerOf(headers, 'x-amz-trailer') ?? '').split(',').map((name) => name.trim().toLowerCase())
  const trailerNames = names.filter((name) => name !== '')
  const isUseful = trailerNames.every((name) => /^x-amz-checksum-[a-z0-9]{1,20}$/.test(name))
  const isUnique = new Set(trailerNames).size === trailerNames.length
  if (!isUseful || !isUnique || (trailerNames.length > 0 && request.payload === 'streaming-signed'))
    throw new S3Error('InvalidRequest', 'The value of the header x-amz-trailer is not supported.')
  return { request, decodedLength: Number(length), trailerNames }
}

type State = 'header' | 'data' | 'data-end' | 'trailers' | 'end'

/**
 * Removes the framing of a body in aws-chunked encoding, of signed and unsigned chunks, with and without trailers. It holds at most
 * `HELD_BYTES_MAX` and passes on at most one piece for each that came.
 *
 * Of a chunk that is larger, pieces are passed on before its signature is known, but never its end: whoever stores the bytes must not make
 * them visible before `body` has ended without an error.
 */
export function decodeAwsChunked(
  source: AsyncIterable<Uint8Array>,
  chunked: ChunkedBody,
  signingKey: Uint8Array,
): {
  /** @throws S3Error IncompleteBody, SignatureDoesNotMatch, InvalidChunkSizeError, MalformedTrailerError */
  body: AsyncGenerator<Buffer, void, undefined>
  /** By lower-case name; complete when `body` has ended. */
  trailers: ReadonlyMap<string, string>
} {
  const decoder = new Decoder(chunked, signingKey)
  async function* body() {
    for await (const part of source) {
      const pieces = decoder.push(Buffer.from(part.buffer, part.byteOffset, part.byteLength))
      if (pieces.length > 0) yield pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
    }
    decoder.finish()
  }
  return { body: body(), trailers: decoder.trailers }
}

class Decoder {
  readonly trailers = new Map<string, string>()
  readonly #chunked: ChunkedBody
  readonly #signingKey: Uint8Array
  readonly #isSigned: boolean
  #state: State = 'header'
  /** The line that is being read, without its end. */
  #line = ''
  /** Bytes of the current chunk that are missing. */
  #left = 0
  /** Bytes of all chunks so far. */
  #decoded = 0
  /** The previous signed chunk was so small that it must have been the last. */
  #wasSmall = false
  /** Of the current chunk; it and the previous one are compared and chained. */
  #signature = ''
  #previousSignature: string
  #hash: Hash | undefined
  #held: Buffer | undefined
  #heldLength = 0
  #trailerText = ''
  #isTrailerVerified = false
  #emptyLines = 0
  #bytesAfterEnd = 0

  constructor(chunked: ChunkedBody, signingKey: Uint8Array) {
    this.#chunked = chunked
    this.#signingKey = signingKey
    this.#isSigned = chunked.request.payload !== 'streaming-unsigned-trailer'
    this.#previousSignature = chunked.request.signature
  }

  push(part: Buffer): Buffer[] {
    const pieces: Buffer[] = []
    for (let at = 0; at < part.length; ) {
      if (this.#state === 'data') {
        const data = part.subarray(at, at + this.#left)
        at += data.length
        this.#left -= data.length
        this.#addData(data, pieces)
        continue
      }
      if (this.#state === 'end') {
        const byte = part[at++]
        if ((byte !== CR && byte !== LF) || ++this.#bytesAfterEnd > BYTES_AFTER_END_MAX)
          throw new S3Error('IncompleteBody')
        continue
      }
      const end = part.indexOf(LF, at)
      const text = part.toString('latin1', at, end < 0 ? part.length : end)
      this.#line += text
      if (this.#line.length > LINE_BYTES_MAX) throw this.#malformed()
      if (end < 0) break
      at = end + 1
      const line = this.#line
      this.#line = ''
      this.#readLine(line)
    }
    return pieces
  }

  /** The source ended. */
  finish(): void {
    if (this.#state !== 'end') throw new S3Error('IncompleteBody')
  }

  #malformed(): S3Error {
    if (this.#state === 'trailers') return new S3Error('MalformedTrailerError')
    return new S3Error('IncompleteBody', 'A chunk of the body is malformed.')
  }

  #readLine(line: string): void {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    if (this.#state === 'trailers') {
      this.#readTrailer(text)
      return
    }
    if (text === line) throw this.#malformed()
    if (this.#state === 'header') {
      this.#readHeader(text)
      return
    }
    if (text !== '') throw this.#malformed()
    this.#state = 'header'
  }

  #readHeader(header: string): void {
    const [, hex, signature] = (this.#isSigned ? SIGNED_HEADER : UNSIGNED_HEADER).exec(header) ?? []
    if (hex === undefined) throw this.#malformed()
    const size = Number.parseInt(hex, 16)
    if (size > this.#chunked.decodedLength - this.#decoded) throw new S3Error('IncompleteBody')
    if (this.#isSigned && size > 0) {
      if (this.#wasSmall) throw new S3Error('InvalidChunkSizeError')
      this.#wasSmall = size < SIGNED_CHUNK_BYTES_MIN
    }
    this.#decoded += size
    this.#left = size
    this.#signature = signature ?? ''
    this.#hash = this.#isSigned ? createHash('sha256') : undefined
    if (size > 0) {
      this.#state = 'data'
      return
    }
    this.#verifyChunk()
    if (this.#decoded !== this.#chunked.decodedLength) throw new S3Error('IncompleteBody')
    this.#state = 'trailers'
  }

  #addData(data: Buffer, pieces: Buffer[]): void {
    if (this.#hash === undefined) pieces.push(data)
    else {
      this.#hash.update(data)
      this.#hold(data, pieces)
    }
    if (this.#left > 0) return
    this.#verifyChunk()
    if (this.#held) pieces.push(this.#held.subarray(0, this.#heldLength))
    this.#held = undefined
    this.#state = 'data-end'
  }

  /** Copies, because small parts would each keep a whole network buffer in memory. */
  #hold(data: Buffer, pieces: Buffer[]): void {
    for (let at = 0; at < data.length; ) {
      if (this.#held !== undefined && this.#heldLength === this.#held.length) {
        pieces.push(this.#held)
        this.#held = undefined
      }
      if (this.#held === undefined) {
        const missing = this.#left + data.length - at
        this.#held = Buffer.allocUnsafeSlow(Math.min(missing, HELD_BYTES_MAX))
        this.#heldLength = 0
      }
      const copied = data.copy(this.#held, this.#heldLength, at)
      this.#heldLength += copied
      at += copied
    }
  }

  #verifyChunk(): void {
    if (!this.#hash) return
    const content = `${EMPTY_SHA256}\n${this.#hash.digest('hex')}`
    this.#requireSignature('AWS4-HMAC-SHA256-PAYLOAD', content, this.#signature)
  }

  /** `name:value`, in the form that the signature of the trailers covers, or the end of them. */
  #readTrailer(line: string): void {
    const mustBeSigned = this.#chunked.request.payload === 'streaming-signed-trailer'
    if (line === '') {
      // minio-go writes an empty line before the signature, too.
      if (mustBeSigned && !this.#isTrailerVerified && ++this.#emptyLines === 1) return
      const isComplete = this.trailers.size === this.#chunked.trailerNames.length
      if (!isComplete || (mustBeSigned && !this.#isTrailerVerified)) throw this.#malformed()
      this.#state = 'end'
      return
    }
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (this.#isTrailerVerified) throw this.#malformed()
    if (mustBeSigned && name === 'x-amz-trailer-signature') {
      if (!/^[0-9a-f]{64}$/.test(value)) throw this.#malformed()
      const content = createHash('sha256').update(this.#trailerText, 'latin1').digest('hex')
      this.#requireSignature('AWS4-HMAC-SHA256-TRAILER', content, value)
      this.#isTrailerVerified = true
      return
    }
    if (!this.#chunked.trailerNames.includes(name) || this.trailers.has(name)) throw this.#malformed()
    this.trailers.set(name, value)
    this.#trailerText += `${name}:${value}\n`
  }

  #requireSignature(algorithm: string, content: string, signature: string): void {
    const { request } = this.#chunked
    const text = [algorithm, request.amzDate, scopeOf(request), this.#previousSignature, content].join('\n')
    const expected = sign(this.#signingKey, text)
    if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) throw new S3Error('SignatureDoesNotMatch')
    this.#previousSignature = expected
  }
}
