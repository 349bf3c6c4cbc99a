import { type Cid, RAW } from './cid.ts'
import { checkChildShard, checkFilePart, fileParts, isFile, MAX_FILE_DEPTH, shardIndex } from './dag.ts'
import { prefixLength, shardPath } from './hamt.ts'
import { checkName, MAX_FOLDER_ENTRIES, MAX_SEGMENTS } from './names.ts'
import type { UnixfsNode } from './unixfs.ts'

/** A folder that could not be listed or downloaded, with the reason and the path. */
export class Unfetchable extends Error {
  readonly what: 'symlink' | 'name' | 'twice' | 'deep' | 'many' | 'malformed'
  /** Path segments from the root; the last one may be invalid. */
  readonly path: readonly string[]

  constructor(what: Unfetchable['what'], path: readonly string[], options?: ErrorOptions) {
    super(`${what} at ${JSON.stringify(path.join('/').slice(0, 500))}`, options)
    this.name = 'Unfetchable'
    this.what = what
    this.path = path
  }
}

export interface StoredBlocks {
  /** A decoded dag-pb block and a unique number for it. Throws if it is missing. */
  node(cid: Cid): Promise<{ id: number; node: UnixfsNode }>
  /** Size of a raw leaf in bytes. Throws if it is missing. */
  size(cid: Cid): Promise<number>
}

/** The subtree of a node: levels, and entries with repetitions. */
interface Below {
  levels: number
  entries: number
}

/**
 * Checks that every path in a folder can be listed and downloaded, and the folder as an archive. Reads every block, except raw leaves, of
 * which it needs only the size. Memory: about 100 bytes per folder and per file of several blocks.
 * @throws Unfetchable for symbolic links, invalid or duplicate names, too many levels or entries, and inconsistent files and shards
 */
export async function checkFetchable(root: Cid, blocks: StoredBlocks): Promise<void> {
  const directories = new Map<number, Below>()
  const files = new Map<number, number>()
  const shards = new Map<number, { below: Below; position: string }>()

  const add = (to: Below, child: Below, path: readonly string[]) => {
    to.levels = Math.max(to.levels, child.levels + 1)
    to.entries += child.entries + 1
    if (to.entries > MAX_FOLDER_ENTRIES) throw new Unfetchable('many', path)
  }

  /** Levels below a node at `depth` in its file. */
  const file = async (id: number, node: UnixfsNode, depth: number, path: readonly string[]): Promise<number> => {
    let levels = files.get(id) ?? 0
    if (!files.has(id)) {
      for (const { cid, size } of fileParts(node, 0, 0)) {
        let below = 0
        if (cid.code === RAW) {
          if (size === 0 || (await blocks.size(cid)) !== size) throw new Unfetchable('malformed', path)
        } else {
          const child = await blocks.node(cid)
          checked(path, () => checkFilePart(child.node, size, depth + 1))
          below = await file(child.id, child.node, depth + 1, path)
        }
        levels = Math.max(levels, below + 1)
      }
      files.set(id, levels)
    }
    // The node may have been checked earlier at a smaller depth.
    if (depth + levels >= MAX_FILE_DEPTH) throw new Unfetchable('malformed', path)
    return levels
  }

  const shard = async (id: number, node: UnixfsNode, position: number[], path: readonly string[]): Promise<Below> => {
    const place = `${node.fanout}:${position.join(',')}`
    const known = shards.get(id)
    // A name is valid at one position of the shard only.
    if (known && known.position !== place) throw new Unfetchable('malformed', path)
    if (known) return known.below
    const below: Below = { levels: 0, entries: 0 }
    const digits = prefixLength(node.fanout)
    const taken = new Set<number>()
    for (const link of node.links) {
      const index = checked(path, () => shardIndex(link.name, digits, node.fanout))
      if (taken.has(index)) throw new Unfetchable('twice', path)
      taken.add(index)
      const at = [...position, index]
      if (link.name.length === digits) {
        if (link.cid.code === RAW || at.length * Math.log2(node.fanout) > 64) throw new Unfetchable('malformed', path)
        const child = await blocks.node(link.cid)
        checked(path, () => checkChildShard(child.node, node.fanout))
        const inner = await shard(child.id, child.node, at, path)
        below.levels = Math.max(below.levels, inner.levels)
        below.entries += inner.entries
        if (below.entries > MAX_FOLDER_ENTRIES) throw new Unfetchable('many', path)
        continue
      }
      const name = link.name.slice(digits)
      const inner = await entry(link.cid, [...path, name])
      const own = shardPath(name, node.fanout)
      if (at.some((index, depth) => own[depth] !== index)) throw new Unfetchable('malformed', [...path, name])
      add(below, inner, path)
    }
    shards.set(id, { below, position: place })
    return below
  }

  const directory = async (id: number, node: UnixfsNode, path: readonly string[]): Promise<Below> => {
    const known = directories.get(id)
    if (known) return known
    const below: Below = { levels: 0, entries: 0 }
    const names = new Set<string>()
    for (const { name, cid } of node.links) {
      const inner = await entry(cid, [...path, name])
      if (names.has(name)) throw new Unfetchable('twice', [...path, name])
      names.add(name)
      add(below, inner, path)
    }
    directories.set(id, below)
    return below
  }

  /** Checks the target of a name; the root has an empty path. */
  const entry = async (cid: Cid, path: readonly string[]): Promise<Below> => {
    if (path.length > MAX_SEGMENTS) throw new Unfetchable('deep', path)
    const name = path.at(-1)
    if (name !== undefined) checked(path, () => checkName(name), 'name')
    if (cid.code === RAW) {
      await blocks.size(cid)
      return { levels: 0, entries: 0 }
    }
    const { id, node } = await blocks.node(cid)
    if (node.kind === 'symlink') throw new Unfetchable('symlink', path)
    if (isFile(node)) {
      await file(id, node, 0, path)
      return { levels: 0, entries: 0 }
    }
    const below = node.kind === 'shard' ? await shard(id, node, [], path) : await directory(id, node, path)
    // The node may have been checked earlier at a smaller depth.
    if (path.length + below.levels > MAX_SEGMENTS) throw new Unfetchable('deep', path)
    return below
  }

  await entry(root, [])
}

function checked<T>(path: readonly string[], check: () => T, what: Unfetchable['what'] = 'malformed'): T {
  try {
    return check()
  } catch (cause) {
    throw new Unfetchable(what, path, { cause })
  }
}
