import { type Cid, parseCid, sameCid } from './cid.ts'
import { ContentError } from './errors.ts'
import { CHUNK_SIZE, fileOfLeaves } from './file.ts'
import type { FileLayout } from './leaves.ts'

/** A file that others follow. */
export interface JoinedPart {
  cid: string
  /** Bytes. */
  size: number
}

/** Whether a file of these parts has the leaves of the parts: all but the last one have to end with a whole leaf. */
export const haveSameLeaves = (parts: readonly JoinedPart[]): boolean =>
  parts.every(({ size }, index) => size > 0 && (size % CHUNK_SIZE === 0 || index === parts.length - 1))

/**
 * The CID of the file that consists of these, one after the other, without their bytes: the digests of the leaves may come from anybody,
 * because the CID of each part proves them.
 * @param digests 32 bytes per leaf
 * @throws ContentError mismatch if they are not the leaves of the parts
 */
export async function joinedCid(parts: readonly JoinedPart[], digests: Uint8Array): Promise<Cid> {
  let at = 0
  let all = 0
  for (const { cid, size } of parts) {
    const end = at + 32 * Math.ceil(size / CHUNK_SIZE)
    const part = await fileOfLeaves(digests.subarray(at, end), size)
    if (!sameCid(part.cid, parseCid(cid))) throw new ContentError('mismatch', `these are not the leaves of ${cid}`)
    at = end
    all += size
  }
  return (await fileOfLeaves(digests, all)).cid
}

/** The digests of all leaves of a file, 32 bytes each. */
export function leafDigests(layout: FileLayout): Uint8Array {
  const digests = new Uint8Array(32 * layout.leafCount)
  for (let leaf = 0; leaf < layout.leafCount; leaf++) digests.set(layout.leafAt(leaf).cid.multihash.digest, 32 * leaf)
  return digests
}
