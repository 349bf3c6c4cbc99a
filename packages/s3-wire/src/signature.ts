import { createHash, timingSafeEqual } from 'node:crypto'
import { scopeText, signatureOf, signingKey } from '@tidenet/daemon/sigv4'
import { type Authorization, readAuthorization } from './authorization.ts'
import { S3Error } from './errors.ts'
import { type Headers, headerOf, parameterOf, percentDecode, type Target, uriEncode } from './request.ts'

/** What the signature says about the body. */
export type Payload =
  | 'unsigned'
  | 'streaming-signed'
  | 'streaming-signed-trailer'
  | 'streaming-unsigned-trailer'
  /** Lower-case hexadecimal SHA-256 of the whole body. */
  | { sha256: string }

/** A request that is well-formed, timely and covers all it must, but whose signature nobody has checked yet. */
export interface SignedRequest extends Authorization {
  payload: Payload
  stringToSign: string
}

const STREAMING: Record<string, Payload> = {
  'UNSIGNED-PAYLOAD': 'unsigned',
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD': 'streaming-signed',
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER': 'streaming-signed-trailer',
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER': 'streaming-unsigned-trailer',
}

/**
 * Reads the signature of a request, from its header or, if presigned, from its query.
 * @param now Unix milliseconds
 * @throws S3Error for anything but a wrong signature, which `verifySignature` decides
 */
export function readSignature(
  request: { method: string; target: Target; headers: Headers },
  now: number,
): SignedRequest {
  const { method, target, headers } = request
  const authorization = readAuthorization(target, headers, now)
  requireSigned(headers, authorization.signedHeaders)
  const { hash, payload } = readPayload(target, headers, authorization.expires !== undefined)
  const canonical = [
    method,
    uriEncode(percentDecode(target.path), true),
    canonicalQuery(target),
    ...authorization.signedHeaders.map((name) => `${name}:${canonicalValue(headers, name)}`),
    '',
    authorization.signedHeaders.join(';'),
    hash,
  ].join('\n')
  const stringToSign = [
    'AWS4-HMAC-SHA256',
    authorization.amzDate,
    scopeOf(authorization),
    // Header values hold bytes, which Node.js gives as latin1.
    createHash('sha256').update(canonical, 'latin1').digest('hex'),
  ].join('\n')
  return { ...authorization, payload, stringToSign }
}

/** What a signature is valid for: day, region and service. */
export const scopeOf = (scope: Pick<Authorization, 'date' | 'region' | 'service'>): string => scopeText(scope)

/** An unsigned header that changes what happens could be added by anybody on the way. */
function requireSigned(headers: Headers, signedHeaders: readonly string[]): void {
  const unsigned = [...headers.keys()].filter(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !signedHeaders.includes(name),
  )
  if (unsigned.length > 0)
    throw new S3Error('AccessDenied', 'There were headers present in the request which were not signed', {
      HeadersNotSigned: unsigned.join(', '),
    })
}

function readPayload(target: Target, headers: Headers, isPresigned: boolean): { hash: string; payload: Payload } {
  const hash =
    headerOf(headers, 'x-amz-content-sha256') ??
    (isPresigned ? (parameterOf(target, 'X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD') : undefined)
  if (hash === undefined)
    throw new S3Error('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256')
  const payload = Object.hasOwn(STREAMING, hash) ? STREAMING[hash] : undefined
  if (payload) return { hash, payload }
  if (/^[0-9a-f]{64}$/i.test(hash)) return { hash, payload: { sha256: hash.toLowerCase() } }
  if (hash.startsWith('STREAMING-')) throw new S3Error('NotImplemented')
  throw new S3Error(
    'InvalidArgument',
    'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, a STREAMING- value of Signature Version 4, or a valid sha256 value.',
    { ArgumentName: 'x-amz-content-sha256', ArgumentValue: hash },
  )
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const canonicalQuery = ({ query }: Target) =>
  query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [uriEncode(Buffer.from(name), false), uriEncode(Buffer.from(value), false)] as const)
    .sort(([nameA, valueA], [nameB, valueB]) => compare(nameA, nameB) || compare(valueA, valueB))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

// Not trim(): it also removes the byte A0, which ends letters in UTF-8.
const canonicalValue = (headers: Headers, name: string) =>
  (headers.get(name) ?? []).map((value) => value.replace(/[ \t]+/g, ' ').replace(/^ | $/g, '')).join(',')

/** The key of a day, region and service. Whoever has it can sign for these, but cannot learn the secret. */
export const signingKeyOf = (
  secretAccessKey: string,
  { date, region }: Pick<Authorization, 'date' | 'region' | 'service'>,
): Buffer => signingKey(secretAccessKey, date, region)

/** Lower-case hexadecimal signature. */
export const sign = (key: Uint8Array, stringToSign: string): string => signatureOf(key, stringToSign).toString('hex')

/** Takes the same time for every signature of the right length. */
export function verifySignature(key: Uint8Array, stringToSign: string, signature: string): boolean {
  const expected = signatureOf(key, stringToSign)
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && signature.length === 64 && timingSafeEqual(given, expected)
}
