import { createPublicKey, verify } from 'node:crypto'
import { type ReceiptClaims, receiptClaims } from '@tidenet/contract'

/** Signatures of nodes, Ed25519. */

/** Whether the raw public key (base64url) signed the text; `signature` is base64url too. */
export function isSignedBy(publicKey: string, text: string | Buffer, signature: string): boolean {
  const raw = Buffer.from(publicKey, 'base64url')
  // Only the canonical base64url text of a key is accepted: unused bits in the last character would make several texts of one key.
  if (raw.length !== 32 || raw.toString('base64url') !== publicKey) return false
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}

/** The lines that a node signs at registration. */
export const registrationText = (node: {
  public_key: string
  kind: string
  area_id: string
  url: string
  time: number
}): string => ['tidenet-register', node.public_key, node.kind, node.area_id, node.url, node.time].join('\n')

/** The lines that a node signs to link itself to an account. */
export const ownerText = (node: { public_key: string; owner_code: string; time: number }): string =>
  ['tidenet-owner', node.public_key, node.owner_code, node.time].join('\n')

export const healthText = (nodeId: string, nonce: string): string => `tidenet-health\n${nodeId}\n${nonce}`

/** The claims of a receipt, with an unverified signature; undefined if it is malformed. */
export function readReceipt(jws: string): ReceiptClaims | undefined {
  const [head, payload, signature, more] = jws.split('.')
  if (!head || !payload || !signature || more !== undefined) return undefined
  const { alg } = (json(head) ?? {}) as { alg?: unknown }
  if (alg !== 'EdDSA' && alg !== 'Ed25519') return undefined
  return receiptClaims.safeParse(json(payload)).data
}

/** Whether a receipt was signed with this key. */
export function isReceiptOf(publicKey: string, jws: string): boolean {
  const end = jws.lastIndexOf('.')
  return isSignedBy(publicKey, jws.slice(0, end), jws.slice(end + 1))
}

function json(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return undefined
  }
}
