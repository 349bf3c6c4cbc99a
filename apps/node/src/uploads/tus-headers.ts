import type { UploadClaims } from '@tidenet/contract'
import type { FastifyRequest } from 'fastify'
import { Refusal, refuseForeign } from '../refusal.ts'
import { texts } from '../texts.ts'
import { checkSize } from './store-upload.ts'
import type { Checksum } from './tus-upload.ts'

/** Headers of tus requests; quotes are from the protocol. */
export const ALGORITHMS = ['sha1', 'sha256', 'md5'] as const
export const CHUNK_TYPE = 'application/offset+octet-stream'

export function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

export const isChunk = (request: FastifyRequest) => header(request, 'content-type')?.toLowerCase() === CHUNK_TYPE

/** "The value MUST be a non-negative integer." */
export function readNumber(request: FastifyRequest, name: string): number {
  const text = header(request, name) ?? ''
  const value = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new Refusal(400, texts.numberOfBytes(name))
  return value
}

/**
 * The length of an upload; undefined if the client does not know it yet.
 * @throws Refusal 400, 403, 413, 422
 */
export function readLength(
  request: FastifyRequest,
  claims: UploadClaims,
  { isPart, mayDefer }: { isPart: boolean; mayDefer: boolean },
): number | undefined {
  if (claims.kind === 'car' && claims.cid === undefined) throw refuseForeign('The token names no root.')
  const deferred = mayDefer ? header(request, 'upload-defer-length') : undefined
  // "The Upload-Defer-Length value MUST be 1. If it is not, the Server should return a 400 Bad Request status."
  if (deferred !== undefined) {
    if (deferred !== '1' || header(request, 'upload-length') !== undefined) throw new Refusal(400, texts.deferLength)
    return undefined
  }
  const length = readNumber(request, 'upload-length')
  // "If the length of the upload exceeds the maximum, which MAY be specified using the Tus-Max-Size header, the Server MUST
  // respond with the 413 Request Entity Too Large status."
  checkSize(claims, length)
  if (!isPart && claims.size !== undefined && length !== claims.size)
    throw new Refusal(422, texts.notAnnounced(length, claims.size))
  return length
}

/**
 * "The Upload-Metadata request and response header MUST consist of one or more comma-separated key-value pairs. […] The key MUST
 * NOT contain spaces and commas and MUST NOT be empty."
 */
export function checkMetadata(metadata: string, claims: UploadClaims): void {
  if (metadata.length > 4096) throw new Refusal(400, texts.metadataTooLong)
  if (metadata === '') return
  for (const pair of metadata.split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(' ')
    if (key === '' || more.length > 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))
      throw new Refusal(400, texts.metadataMalformed)
    if (key === 'kind' && Buffer.from(value, 'base64').toString() !== claims.kind)
      throw refuseForeign('The token is for another kind of upload.')
  }
}

/**
 * "The header MUST consist of the name of the used checksum algorithm and the Base64 encoded checksum separated by a space."
 */
export function readChecksum(request: FastifyRequest): Checksum | undefined {
  const text = header(request, 'upload-checksum')
  if (text === undefined) return undefined
  const [name, digest = ''] = text.split(' ')
  const algorithm = ALGORITHMS.find((known) => known === name)
  // "The Server MAY respond with […] 400 Bad Request if the checksum algorithm is not supported by the server".
  if (!algorithm) throw new Refusal(400, texts.checksumAlgorithm)
  return { algorithm, digest: Buffer.from(digest, 'base64') }
}
