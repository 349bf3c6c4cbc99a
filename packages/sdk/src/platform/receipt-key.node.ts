import { generateKeyPairSync, sign } from 'node:crypto'
import type { ReceiptKey } from './platform.ts'

export async function receiptKey(): Promise<ReceiptKey> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    publicKey: publicKey.export({ format: 'jwk' }).x as string,
    sign: async (text) => sign(null, Buffer.from(text), privateKey).toString('base64url'),
  }
}
