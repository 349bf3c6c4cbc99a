import { randomBytes } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** The id of a trace: `t` and 130 random bits. */
export function newTraceId(): string {
  // 256 is a multiple of 32, so the modulo is unbiased.
  return `t${Array.from(randomBytes(26), (byte) => ALPHABET[byte % 32]).join('')}`
}
