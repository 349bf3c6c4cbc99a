import { S3Error } from './errors.ts'

/** Headers of a request by their names in lower case; a name that came several times has several values, in order. */
export type Headers = ReadonlyMap<string, readonly string[]>

export interface Target {
  /** As received, still percent-encoded: it is what was signed. */
  path: string
  /** Decoded, in the order of the request; a parameter without `=` has the value ''. */
  query: readonly (readonly [name: string, value: string])[]
}

/** Two of these would let a proxy and us read different requests. */
const SINGLE = [
  'authorization',
  'content-length',
  'content-md5',
  'date',
  'host',
  'transfer-encoding',
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-decoded-content-length',
  'x-amz-trailer',
]

/**
 * Reads headers as Node.js gives them in `rawHeaders`: names and values in turn.
 * @throws S3Error InvalidRequest if the message can be understood in more than one way
 */
export function readHeaders(rawHeaders: readonly string[]): Headers {
  const headers = new Map<string, string[]>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase()
    const value = rawHeaders[index + 1]!
    if (/[\r\n\0]/.test(value)) throw new S3Error('InvalidRequest', `The header ${name} has a line break.`)
    const values = headers.get(name)
    if (values) values.push(value)
    else headers.set(name, [value])
  }
  for (const name of SINGLE) {
    if ((headers.get(name)?.length ?? 0) > 1) throw new S3Error('InvalidRequest', `The header ${name} came twice.`)
  }
  if (headers.has('transfer-encoding') && headers.has('content-length'))
    throw new S3Error('InvalidRequest', 'A request has either Content-Length or Transfer-Encoding.')
  const length = headers.get('content-length')?.[0]
  if (length !== undefined && !/^\d{1,15}$/.test(length))
    throw new S3Error('InvalidRequest', 'Content-Length is not a number.')
  return headers
}

/** The value of a header, several ones joined as HTTP allows; undefined if there is none. */
export const headerOf = (headers: Headers, name: string): string | undefined => headers.get(name)?.join(',')

/** The first value of a parameter; '' if it has none. */
export const parameterOf = (target: Target, name: string): string | undefined =>
  target.query.find(([known]) => known === name)?.[1]

/**
 * Bytes of a percent-encoded text. HTTP gives other bytes than ASCII as latin1.
 * @throws S3Error InvalidURI
 */
export function percentDecode(text: string): Buffer {
  if (/%(?![0-9a-f]{2})/i.test(text)) throw new S3Error('InvalidURI')
  return Buffer.from(
    text.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

const ENCODED = Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte)
  return /[A-Za-z0-9\-._~]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
})
const SLASH = 0x2f

/** Encodes as Signature Version 4 demands: every byte but the unreserved ones of RFC 3986, in upper case. */
export function uriEncode(bytes: Uint8Array, isPath: boolean): string {
  let encoded = ''
  for (const byte of bytes) encoded += isPath && byte === SLASH ? '/' : ENCODED[byte]
  return encoded
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The text of bytes.
 * @throws S3Error InvalidURI if they are not UTF-8
 */
export function textOf(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    throw new S3Error('InvalidURI')
  }
}

/**
 * Splits a request target, which must be in origin form (`/path?query`).
 * @throws S3Error InvalidURI, also for parameters that are not UTF-8
 */
export function readTarget(target: string): Target {
  if (!target.startsWith('/') || target.includes('#')) throw new S3Error('InvalidURI')
  const mark = target.indexOf('?')
  if (mark < 0) return { path: target, query: [] }
  const decode = (text: string) => textOf(percentDecode(text.replaceAll('+', ' ')))
  const query: [string, string][] = []
  for (const pair of target.slice(mark + 1).split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    query.push(equals < 0 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))])
  }
  return { path: target.slice(0, mark), query }
}

/** Parameters that are the signature itself, or that say something about a body that nobody knew yet. */
const NOT_HEADERS =
  /^x-amz-(?:algorithm|credential|date|expires|signedheaders|signature|content-sha256|checksum-.*|sdk-checksum-algorithm)$/

/**
 * The headers of a presigned request, with those that its signer put into the query: most SDKs move all x-amz-* headers there.
 * A header that was sent decides over a parameter.
 */
export function withHoistedHeaders(headers: Headers, { query }: Target): Headers {
  const all = new Map(headers)
  for (const [parameter, value] of query) {
    const name = parameter.toLowerCase()
    if (!name.startsWith('x-amz-') || NOT_HEADERS.test(name) || /[\r\n\0]/.test(value)) continue
    // As Node.js gives the bytes of headers.
    if (!all.has(name)) all.set(name, [Buffer.from(value).toString('latin1')])
  }
  return all
}
