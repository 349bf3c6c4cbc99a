import { generateKeyPairSync, sign } from 'node:crypto'
import { receivedText } from '@tidenet/contract'

/** The key with which a client signs what it received. */
export function clientKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    /** Sent with the request for addresses. */
    receiptKey: publicKey.export({ format: 'jwk' }).x as string,
    signature: (trace: string, nodeId: string, cid: string, bytes: number) =>
      sign(null, Buffer.from(receivedText(trace, nodeId, cid, bytes)), privateKey).toString('base64url'),
  }
}
