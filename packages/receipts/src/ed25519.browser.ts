import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concat, isEqual } from './bytes.ts'

/**
 * With Web Crypto, or in JavaScript where it is missing: in older browsers, and on pages that were not loaded over HTTPS.
 * @param subtle Web Crypto, if there is any
 */
export async function verifyEd25519(
  key: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
  subtle: SubtleCrypto | null = crypto.subtle ?? null,
): Promise<boolean> {
  const imported = subtle && (await importKey(subtle, key).catch(() => undefined))
  if (!imported) return verifyInJavaScript(key, message, signature)
  return subtle.verify('Ed25519', imported, signature as BufferSource, message as BufferSource)
}

const importKey = (subtle: SubtleCrypto, key: Uint8Array): Promise<CryptoKey> =>
  subtle.importKey('raw', key as BufferSource, 'Ed25519', false, ['verify'])

/** Without the cofactor, as Web Crypto: `ed25519.verify` would accept more signatures. */
function verifyInJavaScript(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const { Point } = ed25519
  const [r, s] = [signature.subarray(0, 32), littleEndian(signature.subarray(32))]
  if (s >= Point.Fn.ORDER) return false
  const challenge = littleEndian(sha512(concat(r, key, message))) % Point.Fn.ORDER
  const expected = Point.BASE.multiplyUnsafe(s).subtract(Point.fromBytes(key).multiplyUnsafe(challenge))
  return isEqual(expected.toBytes(), r)
}

const littleEndian = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)
