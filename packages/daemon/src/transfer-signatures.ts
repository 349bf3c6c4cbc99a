import { createPublicKey, verify } from 'node:crypto'
import { receivedText, sentText } from '@tidenet/contract'

/** How many bytes of a download were received from a node, or sent by it, in total, and the signature of who says so. */
export interface TransferStatement {
  trace: string
  nodeId: string
  cid: string
  bytes: number
  /** Base64url. */
  signature: string
}

/**
 * Whether the client signed the statement with this key. Verified by threads, so that many signatures do not block the event loop.
 * @param key raw Ed25519 public key, base64url; false if it is none
 */
export const isReceivedSigned = (key: string, statement: TransferStatement): Promise<boolean> =>
  isSigned(key, receivedText, statement)

/** The same for the node's statement, with the key of the node. */
export const isSentSigned = (key: string, statement: TransferStatement): Promise<boolean> =>
  isSigned(key, sentText, statement)

function isSigned(
  key: string,
  textOf: typeof receivedText,
  { trace, nodeId, cid, bytes, signature }: TransferStatement,
): Promise<boolean> {
  const text = Buffer.from(textOf(trace, nodeId, cid, bytes))
  return new Promise((resolve) => {
    try {
      const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' })
      verify(null, text, publicKey, Buffer.from(signature, 'base64url'), (error, valid) => resolve(!error && valid))
    } catch {
      resolve(false)
    }
  })
}
