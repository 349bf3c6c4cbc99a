import type { Cid } from './cid.ts'
import type { UnixfsNode } from './unixfs.ts'

/**
 * The links of a node that stand for a whole file or folder: entries of a folder, and of a file the part that has all of its bytes. Others
 * stand for no file: a content that begins or ends with the same bytes, such as zeros or an exact prefix, is another one.
 */
export function wholeLinks({ kind, links, data, fileSize, blockSizes }: UnixfsNode): Cid[] {
  const isFolder = kind === 'directory' || kind === 'shard'
  const hasAll = (at: number) => data.length === 0 && (links.length === 1 || blockSizes[at] === fileSize)
  return links.flatMap(({ cid }, at) => (isFolder || hasAll(at) ? [cid] : []))
}
