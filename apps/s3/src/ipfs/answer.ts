import { createHash } from 'node:crypto'
import { matches, readRange } from '@tidenet/content/byte-range'
import { contentType, disposition } from '@tidenet/content/content-type'
import { DOCUMENTS, type DocumentFormat } from './read-cid.ts'

/** What the gateway answers, before conditions and ranges of the request. */
export interface Answer {
  type: string
  /** With quotes. */
  etag: string
  cache: string
  /** Bytes; undefined: a stream without ranges. */
  size: number | undefined
  headers: Record<string, string>
  /** The bytes [start, end). */
  body(start: number, end: number): AsyncIterable<Uint8Array> | Uint8Array
}

/** CIDs never change what they name. */
export const IMMUTABLE = 'public, max-age=29030400, immutable'
/** Lists of folders can look different with the next release. */
export const LISTED = 'public, max-age=604800, stale-while-revalidate=2678400'

/**
 * What strangers publish runs nothing, in an origin of its own, and asks no other host for anything: it cannot act for people who use other
 * pages at this address.
 */
export const SANDBOX =
  "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self' data:; font-src 'self' data:; style-src 'self' 'unsafe-inline'; form-action 'none'; base-uri 'none'"

export interface Head {
  status: number
  headers: Record<string, string>
  /** Undefined: no body. */
  part: { start: number; end: number } | undefined
}

/** The head of an answer for the conditions and ranges of a request. */
export function headOf(
  answer: Answer,
  request: {
    method: string
    range?: string | undefined
    ifRange?: string | undefined
    ifNoneMatch?: string | undefined
  },
): Head {
  const { etag, size } = answer
  const common = { ...answer.headers, etag, 'cache-control': answer.cache }
  if (matches(request.ifNoneMatch, etag)) return { status: 304, headers: common, part: undefined }
  const headers: Record<string, string> = {
    ...common,
    'content-type': answer.type,
    'accept-ranges': size === undefined ? 'none' : 'bytes',
  }
  const isCurrent = request.ifRange === undefined || (request.ifRange === etag && !etag.startsWith('W/'))
  const isRanged = request.method === 'GET' && size !== undefined && isCurrent
  const range = isRanged ? readRange(request.range, size) : undefined
  if (range === 'unsatisfiable')
    return {
      status: 416,
      headers: { 'content-range': `bytes */${size}`, 'cache-control': 'no-store' },
      part: undefined,
    }
  const part = range ?? { start: 0, end: size ?? 0 }
  if (range) headers['content-range'] = `bytes ${range.start}-${range.end - 1}/${size}`
  if (size !== undefined) headers['content-length'] = String(part.end - part.start)
  return { status: range ? 206 : 200, headers, part: request.method === 'HEAD' ? undefined : part }
}

export const rawAnswer = (cid: string, bytes: Uint8Array): Answer => ({
  type: 'application/vnd.ipld.raw',
  etag: `"${cid}.raw"`,
  cache: IMMUTABLE,
  size: bytes.length,
  headers: { 'content-disposition': `attachment; filename="${cid}.bin"` },
  body: (start, end) => bytes.subarray(start, end),
})

/** A document of another codec, as it is. */
export const documentAnswer = (
  document: { cid: string; format: DocumentFormat; download: boolean },
  bytes: Uint8Array,
): Answer => ({
  type: DOCUMENTS[document.format].type,
  etag: `"${document.cid}.${document.format}"`,
  cache: IMMUTABLE,
  size: bytes.length,
  headers: {
    'content-security-policy': SANDBOX,
    'content-disposition': disposition(
      document.download || document.format.endsWith('cbor') ? 'attachment' : 'inline',
      `${document.cid}.${document.format.replace('dag-', '')}`,
    ),
  },
  body: (start, end) => bytes.subarray(start, end),
})

export function fileAnswer(
  file: { cid: string; size: number; name: string; download: boolean },
  body: Answer['body'],
): Answer {
  const type = contentType(file.name)
  return {
    type,
    etag: `"${file.cid}"`,
    cache: IMMUTABLE,
    size: file.size,
    headers: {
      'content-security-policy': SANDBOX,
      ...((file.name !== '' || file.download) && {
        'content-disposition': disposition(file.download ? 'attachment' : 'inline', file.name || file.cid),
      }),
    },
    body,
  }
}

export function carAnswer(
  car: { cid: string; duplicates: boolean; variant: readonly string[] },
  body: () => AsyncIterable<Uint8Array>,
): Answer {
  const variant = createHash('sha256')
    .update(JSON.stringify([...car.variant, car.duplicates]))
    .digest('base64url')
  return {
    type: `application/vnd.ipld.car; version=1; order=dfs; dups=${car.duplicates ? 'y' : 'n'}`,
    etag: `W/"${car.cid}.car.${variant.slice(0, 16)}"`,
    cache: IMMUTABLE,
    size: undefined,
    headers: { 'content-disposition': `attachment; filename="${car.cid}.car"` },
    body,
  }
}

export function pageAnswer(html: string, etag: string, cache: string): Answer {
  const bytes = Buffer.from(html)
  return {
    type: 'text/html; charset=utf-8',
    etag,
    cache,
    size: bytes.length,
    headers: { 'content-security-policy': SANDBOX, vary: 'Accept, Accept-Language' },
    body: (start, end) => bytes.subarray(start, end),
  }
}
