import { sameBytes, sha256 } from '@tidenet/content'

/** A leaf of a piece: its bytes and the SHA-256 that its name holds. */
export interface ExpectedLeaf {
  size: number
  digest: Uint8Array
}

/** How many of the leaves that lie one after the other in `bytes`, counted from the first, are what they should be. */
export type LeafChecker = (bytes: Uint8Array, leaves: ExpectedLeaf[]) => number | Promise<number>

/** Hashes where it is called. */
export const checkLeaves: LeafChecker = async (bytes, leaves) => {
  let at = 0
  for (const [index, { size, digest }] of leaves.entries()) {
    if (!sameBytes(await sha256(bytes.subarray(at, at + size)), digest)) return index
    at += size
  }
  return leaves.length
}
