import { sha256 } from '@noble/hashes/sha2.js'
import { concat, isEqual } from './bytes.ts'

/** The Merkle tree of RFC 9162 (the same as of RFC 6962). Sizes and indexes are up to 2⁵³, so they are not shifted as 32-bit integers. */

export const hashLeaf = (leaf: Uint8Array): Uint8Array => sha256(concat(Uint8Array.of(0), leaf))
export const hashNode = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256(concat(Uint8Array.of(1), left, right))

const isOdd = (n: number): boolean => n % 2 === 1
const half = (n: number): number => Math.floor(n / 2)

/**
 * The root to which an inclusion proof leads (RFC 9162, 2.1.3.2); undefined if the proof does not have the length for this index and size.
 * @param leaf hash of the leaf
 */
export function rootOfInclusion(
  leaf: Uint8Array,
  index: number,
  size: number,
  hashes: readonly Uint8Array[],
): Uint8Array | undefined {
  if (index >= size) return undefined
  let [at, last, root] = [index, size - 1, leaf]
  for (const hash of hashes) {
    if (last === 0) return undefined
    if (isOdd(at) || at === last) {
      root = hashNode(hash, root)
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)]
    } else {
      root = hashNode(root, hash)
    }
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 ? root : undefined
}

export interface Tree {
  size: number
  root: Uint8Array
}

/** Whether `later` is `earlier` with leaves appended (RFC 9162, 2.1.4.2). */
export function isConsistent(earlier: Tree, later: Tree, hashes: readonly Uint8Array[]): boolean {
  if (earlier.size > later.size) return false
  if (earlier.size === later.size) return hashes.length === 0 && isEqual(earlier.root, later.root)
  // Every tree continues the empty one.
  if (earlier.size === 0) return hashes.length === 0
  let [at, last] = [earlier.size - 1, later.size - 1]
  while (isOdd(at)) [at, last] = [half(at), half(last)]
  // A complete tree is itself the first hash.
  const [first, ...rest] = at === 0 ? [earlier.root, ...hashes] : hashes
  if (!first) return false
  let [oldRoot, newRoot] = [first, first]
  for (const hash of rest) {
    if (last === 0) return false
    if (isOdd(at) || at === last) {
      oldRoot = hashNode(hash, oldRoot)
      newRoot = hashNode(hash, newRoot)
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)]
    } else {
      newRoot = hashNode(newRoot, hash)
    }
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 && isEqual(oldRoot, earlier.root) && isEqual(newRoot, later.root)
}
