import { type Cid, ContentError, cidText, parseCid, RAW, readCar } from '@tidenet/content'
import { carFrame, carHeader } from '@tidenet/content/car'
import { readNode } from '@tidenet/content/unixfs'

/**
 * Passes a CAR on while it arrives, as far as it is what it should be: every block is verified, is linked by one before it, and at the end none
 * is missing. Memory: about 200 bytes per block.
 * @param source the CAR in depth-first order
 * @throws ContentError
 */
export async function* verifiedCar(root: string, source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const cid = parseCid(root)
  const missing = new Set([nameOf(cid)])
  const passed = new Set<string>()
  yield carHeader([cid])
  for await (const block of readCar(source).blocks) {
    const name = nameOf(block.cid)
    if (!missing.delete(name)) {
      if (passed.has(name)) continue
      throw new ContentError('bad-car', `the block ${cidText(block.cid)} does not belong to ${root}`)
    }
    passed.add(name)
    if (block.cid.code !== RAW)
      for (const link of readNode(block.cid, block.bytes).links)
        if (!passed.has(nameOf(link.cid))) missing.add(nameOf(link.cid))
    yield carFrame(block)
  }
  if (missing.size > 0) throw new ContentError('bad-car', `${missing.size} blocks of ${root} are missing`)
}

/** Of the same block, whichever version its CID has. */
const nameOf = (cid: Cid): string => cidText(cid.toV1())
