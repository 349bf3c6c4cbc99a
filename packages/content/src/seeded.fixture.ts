/** Deterministic input for tests and test vectors. */

export { collect as gather } from './concat.ts'
export { seededRandom } from './random.ts'

/** Byte i is `(i + 7 * floor(i / 256) + 13 * floor(i / 65536) + seed) mod 256`: easy to reproduce in any language. */
export function countingBytes(size: number, seed = 0): Uint8Array {
  const bytes = new Uint8Array(size)
  for (let i = 0; i < size; i++) bytes[i] = i + 7 * (i >>> 8) + 13 * (i >>> 16) + seed
  return bytes
}

/** Cuts bytes into pieces of random sizes up to `largest`, some empty. */
export function* randomPieces(bytes: Uint8Array, largest: number, random: () => number): Iterable<Uint8Array> {
  let at = 0
  while (at < bytes.length) {
    const size = Math.floor(random() * (largest + 1))
    yield bytes.subarray(at, at + size)
    at += size
  }
}

/** The `code` of the ContentError that a promise rejects or a function throws; undefined if it succeeds. */
export async function refusal(attempt: Promise<unknown> | (() => unknown)): Promise<string | undefined> {
  try {
    await (typeof attempt === 'function' ? attempt() : attempt)
    return undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.name === 'ContentError') return String(error.code)
    throw error
  }
}
