import { createPublicKey, verify } from 'node:crypto'
import { receivedText, relayedText, sentText } from '@tidenet/contract'

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

/** Whether a device or its relay signed what was passed on, with this key. */
export const isRelayedSigned = (
  key: string,
  {
    session,
    relayId,
    deviceId,
    bytes,
    signature,
  }: { session: string; relayId: string; deviceId: string; bytes: number; signature: string },
): Promise<boolean> => isTextSigned(key, relayedText(session, relayId, deviceId, bytes), signature)

const isSigned = (
  key: string,
  textOf: typeof receivedText,
  { trace, nodeId, cid, bytes, signature }: TransferStatement,
): Promise<boolean> => isTextSigned(key, textOf(trace, nodeId, cid, bytes), signature)

function isTextSigned(key: string, text: string, signature: string): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' })
      const [bytes, signed] = [Buffer.from(text), Buffer.from(signature, 'base64url')]
      verify(null, bytes, publicKey, signed, (error, valid) => resolve(!error && valid))
    } catch {
      resolve(false)
    }
  })
}
