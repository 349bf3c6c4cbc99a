import { sameBytes } from './cid.ts'

/** Digests and sizes of leaves in typed arrays: 32 bytes per leaf, 40 if sizes differ. */
export interface LeafTable {
  add(digest: Uint8Array, size: number): void
  count(): number
  /** Bytes of every leaf but the last, or 0 if they differ. */
  uniformSize(): number
  digest(index: number): Uint8Array
  place(index: number, fileSize: number): { offset: number; size: number }
  find(digest: Uint8Array): number | undefined
}

export function createLeafTable(): LeafTable {
  let digests = new Uint8Array(32 * 16)
  let count = 0
  let total = 0
  let firstSize = 0
  let lastSize = 0
  /** Offset of each leaf; set once leaf sizes are found to differ. */
  let offsets: Float64Array<ArrayBuffer> | undefined
  let buckets: Uint32Array | undefined

  function startOf(index: number): number {
    return offsets ? offsets[index]! : index * firstSize
  }

  return {
    add(digest, size) {
      if ((count + 1) * 32 > digests.length) digests = grown(digests)
      // Leaves are uniform while all previous ones have the size of the first and none is larger.
      if (!offsets && count > 0 && (lastSize !== firstSize || size > firstSize || firstSize === 0)) {
        offsets = new Float64Array(digests.length / 32)
        for (let index = 0; index < count; index++) offsets[index] = index * firstSize
      }
      if (offsets) {
        if (count >= offsets.length) offsets = grownNumbers(offsets)
        offsets[count] = total
      }
      digests.set(digest, count * 32)
      if (count === 0) firstSize = size
      lastSize = size
      total += size
      count++
      buckets = undefined
    },
    count: () => count,
    uniformSize: () => (offsets ? 0 : firstSize),
    digest: (index) => digests.slice(index * 32, index * 32 + 32),
    place(index, fileSize) {
      const offset = startOf(index)
      return { offset, size: (index + 1 < count ? startOf(index + 1) : fileSize) - offset }
    },
    find(digest) {
      buckets ??= index(digests, count)
      const mask = buckets.length - 1
      for (let at = wordAt(digest, 0) & mask; buckets[at] !== 0; at = (at + 1) & mask) {
        const found = buckets[at]! - 1
        if (sameBytes(digests.subarray(found * 32, found * 32 + 32), digest)) return found
      }
      return undefined
    },
  }
}

/** A hash table with linear probing of leaf indexes + 1; equal leaves are stored once, at their first index. */
function index(digests: Uint8Array, count: number): Uint32Array {
  let size = 16
  while (size < count * 2) size *= 2
  const buckets = new Uint32Array(size)
  for (let leaf = 0; leaf < count; leaf++) {
    const digest = digests.subarray(leaf * 32, leaf * 32 + 32)
    let at = wordAt(digests, leaf * 32) & (size - 1)
    while (buckets[at] !== 0) {
      const other = (buckets[at]! - 1) * 32
      if (sameBytes(digests.subarray(other, other + 32), digest)) break
      at = (at + 1) & (size - 1)
    }
    if (buckets[at] === 0) buckets[at] = leaf + 1
  }
  return buckets
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
}

function grown(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length * 2)
  larger.set(bytes)
  return larger
}

function grownNumbers(numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(numbers.length * 2)
  larger.set(numbers)
  return larger
}
