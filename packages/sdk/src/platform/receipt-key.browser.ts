import type { ReceiptKey } from './platform.ts'

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** With Web Crypto, or in JavaScript where it is missing: in older browsers, and on pages that were not loaded over HTTPS. */
export async function receiptKey(): Promise<ReceiptKey | undefined> {
  const encoder = new TextEncoder()
  try {
    const { publicKey, privateKey } = (await crypto.subtle.generateKey('Ed25519', false, [
      'sign',
      'verify',
    ])) as CryptoKeyPair
    return {
      publicKey: base64url(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))),
      sign: async (text) =>
        base64url(new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, encoder.encode(text)))),
    }
  } catch {
    try {
      const { ed25519 } = await import('@noble/curves/ed25519.js')
      const secret = ed25519.utils.randomSecretKey()
      return {
        publicKey: base64url(ed25519.getPublicKey(secret)),
        sign: async (text) => base64url(ed25519.sign(encoder.encode(text), secret)),
      }
    } catch {
      // The code could not be loaded: the download works without signatures.
      return undefined
    }
  }
}
