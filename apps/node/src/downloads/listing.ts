import { type Cid, RAW } from '@tidenet/content'
import { type DirectoryEntry, listDirectory, statPath } from '@tidenet/content/graph'
import type { GetBlock } from '@tidenet/content/verify'
import type { Ask } from './ask.ts'

/** A folder as the wire shows it (wire 11.2). */
export interface Listing {
  code: 0
  msg: ''
  data: {
    Name: string
    /** Bytes of everything below, as the maker of the folder declared them. */
    Size: number
    /** Entries of the folder, all pages. */
    Total: number
    FileProperties: { FileName: string; CID: string; Size: number; Link: string }[]
  }
}

/** One page of a folder's entries. `Link` leads to the entry with the caller's own query. */
export async function listFolder(
  folder: { cid: Cid; size: number },
  getBlock: GetBlock,
  ask: Ask,
  link: (name: string) => string,
): Promise<Listing> {
  const first = ask.page * ask.count
  const entries: DirectoryEntry[] = []
  let total = 0
  for await (const entry of listDirectory(folder.cid, getBlock)) {
    if (total >= first && entries.length < ask.count) entries.push(entry)
    total += 1
  }
  const properties: Listing['data']['FileProperties'] = []
  for (const { name, cid, size } of entries) {
    // Sizes in links are hints; the entry itself knows.
    const bytes = cid.code === RAW ? size : (await statPath(cid, '', getBlock).catch(() => ({ size }))).size
    properties.push({ FileName: name, CID: cid.toString(), Size: bytes, Link: link(name) })
  }
  const name = ask.filename ?? ask.path.at(-1) ?? folder.cid.toString()
  return { code: 0, msg: '', data: { Name: name, Size: folder.size, Total: total, FileProperties: properties } }
}
