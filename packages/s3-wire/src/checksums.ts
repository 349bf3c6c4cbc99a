import { createHash } from 'node:crypto'
import { CHECKSUM_ALGORITHMS, type ChecksumAlgorithm, createDigest, DIGEST_BYTES, type Digest } from './digests.ts'
import { S3Error } from './errors.ts'
import { type Headers, headerOf, type Target } from './request.ts'
import type { Payload } from './signature.ts'

/** What a client says about the bytes it sends. */
export interface ExpectedChecksums {
  /** Content-MD5, hexadecimal. */
  md5?: string
  /** x-amz-content-sha256, hexadecimal. */
  sha256?: string
  checksum?: {
    algorithm: ChecksumAlgorithm
    /** Base64; undefined if it comes in a trailer, or if the client wants to be told. */
    value?: string
    isInTrailer: boolean
    /** From the query of a presigned request, which can be made before anybody knows the bytes. */
    isPresigned: boolean
  }
}

/** What the bytes were. */
export interface Checksums {
  length: number
  /** Hexadecimal; the ETag of an object that came in one request. */
  md5: string
  /** To store, and to return as `x-amz-checksum-<algorithm>`; base64. */
  checksum?: { algorithm: ChecksumAlgorithm; value: string }
}

export const checksumHeader = (algorithm: ChecksumAlgorithm) => `x-amz-checksum-${algorithm.toLowerCase()}`

/** @throws S3Error InvalidRequest */
export function readAlgorithm(name: string): ChecksumAlgorithm {
  const found = CHECKSUM_ALGORITHMS.find((algorithm) => algorithm === name.toUpperCase())
  if (!found) throw new S3Error('InvalidRequest', `The checksum algorithm ${name} is not supported.`)
  return found
}

/** Whether a text is the base64 form of this many bytes, and the only form. */
function isBase64Of(value: string, length: number): boolean {
  const bytes = Buffer.from(value, 'base64')
  return bytes.length === length && bytes.toString('base64') === value
}

/** @throws S3Error InvalidRequest */
export function requireChecksumValue(algorithm: ChecksumAlgorithm, value: string): void {
  if (!isBase64Of(value, DIGEST_BYTES[algorithm]))
    throw new S3Error('InvalidRequest', `Value for ${checksumHeader(algorithm)} is invalid.`)
}

/**
 * Reads what headers, query and announced trailers say about the body of the request.
 * @param request `isOfObject`: the request is CompleteMultipartUpload, whose checksum is that of the object: see `readObjectChecksum`
 * @throws S3Error InvalidDigest, InvalidRequest for several checksums, or values that cannot be any, NotImplemented for unknown algorithms
 */
export function readExpectedChecksums(request: {
  headers: Headers
  target: Target
  payload: Payload
  trailerNames?: readonly string[]
  isOfObject?: boolean
}): ExpectedChecksums {
  const { headers, target, payload, trailerNames = [], isOfObject = false } = request
  requireKnownChecksums([...headers.keys(), ...target.query.map(([name]) => name.toLowerCase()), ...trailerNames])
  const expected: ExpectedChecksums = {}
  const md5 = headerOf(headers, 'content-md5')
  if (md5 !== undefined) {
    if (!isBase64Of(md5, 16)) throw new S3Error('InvalidDigest')
    expected.md5 = Buffer.from(md5, 'base64').toString('hex')
  }
  if (typeof payload === 'object') expected.sha256 = payload.sha256

  if (isOfObject) return expected

  // Presigned requests can have any header in their query, in lower or in mixed case.
  const parameter = (name: string) => target.query.find(([known]) => known.toLowerCase() === name)?.[1]
  const found = CHECKSUM_ALGORITHMS.flatMap((algorithm) => {
    const name = checksumHeader(algorithm)
    const [header, presigned] = [headerOf(headers, name), parameter(name)]
    return [
      ...(header === undefined ? [] : [{ algorithm, value: header, isInTrailer: false, isPresigned: false }]),
      ...(presigned === undefined ? [] : [{ algorithm, value: presigned, isInTrailer: false, isPresigned: true }]),
      ...(trailerNames.includes(name) ? [{ algorithm, isInTrailer: true, isPresigned: false }] : []),
    ]
  })
  if (found.length > 1)
    throw new S3Error(
      'InvalidRequest',
      'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    )
  const [checksum] = found
  if (checksum?.value !== undefined) requireChecksumValue(checksum.algorithm, checksum.value)
  const named =
    headerOf(headers, 'x-amz-sdk-checksum-algorithm') ??
    headerOf(headers, 'x-amz-checksum-algorithm') ??
    parameter('x-amz-sdk-checksum-algorithm')
  if (named === undefined) return checksum ? { ...expected, checksum } : expected
  const algorithm = readAlgorithm(named)
  if (checksum && checksum.algorithm !== algorithm)
    throw new S3Error('InvalidRequest', 'The checksum is of another algorithm than x-amz-sdk-checksum-algorithm names.')
  return { ...expected, checksum: checksum ?? { algorithm, isInTrailer: false, isPresigned: false } }
}

/** Headers about checksums that do not contain one. */
const ABOUT_CHECKSUMS = ['x-amz-checksum-algorithm', 'x-amz-checksum-mode', 'x-amz-checksum-type']

/** A client must not believe that a checksum was compared which we do not know. @throws S3Error NotImplemented */
function requireKnownChecksums(names: readonly string[]): void {
  const unknown = names.find(
    (name) =>
      name.startsWith('x-amz-checksum-') &&
      !ABOUT_CHECKSUMS.includes(name) &&
      !CHECKSUM_ALGORITHMS.some((algorithm) => checksumHeader(algorithm) === name),
  )
  if (unknown !== undefined)
    throw new S3Error('NotImplemented', `${unknown} is not supported. Use one of ${CHECKSUM_ALGORITHMS.join(', ')}.`)
}

/**
 * The checksum that CompleteMultipartUpload expects of the object: base64, `…-N` if it is composite. Some clients send composite ones
 * without `-N`.
 * @throws S3Error InvalidRequest
 */
export function readObjectChecksum(
  headers: Headers,
  target?: Target,
): { algorithm: ChecksumAlgorithm; value: string } | undefined {
  const found = CHECKSUM_ALGORITHMS.flatMap((algorithm) => {
    const name = checksumHeader(algorithm)
    const presigned = target?.query.filter(([known]) => known.toLowerCase() === name).map(([, value]) => value) ?? []
    const sent = headerOf(headers, name)
    return [...(sent === undefined ? [] : [sent]), ...presigned].map((value) => ({ algorithm, value }))
  })
  if (found.length > 1) throw new S3Error('InvalidRequest', 'Expecting a single x-amz-checksum- header.')
  const [checksum] = found
  if (checksum) requireChecksumValue(checksum.algorithm, checksum.value.replace(/-[1-9]\d{0,4}$/, ''))
  return checksum
}

/** Computes what the client expects, and the MD5 in any case, over bytes that pass by. */
export async function createChecksums(expected: ExpectedChecksums): Promise<ChecksumStream> {
  const { checksum, sha256 } = expected
  return new ChecksumStream(
    expected,
    checksum && (await createDigest(checksum.algorithm)),
    sha256 === undefined ? undefined : await createDigest('SHA256'),
  )
}

class ChecksumStream {
  readonly #expected: ExpectedChecksums
  readonly #md5 = createHash('md5')
  readonly #checksum: Digest | undefined
  readonly #sha256: Digest | undefined
  #length = 0

  constructor(expected: ExpectedChecksums, checksum: Digest | undefined, sha256: Digest | undefined) {
    this.#expected = expected
    this.#checksum = checksum
    this.#sha256 = sha256
  }

  update(bytes: Uint8Array): void {
    this.#length += bytes.length
    this.#md5.update(bytes)
    this.#checksum?.update(bytes)
    this.#sha256?.update(bytes)
  }

  /**
   * Once, after the last byte.
   * @param trailers of a streamed body
   * @throws S3Error BadDigest, XAmzContentSHA256Mismatch, InvalidRequest for a malformed value in a trailer
   */
  finish(trailers: ReadonlyMap<string, string> = new Map()): Checksums {
    const { md5, sha256, checksum } = this.#expected
    const computed = { length: this.#length, md5: this.#md5.digest('hex') }
    const computedSha256 = this.#sha256?.finish().toString('hex')
    if (sha256 !== undefined && sha256 !== computedSha256)
      throw new S3Error('XAmzContentSHA256Mismatch', undefined, {
        ClientComputedContentSHA256: sha256,
        S3ComputedContentSHA256: String(computedSha256),
      })
    if (md5 !== undefined && md5 !== computed.md5)
      throw new S3Error('BadDigest', 'The Content-MD5 you specified did not match what we received.', {
        ExpectedDigest: md5,
        CalculatedDigest: computed.md5,
      })
    if (!checksum || !this.#checksum) return computed
    const { algorithm, isInTrailer, isPresigned } = checksum
    const value = this.#checksum.finish().toString('base64')
    const given = isInTrailer ? (trailers.get(checksumHeader(algorithm)) ?? '') : checksum.value
    if (given !== undefined) requireChecksumValue(algorithm, given)
    // The SDK for JavaScript presigns uploads with the checksum of no bytes, because it does not know them. S3 ignores it.
    const isPlaceholder = isPresigned && this.#length > 0 && given === emptyChecksum(algorithm)
    if (given !== undefined && given !== value && !isPlaceholder)
      throw new S3Error('BadDigest', `The ${algorithm} you specified did not match the calculated checksum.`)
    return { ...computed, checksum: { algorithm, value } }
  }
}

export type { ChecksumStream }

const emptyChecksum = (algorithm: ChecksumAlgorithm) =>
  algorithm === 'SHA1' || algorithm === 'SHA256'
    ? createHash(algorithm.toLowerCase()).digest('base64')
    : Buffer.alloc(DIGEST_BYTES[algorithm]).toString('base64')
