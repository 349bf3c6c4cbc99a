import { verifyEd25519 } from '#ed25519'
import { toHex } from './bytes.ts'

/**
 * Whether an Ed25519 key signed the message (RFC 8032, without the cofactor). Answers the same in Node.js, with WebCrypto and without it:
 * implementations differ only for keys that nobody has by accident, and these are refused.
 * @param key raw public key
 */
export async function isSigned(key: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
  if (!isUsableKey(key) || signature.length !== 64) return false
  return verifyEd25519(key, message, signature).catch(() => false)
}

/** y-coordinates of the points of small order: signatures of such a key are valid for many messages. Hexadecimal, without the sign. */
const SMALL_ORDER = new Set([
  `00${'00'.repeat(31)}`,
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
])

/** Whether a key has one text, and each of its signatures is of one message. @param key raw public key */
export function isUsableKey(key: Uint8Array): boolean {
  if (key.length !== 32) return false
  const y = key.slice()
  y[31]! &= 0x7f
  // y ≥ 2²⁵⁵ − 19 is a second text of a smaller y.
  const isReduced = y[0]! < 0xed || y[31] !== 0x7f || y.subarray(1, 31).some((byte) => byte !== 0xff)
  return isReduced && !SMALL_ORDER.has(toHex(y))
}
