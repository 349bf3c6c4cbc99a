import { type Cid, DAG_PB } from './cid.ts'
import type { UnixfsNode } from './unixfs.ts'

/**
 * The links of a node that stand for a whole file or folder, or for an inner node. A raw leaf that is one of several parts of a file stands
 * for no file: a content that begins or ends with the same 262,144 bytes, such as zeros, is another one.
 */
export function wholeLinks({ kind, links, data }: UnixfsNode): Cid[] {
  const isWhole = kind === 'directory' || kind === 'shard' || (links.length === 1 && data.length === 0)
  return links.flatMap(({ cid }) => (isWhole || cid.code === DAG_PB ? [cid] : []))
}
