import { type Block, type Cid, cidText } from './cid.ts'
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
  return {
    async has(cid) {
      return blocks.has(cidText(cid))
    },
    async get(cid) {
      const block = blocks.get(cidText(cid))
      if (!block) throw new ContentError('not-found', `there is no block ${cidText(cid)}`)
      return block.bytes
    },
    async put({ cid, bytes }) {
      // A copy, so that what is kept cannot change after it was verified.
      const kept = bytes.slice()
      await verifyBlock(cid, kept)
      blocks.set(cidText(cid), { cid, bytes: kept })
    },
    async remove(cid) {
      return blocks.delete(cidText(cid))
    },
    async *list() {
      for (const { cid } of [...blocks.values()]) yield cid
    },
  }
}
