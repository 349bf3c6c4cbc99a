import { sameBytes, sha256 } from '@tidenet/content'

/** The bytes of a leaf and the SHA-256 from its CID. */
export interface ExpectedLeaf {
  size: number
  digest: Uint8Array
}

/** The number of consecutive valid leaves at the start of `bytes`. */
export type LeafChecker = (bytes: Uint8Array, leaves: ExpectedLeaf[]) => number | Promise<number>

/** Hashes on the calling thread. */
export const checkLeaves: LeafChecker = async (bytes, leaves) => {
  let at = 0
  for (const [index, { size, digest }] of leaves.entries()) {
    if (!sameBytes(await sha256(bytes.subarray(at, at + size)), digest)) return index
    at += size
  }
  return leaves.length
}
