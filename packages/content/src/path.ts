import type { Cid } from './cid.ts'
import { checkChildShard, type ReadBlock, readBlock, shardLabel } from './dag.ts'
import { ContentError } from './errors.ts'
import { prefixLength, shardPath } from './hamt.ts'
import type { UnixfsNode } from './unixfs.ts'
import type { GetBlock } from './verify.ts'

const MAX_PATH_SEGMENTS = 256

/** The blocks that prove a path, from the root to its target, including shards. */
export async function resolvePath(root: Cid, path: string, getBlock: GetBlock): Promise<ReadBlock[]> {
  const names = path.split('/').filter((name) => name !== '')
  if (names.length > MAX_PATH_SEGMENTS) throw new ContentError('not-found', 'the path has too many segments')
  const trail = [await readBlock(root, getBlock)]
  for (const name of names) trail.push(...(await lookUp(trail[trail.length - 1]!.node, name, getBlock)))
  return trail
}

/** The blocks from an entry of a directory to its target: shards, and the target itself. Throws ContentError 'not-found'. */
export async function lookUp(directory: UnixfsNode, name: string, getBlock: GetBlock): Promise<ReadBlock[]> {
  if (directory.kind === 'directory') {
    const link = directory.links.find((link) => link.name === name)
    if (link) return [await readBlock(link.cid, getBlock)]
  }
  if (directory.kind !== 'shard') throw notFound(name)
  const trail: ReadBlock[] = []
  const digits = prefixLength(directory.fanout)
  let shard = directory
  for (const index of shardPath(name, directory.fanout)) {
    const label = shardLabel(index, digits)
    const link = shard.links.find((link) => link.name === label || link.name === label + name)
    if (!link) break
    const block = await readBlock(link.cid, getBlock)
    trail.push(block)
    if (link.name !== label) return trail
    checkChildShard(block.node, directory.fanout)
    shard = block.node
  }
  throw notFound(name)
}

function notFound(name: string): ContentError {
  return new ContentError('not-found', `there is no ${JSON.stringify(name)}`)
}
