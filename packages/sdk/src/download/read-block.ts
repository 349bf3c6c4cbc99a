import { type Cid, ContentError, MAX_BLOCK_SIZE, verifyBlock } from '@tidenet/content'

/** Reads and verifies one block, up to the largest block size. Throws ContentError 'too-large' or 'mismatch'. */
export async function readBlock(cid: Cid, body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > MAX_BLOCK_SIZE) throw new ContentError('too-large', 'a block is too large')
    pieces.push(piece)
  }
  const bytes = new Uint8Array(await new Blob(pieces as BlobPart[]).arrayBuffer())
  await verifyBlock(cid, bytes)
  return bytes
}
