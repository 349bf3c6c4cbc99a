import { type Cid, cidText, sameBytes } from './cid.ts'
import { ContentError } from './errors.ts'
import { sha256 } from './sha256.ts'

/** Gives the bytes of a block, or throws ContentError 'not-found'. */
export type GetBlock = (cid: Cid) => Promise<Uint8Array>

/** Throws ContentError 'mismatch' when the bytes are not the ones that the CID names. */
export async function verifyBlock(cid: Cid, bytes: Uint8Array): Promise<void> {
  if (!sameBytes(await sha256(bytes), cid.multihash.digest)) {
    throw new ContentError('mismatch', `the bytes are not those of ${cidText(cid)}`)
  }
}

/** A `getBlock` that believes nothing: what the given one returns is hashed before it is handed on. */
export function verifyingGet(getBlock: GetBlock): GetBlock {
  return async (cid) => {
    const bytes = await getBlock(cid)
    await verifyBlock(cid, bytes)
    return bytes
  }
}
