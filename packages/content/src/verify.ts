import { type Cid, cidText, sameBytes } from './cid.ts'
import { ContentError } from './errors.ts'
import { sha256 } from './sha256.ts'

/** Returns the bytes of a block, or throws ContentError 'not-found'. */
export type GetBlock = (cid: Cid) => Promise<Uint8Array>

/** Throws ContentError 'mismatch' unless the bytes match the CID. */
export async function verifyBlock(cid: Cid, bytes: Uint8Array): Promise<void> {
  if (!sameBytes(await sha256(bytes), cid.multihash.digest)) {
    throw new ContentError('mismatch', `the bytes do not match ${cidText(cid)}`)
  }
}

/** Wraps `getBlock` and verifies every block. */
export function verifyingGet(getBlock: GetBlock): GetBlock {
  return async (cid) => {
    const bytes = await getBlock(cid)
    await verifyBlock(cid, bytes)
    return bytes
  }
}
