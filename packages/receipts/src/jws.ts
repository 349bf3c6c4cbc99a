import { fromBase64url, toBase64url, utf8 } from './bytes.ts'
import { RECEIPT_TYPE } from './claims.ts'

/** `kid` of a key. @param key base64url */
export const receiptKeyId = (key: string): string => `tr-${key.slice(0, 8)}`

const headerOf = (key: string): string =>
  toBase64url(utf8(JSON.stringify({ alg: 'EdDSA', typ: RECEIPT_TYPE, kid: receiptKeyId(key) })))

/** What is signed: a receipt is this text, a dot, and the signature in base64url. */
export const signingInput = (claims: object, key: string): string =>
  `${headerOf(key)}.${toBase64url(utf8(JSON.stringify(claims)))}`

export interface Jws {
  /** Whether the header is exactly the one of receipts of `key`: no other algorithm, no other key, no extension. */
  hasHeader(key: string): boolean
  payload: Uint8Array
  signed: Uint8Array
  signature: Uint8Array
}

/** Splits a compact JWS; verifies nothing. Undefined if it is none, or has a signature of another length. */
export function parseJws(text: string): Jws | undefined {
  const [header = '', body = '', end = '', more] = text.split('.', 4)
  const [payload, signature] = [fromBase64url(body), fromBase64url(end)]
  if (more !== undefined || !fromBase64url(header) || !payload || signature?.length !== 64) return undefined
  return {
    hasHeader: (key) => header === headerOf(key),
    payload,
    signed: utf8(`${header}.${body}`),
    signature,
  }
}
