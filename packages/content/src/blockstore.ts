import { type Block, type Cid, cidText, multihashHex } from './cid.ts'
import { ContentError } from './errors.ts'
import { verifyBlock } from './verify.ts'

/** A place that keeps blocks by CID. Every implementation passes the suite in `blockstore-suite.ts`. */
export interface Blockstore {
  has(cid: Cid): Promise<boolean>
  /** Throws ContentError 'not-found'. */
  get(cid: Cid): Promise<Uint8Array>
  /** Keeps a block; keeping it again changes nothing. Throws ContentError 'mismatch' when the bytes are not the CID's. */
  put(block: Block): Promise<void>
  /** Forgets a block; true when there was one. */
  remove(cid: Cid): Promise<boolean>
  /** The CIDs of all blocks, in no order. */
  list(): AsyncIterable<Cid>
}

/** A blockstore in memory. */
export function memoryBlockstore(): Blockstore {
  const blocks = new Map<string, Block>()
  // The old and the new text of a CID name the same block.
  const keyOf = (cid: Cid) => `${cid.code}/${multihashHex(cid)}`
  return {
    async has(cid) {
      return blocks.has(keyOf(cid))
    },
    async get(cid) {
      const block = blocks.get(keyOf(cid))
      if (!block) throw new ContentError('not-found', `there is no block ${cidText(cid)}`)
      return block.bytes
    },
    async put({ cid, bytes }) {
      // A copy, so that what is kept cannot change after it was verified.
      const kept = bytes.slice()
      await verifyBlock(cid, kept)
      blocks.set(keyOf(cid), { cid, bytes: kept })
    },
    async remove(cid) {
      return blocks.delete(keyOf(cid))
    },
    async *list() {
      for (const { cid } of [...blocks.values()]) yield cid
    },
  }
}
