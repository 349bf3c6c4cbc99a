import { publicKey } from './claims.ts'

/** Path below a portal that lists its public keys (RFC 7517). */
export const KEYS_PATH = '/.well-known/jwks.json'

/** The public keys for receipts in a key set, base64url; others in it sign other things. */
export function receiptKeysIn(keySet: unknown): string[] {
  const { keys } = (keySet ?? {}) as { keys?: unknown }
  return (Array.isArray(keys) ? keys : []).flatMap((each: unknown) => {
    const { kty, crv, kid, x } = (each ?? {}) as Record<string, unknown>
    const isForReceipts = kty === 'OKP' && crv === 'Ed25519' && typeof kid === 'string' && kid.startsWith('tr-')
    const key = publicKey.safeParse(x)
    return isForReceipts && key.success ? [key.data] : []
  })
}
