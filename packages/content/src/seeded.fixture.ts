/** Deterministic input for tests and test vectors. */

/** Byte i is `(i + 7 * floor(i / 256) + 13 * floor(i / 65536) + seed) mod 256`: easy to reproduce in any language. */
export function countingBytes(size: number, seed = 0): Uint8Array {
  const bytes = new Uint8Array(size)
  for (let i = 0; i < size; i++) bytes[i] = i + 7 * (i >>> 8) + 13 * (i >>> 16) + seed
  return bytes
}

/** Seeded random numbers in [0, 1) (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
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

/** Collects a byte stream. */
export async function gather(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of source) {
    pieces.push(piece)
    size += piece.length
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
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
