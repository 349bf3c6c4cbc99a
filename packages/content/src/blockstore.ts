import { type Block, type Cid, cidText, multihashHex } from './cid.ts'
import { ContentError } from './errors.ts'
import { verifyBlock } from './verify.ts'

/** Stores blocks by CID. Every implementation passes the suite in `blockstore-suite.fixture.ts`. */
export interface Blockstore {
  has(cid: Cid): Promise<boolean>
  /** Throws ContentError 'not-found'. */
  get(cid: Cid): Promise<Uint8Array>
  /** Stores a block; storing it again has no effect. Throws ContentError 'mismatch' if the bytes do not match the CID. */
  put(block: Block): Promise<void>
  /** Deletes a block; true if it existed. */
  remove(cid: Cid): Promise<boolean>
  /** The CIDs of all blocks, in any order. */
  list(): AsyncIterable<Cid>
}

/** A blockstore in memory. */
export function memoryBlockstore(): Blockstore {
  const blocks = new Map<string, Block>()
  // CIDv0 and CIDv1 of a block share one key.
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
      // Copy: callers must not change the bytes after verification.
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
