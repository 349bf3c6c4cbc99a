import { importer } from 'ipfs-unixfs-importer'
import { fixedSize } from 'ipfs-unixfs-importer/chunker'
import { balanced } from 'ipfs-unixfs-importer/layout'
import type { CID } from 'multiformats/cid'

/** Blocks and root CID that another implementation produces for the same input. */
export interface Imported {
  cid: CID
  blocks: Map<string, Uint8Array>
}

export interface OracleOptions {
  chunkSize?: number
  width?: number
  /** Directories whose names and CIDs take more bytes than this are sharded. */
  shardAbove?: number
}

/** Adds a file as `ipfs add --cid-version=1` does. */
export function importFile(bytes: Uint8Array, options: OracleOptions = {}): Promise<Imported> {
  return run([{ content: bytes }], options, false)
}

/** Adds a folder; paths with a trailing slash are empty folders. */
export function importFolder(files: Iterable<[path: string, bytes: Uint8Array]>, options: OracleOptions = {}) {
  const candidates = Array.from(files, ([path, content]) =>
    path.endsWith('/') ? { path: path.slice(0, -1) } : { path, content },
  )
  return run(candidates, options, true)
}

async function run(
  candidates: Parameters<typeof importer>[0],
  options: OracleOptions,
  wrapWithDirectory: boolean,
): Promise<Imported> {
  const { chunkSize = 262_144, width = 174, shardAbove = 262_144 } = options
  const blocks = new Map<string, Uint8Array>()
  const store = {
    async put(cid: CID, source: unknown) {
      if (!(source instanceof Uint8Array)) throw new Error('the oracle writes whole blocks')
      blocks.set(cid.toString(), source)
      return cid
    },
  }
  let cid: CID | undefined
  const settings = {
    cidVersion: 1 as const,
    rawLeaves: true,
    chunker: fixedSize({ chunkSize }),
    layout: balanced({ maxChildrenPerNode: width }),
    shardSplitStrategy: 'links-bytes' as const,
    shardSplitThresholdBytes: shardAbove,
    wrapWithDirectory,
  }
  // The importer's type asks for a whole blockstore, but it only calls put.
  for await (const entry of importer(candidates, store as unknown as Parameters<typeof importer>[1], settings))
    cid = entry.cid
  if (!cid) throw new Error('the oracle made nothing')
  return { cid, blocks }
}
