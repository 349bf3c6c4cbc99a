import { type Block, CHUNK_SIZE, type Cid, createFileHasher, rawCid } from '@tidenet/content'
import { writeCar } from '@tidenet/content/car'
import { dagPbBlock, directoryData } from '@tidenet/content/unixfs'

/** Folders as archives, as clients create them. */

/** Names to bytes or subfolders. */
export interface Tree {
  [name: string]: Uint8Array | Tree
}

export interface TestFolder {
  cid: string
  root: Cid
  blocks: Block[]
  archive: Buffer
}

export async function makeFolder(tree: Tree): Promise<TestFolder> {
  const blocks: Block[] = []
  const { cid } = await addFolder(tree, blocks)
  return { cid: cid.toString(), root: cid, blocks, archive: await makeArchive([cid], blocks) }
}

export async function makeArchive(roots: Cid[], blocks: Block[]): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of writeCar(roots, blocks)) parts.push(part)
  return Buffer.concat(parts)
}

async function addFolder(tree: Tree, blocks: Block[]): Promise<{ cid: Cid; cumulativeSize: number }> {
  const links = []
  for (const [name, entry] of Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const added = entry instanceof Uint8Array ? await addFile(entry, blocks) : await addFolder(entry, blocks)
    links.push({ name, cidBytes: added.cid.bytes, cumulativeSize: added.cumulativeSize })
  }
  const block = await dagPbBlock(links, directoryData())
  blocks.push(block)
  return { cid: block.cid, cumulativeSize: links.reduce((sum, link) => sum + link.cumulativeSize, block.bytes.length) }
}

async function addFile(bytes: Uint8Array, blocks: Block[]): Promise<{ cid: Cid; cumulativeSize: number }> {
  const hasher = createFileHasher()
  hasher.update(bytes)
  const { cid, inner } = await hasher.finish()
  for (let at = 0; at === 0 || at < bytes.length; at += CHUNK_SIZE) {
    const leaf = bytes.subarray(at, at + CHUNK_SIZE)
    blocks.push({ cid: await rawCid(leaf), bytes: leaf })
  }
  blocks.push(...inner)
  return { cid, cumulativeSize: inner.reduce((sum, block) => sum + block.bytes.length, bytes.length) }
}
