import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type Block, CHUNK_SIZE, DAG_PB, type HashedFile, RAW } from '@tidenet/content'
import { readNode } from '@tidenet/content/unixfs'
import { carFrame, carHeader } from './archive-format.ts'
import { createIndexBuilder } from './block-index.ts'
import type { Incoming } from './content-store.ts'
import { syncFolder } from './durable.ts'

/** The name of a file's bytes in its folder. */
export const DATA = 'data'

/**
 * Adds what a flat file needs beside it, its inner nodes and an index of all blocks, and makes it a content.
 * The bytes lie synced in `data`. A file of one leaf needs neither.
 */
export async function keepFile(
  incoming: Incoming,
  hashed: HashedFile,
): Promise<{ cid: string; blocks: number; fresh: boolean }> {
  const cid = hashed.cid.toString()
  const blocks = hashed.leaves + hashed.inner.length
  if (hashed.inner.length > 0) await writeInner(incoming.folder, hashed)
  await syncFolder(incoming.folder)
  const fresh = await incoming.keep({ cid, kind: 'file', size: hashed.size, blocks })
  return { cid, blocks, fresh }
}

async function writeInner(folder: string, hashed: HashedFile): Promise<void> {
  const index = createIndexBuilder()
  // Leaves come in the order of the nodes just above them, which are listed before all others.
  let leaf = 0
  for (const { cid, bytes } of hashed.inner)
    for (const link of readNode(cid, bytes).links) {
      if (link.cid.code !== RAW) continue
      const offset = leaf * CHUNK_SIZE
      index.add(link.cid.multihash.digest, RAW, offset, Math.min(CHUNK_SIZE, hashed.size - offset))
      leaf += 1
    }
  const header = carHeader(hashed.cid)
  const parts: Uint8Array[] = [header]
  let at = header.length
  const add = ({ cid, bytes }: Block) => {
    const frame = carFrame(cid, bytes.length)
    parts.push(frame, bytes)
    index.add(cid.multihash.digest, DAG_PB, at + frame.length, bytes.length)
    at += frame.length + bytes.length
  }
  for (const block of hashed.inner.toReversed()) add(block)
  await Promise.all([
    writeSynced(join(folder, 'inner.car'), parts),
    writeSynced(join(folder, 'index'), [index.finish()]),
  ])
}

/** Writes a file and puts it on the disk itself. */
export async function writeSynced(path: string, parts: Uint8Array[]): Promise<void> {
  const file = await open(path, 'w')
  try {
    for (let at = 0; at < parts.length; at += 512) await file.writev(parts.slice(at, at + 512))
    await file.sync()
  } finally {
    await file.close()
  }
}
