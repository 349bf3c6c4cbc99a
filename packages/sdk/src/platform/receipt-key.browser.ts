import type { ReceiptKey } from './platform.ts'

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/**
 * With Web Crypto, or in JavaScript where it is missing: in older browsers, and on pages that were not loaded over HTTPS.
 * @param subtle Web Crypto, if there is any
 */
export async function receiptKey(subtle: SubtleCrypto | null = crypto.subtle ?? null): Promise<ReceiptKey | undefined> {
  const key = subtle && (await webCryptoKey(subtle).catch(() => undefined))
  // If the code cannot be loaded, the download works without signatures.
  return key ?? javaScriptKey().catch(() => undefined)
}

async function webCryptoKey(subtle: SubtleCrypto): Promise<ReceiptKey> {
  const keys = (await subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair
  return {
    publicKey: base64url(new Uint8Array(await subtle.exportKey('raw', keys.publicKey))),
    sign: async (text) =>
      base64url(new Uint8Array(await subtle.sign('Ed25519', keys.privateKey, new TextEncoder().encode(text)))),
  }
}

async function javaScriptKey(): Promise<ReceiptKey> {
  const { ed25519 } = await import('@noble/curves/ed25519.js')
  const secret = ed25519.utils.randomSecretKey()
  return {
    publicKey: base64url(ed25519.getPublicKey(secret)),
    sign: async (text) => base64url(ed25519.sign(new TextEncoder().encode(text), secret)),
  }
}
