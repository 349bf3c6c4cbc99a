import { type Cid, ContentError, cidOfDigest, DAG_PB, RAW } from '@tidenet/content'
import { statPath } from '@tidenet/content/graph'
import { listPage } from '@tidenet/content/listing'
import { readNode } from '@tidenet/content/unixfs'
import type { GetBlock } from '@tidenet/content/verify'
import { MiB } from '@tidenet/contract'
import type { OpenContent } from '../contents/open-content.ts'
import { createShardCounter, type ShardCounts } from '../contents/shard-counts.ts'
import { Refusal } from '../refusal.ts'
import type { DownloadRequest } from './download-request.ts'

/** A folder listing (wire 11.2). */
export interface Listing {
  code: 0
  msg: ''
  data: {
    Name: string
    /** Declared bytes of everything below. */
    Size: number
    /** Number of entries on all pages. */
    Total: number
    FileProperties: { FileName: string; CID: string; Size: number; Link: string }[]
  }
}

/** Bytes read for the true sizes of a page's entries. Files of many leaves have large blocks; the entries that follow have hints. */
const SIZES_MAX = 64 * MiB

/**
 * One page of a folder's entries. `Link` is the URL of the entry with the request's query. Reads the shards of the page and one block per
 * entry, whatever the size of the folder.
 * @param signal ends it when the client is gone
 */
export async function listFolder(
  content: OpenContent,
  folder: { cid: Cid; size: number },
  getBlock: GetBlock,
  ask: Pick<DownloadRequest, 'page' | 'count' | 'filename' | 'path'>,
  link: (name: string) => string,
  signal: AbortSignal,
): Promise<Listing> {
  const page = { first: ask.page * ask.count, count: ask.count }
  let counts: ShardCounts | undefined
  const countEntries = async (shard: Cid): Promise<number> => {
    counts ??= await content.shardCounts(() => countAll(content, getBlock, signal))
    const place = await content.locate(shard.multihash.digest, shard.code)
    const count = place && counts.get(place.record)
    if (count === undefined) throw new ContentError('bad-dag', 'a shard links to what is not its shard')
    return count
  }
  const { entries, total } = await listPage(folder.cid, getBlock, page, countEntries)
  const properties: Listing['data']['FileProperties'] = []
  let read = 0
  const getCounted: GetBlock = async (cid) => {
    const bytes = await getBlock(cid)
    read += bytes.length
    return bytes
  }
  for (const { name, cid, size } of entries) {
    // Sizes in links are hints; the entry has the true one.
    const isRead = cid.code !== RAW && read < SIZES_MAX
    const bytes = isRead ? (await statPath(cid, '', getCounted).catch(sizeOr(size))).size : size
    properties.push({ FileName: name, CID: cid.toString(), Size: bytes, Link: link(name) })
  }
  const name = ask.filename ?? ask.path.at(-1) ?? folder.cid.toString()
  return { code: 0, msg: '', data: { Name: name, Size: folder.size, Total: total, FileProperties: properties } }
}

/** Unreadable and blocked entries are still listed; a disconnected client ends the listing. */
const sizeOr = (size: number) => (error: unknown) => {
  if (error instanceof ContentError || (error instanceof Refusal && error.status === 451)) return { size }
  throw error
}

/** Folders of earlier versions have no stored counts: read them once while they are open. */
async function countAll(content: OpenContent, getBlock: GetBlock, signal: AbortSignal): Promise<ShardCounts> {
  const index = await content.index()
  const counter = createShardCounter(async (shard) => {
    const place = await content.locate(shard.multihash.digest, shard.code)
    if (!place) throw new ContentError('not-found', `${shard} is not part of this content`)
    return place.record
  })
  for (let record = 0; record < index.count; record += 1) {
    signal.throwIfAborted()
    const { codec, digest } = await index.at(record)
    if (codec === RAW) continue
    const cid = cidOfDigest(DAG_PB, digest)
    counter.add(record, readNode(cid, await getBlock(cid)))
  }
  return counter.finish()
}
