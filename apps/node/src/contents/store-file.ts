import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type Block, type Cid, DAG_PB, RAW } from '@tidenet/content'
import { carHeader, carPrefix } from '@tidenet/content/car'
import { innerOf, readFileLayout } from '@tidenet/content/leaves'
import { createIndexBuilder, indexInMemory } from './block-index.ts'
import type { Incoming } from './content-store.ts'
import { syncFolder } from './durable.ts'

/**
 * Adds the inner nodes and the block index of a file, and publishes it as a content. The bytes in `data` are synced and hashed. A file of
 * one leaf needs neither.
 * @param file `inner`: all its dag-pb nodes in any order
 * @returns the number of distinct blocks
 */
export async function storeFile(incoming: Incoming, file: { cid: Cid; size: number; inner: Block[] }): Promise<number> {
  const { cid, size, inner } = file
  const blocks = inner.length === 0 ? 1 : await writeInner(incoming, cid, size, inner)
  await syncFolder(incoming.folder)
  await incoming.keep({ cid: cid.toString(), kind: 'file', size, blocks })
  return blocks
}

async function writeInner({ folder, reservation }: Incoming, root: Cid, size: number, inner: Block[]): Promise<number> {
  const nodes = new Map(inner.map((block) => [block.cid.toString(), block.bytes]))
  const get = async (cid: Cid): Promise<Uint8Array> => {
    const bytes = nodes.get(cid.toString())
    if (!bytes) throw new Error(`the node ${cid} is missing`)
    return bytes
  }
  const index = createIndexBuilder()
  const layout = await readFileLayout(root, size, get)
  for (let leaf = 0; leaf < layout.leafCount; leaf += 1) {
    const { cid, offset, size } = layout.leafAt(leaf)
    index.add(cid.multihash.digest, RAW, offset, size)
  }
  const header = carHeader([root])
  const parts: Uint8Array[] = [header]
  let at = header.length
  for await (const { cid, bytes } of innerOf(root, get)) {
    const prefix = carPrefix(cid, bytes.length)
    parts.push(prefix, bytes)
    index.add(cid.multihash.digest, DAG_PB, at + prefix.length, bytes.length)
    at += prefix.length + bytes.length
  }
  const sorted = index.finish()
  await reservation.grow(size + at + sorted.length)
  await Promise.all([writeSynced(join(folder, 'inner.car'), parts), writeSynced(join(folder, 'index'), [sorted])])
  return indexInMemory(sorted).count
}

/** Writes and syncs a file. */
export async function writeSynced(path: string, parts: Uint8Array[]): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(Buffer.concat(parts))
    await file.sync()
  } finally {
    await file.close()
  }
}
