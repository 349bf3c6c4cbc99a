import { concat } from '@tidenet/content/concat'
import { MiB } from '@tidenet/contract/constants'
import type { Core } from '../core.ts'
import { openOrKeep } from '../encryption.ts'
import { type Failure, isSuccess } from '../result.ts'
import type { ArchiveAccess } from './archive-access.ts'
import { encryptedPath } from './archive-paths.ts'
import { type StreamDeps, streamEntry } from './archive-stream.ts'
import type { ArchiveEntry } from './archive-types.ts'
import type { ArchiveWriter } from './archive-writer.ts'
import { getAddresses, startDownload } from './download.ts'

/** Files up to this size are fetched completely before their header is written. */
const PREFETCH_SIZE_MAX = 4 * MiB
const PREFETCH_COUNT = 3

type Fetched = { bytes: Uint8Array } | Failure

export interface ArchiveFetcher {
  /** Begins to fetch the next small files. */
  prefetch(from: number): void
  /** Adds an entry to the archive. @returns why nothing of it could be fetched. @throws Stop */
  add(entry: ArchiveEntry, place?: number): Promise<Failure | undefined>
  /** Bytes by node. */
  readonly bytesByNode: ReadonlyMap<string, number>
  end(): Promise<void>
}

/** Fetches the entries of an archive, small files ahead of their turn. */
export function createArchiveFetcher(
  deps: StreamDeps,
  entries: readonly ArchiveEntry[],
  onBytes: (path: string) => void,
): ArchiveFetcher {
  const { core, archive, access, signal } = deps
  const bytesByNode = new Map<string, number>()
  /** Cancels prefetched files when the archive fails. */
  const cancel = new AbortController()
  const needed = AbortSignal.any([signal, cancel.signal])
  /** Prefetched files by entry index. */
  const prefetched = new Map<number, Promise<Fetched>>()

  const count = (nodes: readonly { node_id: string; bytes: number }[]) => {
    for (const { node_id, bytes } of nodes) bytesByNode.set(node_id, (bytesByNode.get(node_id) ?? 0) + bytes)
  }
  const fetchWhole = async ({ cid = '', size = 0 }: ArchiveEntry): Promise<Fetched> => {
    let collected: Uint8Array[] = []
    const result = await access.call(() => {
      const { stream, pieces } = collector(size)
      collected = pieces
      const options = { assetCid: cid, assetType: 'file' as const, ...access.source, to: { stream }, signal: needed }
      return startDownload(core, options)
    })
    if (!isSuccess(result)) return result
    count(result.data.nodes)
    return { bytes: concat(collected) }
  }
  const addSmall = async (entry: ArchiveEntry, place: number | undefined): Promise<Failure | undefined> => {
    const fetched = await ((place !== undefined && prefetched.get(place)) || fetchWhole(entry))
    if (place !== undefined) prefetched.delete(place)
    signal.throwIfAborted()
    if ('code' in fetched) return fetched
    await writeFile(archive, await opened(deps, entry, fetched.bytes))
  }
  return {
    bytesByNode,
    prefetch(from) {
      for (let place = from; place < entries.length && prefetched.size < PREFETCH_COUNT; place++) {
        const entry = entries[place]
        // A large file gets the whole bandwidth.
        if (!entry || !isSmall(entry)) return
        if (prefetched.has(place)) continue
        const fetching = fetchWhole(entry)
        // Thrown when it is its turn.
        fetching.catch(() => {})
        prefetched.set(place, fetching)
      }
    },
    async add(given, place) {
      const entry = await withSize(core, access, given, signal)
      if ('code' in entry) return entry
      if (entry.cid === undefined) await archive.folder(entry.path)
      else if (isSmall(entry)) return addSmall(entry, place)
      else {
        const streamed = await access.call(() => streamEntry(deps, entry, () => onBytes(entry.path)))
        if (!isSuccess(streamed)) return streamed
        count(streamed.data)
      }
    },
    async end() {
      cancel.abort()
      await Promise.allSettled(prefetched.values())
    },
  }
}

const isSmall = ({ cid, assetType, size }: ArchiveEntry): boolean =>
  cid !== undefined && assetType !== 'folder' && size !== undefined && size <= PREFETCH_SIZE_MAX

/** Keeps a file in memory. Its size is what the portal says, which for a file on a node of its owner is what the owner says. */
function collector(size: number): { stream: WritableStream<Uint8Array>; pieces: Uint8Array[] } {
  const pieces: Uint8Array[] = []
  let left = size
  const stream = new WritableStream<Uint8Array>({
    write(piece) {
      left -= piece.length
      if (left < 0) throw new Error('the file is larger than the portal says')
      pieces.push(piece)
    },
  })
  return { stream, pieces }
}

/** The entry with its size: the header of a file in an archive needs it. */
async function withSize(
  core: Core,
  access: ArchiveAccess,
  entry: ArchiveEntry,
  signal: AbortSignal,
): Promise<ArchiveEntry | Failure> {
  const { cid } = entry
  if (cid === undefined || entry.assetType === 'folder' || entry.size !== undefined) return entry
  const addresses = await access.call(() =>
    getAddresses(core, { assetCid: cid, ...access.source, preview: true, signal }),
  )
  signal.throwIfAborted()
  if (!isSuccess(addresses)) return addresses
  return { ...entry, size: addresses.data.size, assetType: entry.assetType ?? addresses.data.asset_type }
}

/** A small file, decrypted if it is encrypted and the key fits. */
async function opened(
  { core: { platform }, decrypt }: Pick<StreamDeps, 'core' | 'decrypt'>,
  { path, encrypted }: ArchiveEntry,
  bytes: Uint8Array,
): Promise<{ path: string; bytes: Uint8Array }> {
  if (!encrypted) return { path, bytes }
  async function* whole() {
    yield bytes
  }
  const { opened } = decrypt ? await openOrKeep(platform.ciphers, decrypt, whole()) : {}
  if (!opened) return { path: encryptedPath(path), bytes }
  const plain: Uint8Array[] = []
  for await (const piece of opened.pieces) plain.push(piece)
  return { path, bytes: concat(plain) }
}

async function writeFile(archive: ArchiveWriter, { path, bytes }: { path: string; bytes: Uint8Array }): Promise<void> {
  async function* whole() {
    yield bytes
  }
  await archive.file(path, bytes.length, whole(), () => {})
}
