import { createPublicKey, verify } from 'node:crypto'
import { receivedText } from '@tidenet/contract'

/** What a client says that it received from a node, in total, and its signature. */
export interface ReceivedStatement {
  trace: string
  nodeId: string
  cid: string
  bytes: number
  /** Base64url. */
  signature: string
}

/**
 * Whether the statement is signed with this key. Verified by threads, so that many signatures do not block the event loop.
 * @param key raw Ed25519 public key, base64url; false if it is none
 */
export function isReceivedSigned(
  key: string,
  { trace, nodeId, cid, bytes, signature }: ReceivedStatement,
): Promise<boolean> {
  const text = Buffer.from(receivedText(trace, nodeId, cid, bytes))
  return new Promise((resolve) => {
    try {
      const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' })
      verify(null, text, publicKey, Buffer.from(signature, 'base64url'), (error, valid) => resolve(!error && valid))
    } catch {
      resolve(false)
    }
  })
}
