import { carFrameSize, carHeader, carPrefix } from './car.ts'
import { type Block, type Cid, cidText } from './cid.ts'
import { buildDirectory, type Directory } from './directory.ts'
import { ContentError } from './errors.ts'
import { createFileHasher, type HashedFile } from './file.ts'
import { fileCarSize, fileFrames } from './file-car.ts'
import { badPath, MAX_FOLDER_ENTRIES, splitPath } from './names.ts'
import { type ByteSource, piecesOf } from './pieces.ts'

/** A file of a folder, or with a path that ends in a slash an empty folder (its `open` is never called). */
export interface FolderEntry {
  /** `a/b/c.txt`: relative to the folder, whose own name is not in it. */
  path: string
  /** Bytes. */
  size: number
  /** Opens the content from its start: once while planning, once while sending. Pieces are passed on, so do not reuse their memory. */
  open(): ByteSource
}

export interface FolderProgress {
  /** The file that is being hashed. */
  path: string
  files: number
  bytes: number
}

export interface PlanOptions {
  onProgress?: (progress: FolderProgress) => void
  signal?: AbortSignal
}

/** A folder whose CID and size are known, ready to be sent. */
export interface FolderPlan {
  root: Cid
  /** Bytes of the CAR, header included. */
  carSize: number
  /** Bytes of all files. */
  contentSize: number
  files: number
  /** Folders inside, those that only paths name included; the folder itself is not counted. */
  folders: number
  /** Every file and folder inside, in the order in which `tarFolder` writes them; paths of folders end in a slash. */
  tree(): Iterable<{ path: string; kind: 'file' | 'directory'; size: number }>
  /**
   * The CARv1, whose header names the root. Files are read again; one that changed since ends the stream with ContentError
   * 'changed'. `start` leaves out that many bytes at the front; files that lie before it are not opened.
   */
  car(options?: { signal?: AbortSignal; start?: number }): AsyncIterable<Uint8Array>
}

interface PlannedFile {
  name: string
  entry: FolderEntry
  file: HashedFile
  cidBytes: Uint8Array
  cumulativeSize: number
}

interface PlannedFolder extends Directory<PlannedFile | PlannedFolder> {
  name: string
  cidBytes: Uint8Array
}

/** What stands in the CAR, in order, with the bytes that it takes there. */
type Step = { size: number; block: Block } | { size: number; planned: PlannedFile }

/** The tree of names while entries arrive. */
type Names = Map<string, Names | PlannedFile>

/**
 * Hashes a folder (first pass), so that its CID and the size of its CAR are known before a byte is sent. Memory grows by the names
 * and by about 50 bytes for each leaf, never by contents.
 *
 * Order of the CAR: depth first, each node before its children, children in the order of links; of a file its nodes, root first, each
 * followed by its leaves. So whoever reads it knows what every block is for when it arrives. A file or folder that occurs again
 * is written at its first place alone.
 *
 * Throws ContentError 'bad-path' (absolute, empty or `..` segments, NUL, names twice, a file that is also a folder, too long or deep),
 * 'changed' (a file whose size is not the one that was told), 'too-large' (too many files and folders), and what `open` throws.
 */
export async function planFolder(
  entries: AsyncIterable<FolderEntry> | Iterable<FolderEntry>,
  options: PlanOptions = {},
): Promise<FolderPlan> {
  const { onProgress, signal } = options
  const names: Names = new Map()
  const progress = { files: 0, bytes: 0 }
  let folders = 0

  function room(): void {
    if (progress.files + folders > MAX_FOLDER_ENTRIES) {
      throw new ContentError('too-large', `a folder of more than ${MAX_FOLDER_ENTRIES} files and folders`)
    }
  }

  function folderAt(path: string, segments: string[]): Names {
    let at = names
    for (const segment of segments) {
      let next = at.get(segment)
      if (!next) {
        next = new Map()
        at.set(segment, next)
        folders++
        room()
      }
      if (!(next instanceof Map)) throw badPath(path, 'is inside a file')
      at = next
    }
    return at
  }

  for await (const entry of entries) {
    signal?.throwIfAborted()
    const { names: segments, isFolder } = splitPath(entry.path)
    if (isFolder) {
      folderAt(entry.path, segments)
      continue
    }
    const name = segments.pop()!
    const folder = folderAt(entry.path, segments)
    if (folder.has(name)) throw badPath(entry.path, 'occurs twice')
    const file = await hashEntry(entry, signal, (bytes) => {
      progress.bytes += bytes
      onProgress?.({ path: entry.path, ...progress })
    })
    progress.files++
    room()
    onProgress?.({ path: entry.path, ...progress })
    folder.set(name, planned(name, entry, file))
  }

  const root = await buildFolder('', names)
  const steps = stepsOf(root)
  const header = carHeader([root.block.cid])
  return {
    root: root.block.cid,
    carSize: steps.reduce((total, step) => total + step.size, header.length),
    contentSize: progress.bytes,
    files: progress.files,
    folders,
    tree: () => treeOf(root),
    car: (options = {}) => sendSteps(header, steps, options.start ?? 0, options.signal),
  }
}

async function hashEntry(
  entry: FolderEntry,
  signal: AbortSignal | undefined,
  onBytes: (bytes: number) => void,
): Promise<HashedFile> {
  const hasher = createFileHasher()
  let size = 0
  for await (const piece of piecesOf(() => entry.open(), signal)) {
    size += piece.length
    // A file that grows while it is read may have no end.
    if (size > entry.size) break
    await hasher.update(piece)
    onBytes(piece.length)
  }
  if (size !== entry.size) throw changed(entry)
  return hasher.finish()
}

function planned(name: string, entry: FolderEntry, file: HashedFile): PlannedFile {
  const cumulativeSize = file.inner.reduce((total, block) => total + block.bytes.length, file.size)
  return { name, entry, file, cidBytes: file.cid.bytes, cumulativeSize }
}

async function buildFolder(name: string, names: Names): Promise<PlannedFolder> {
  const items: (PlannedFile | PlannedFolder)[] = []
  for (const [name, item] of names) items.push(item instanceof Map ? await buildFolder(name, item) : item)
  const directory = await buildDirectory(items)
  return { ...directory, name, cidBytes: directory.block.cid.bytes }
}

function* treeOf(root: Directory<PlannedFile | PlannedFolder>): ReturnType<FolderPlan['tree']> {
  const waiting: { item: PlannedFile | Directory<PlannedFile | PlannedFolder>; path: string }[] = []
  const open = (items: (typeof root)['items'], path: string) => {
    for (const item of items.toReversed()) waiting.push({ item, path })
  }
  open(root.items, '')
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { item, path } = next
    if ('file' in item) {
      yield { path: path + item.name, kind: 'file', size: item.file.size }
      continue
    }
    // A shard has no name: its entries are those of its directory.
    const below = 'name' in item ? `${path}${item.name}/` : path
    if (below !== path) yield { path: below, kind: 'directory', size: 0 }
    open(item.items, below)
  }
}

function stepsOf(root: Directory<PlannedFile | PlannedFolder>): Step[] {
  const steps: Step[] = []
  const seen = new Set<string>()
  const waiting: (PlannedFile | Directory<PlannedFile | PlannedFolder>)[] = [root]
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    const cid = 'file' in item ? item.file.cid : item.block.cid
    if (seen.has(cidText(cid))) continue
    seen.add(cidText(cid))
    if ('file' in item) {
      steps.push({ size: fileCarSize(item.file), planned: item })
      continue
    }
    steps.push({ size: carFrameSize(cid, item.block.bytes.length), block: item.block })
    waiting.push(...item.items.toReversed())
  }
  return steps
}

async function* sendSteps(
  header: Uint8Array,
  steps: Step[],
  start: number,
  signal?: AbortSignal,
): AsyncIterable<Uint8Array> {
  let skip = start
  /** What of these bytes is to be sent. */
  function unsent(bytes: Uint8Array): Uint8Array {
    const from = Math.min(skip, bytes.length)
    skip -= from
    return bytes.subarray(from)
  }

  yield* nonEmpty(unsent(header))
  for (const step of steps) {
    signal?.throwIfAborted()
    if (skip >= step.size) {
      skip -= step.size
      continue
    }
    if ('block' in step) {
      yield* nonEmpty(unsent(carPrefix(step.block.cid, step.block.bytes.length)))
      yield* nonEmpty(unsent(step.block.bytes))
      continue
    }
    const { entry, file } = step.planned
    const skipped = skip
    skip = 0
    yield* fileFrames(
      file,
      piecesOf(() => entry.open(), signal),
      { start: skipped, onChanged: () => changed(entry) },
    )
  }
}

function* nonEmpty(bytes: Uint8Array): Iterable<Uint8Array> {
  if (bytes.length > 0) yield bytes
}

function changed(entry: FolderEntry): ContentError {
  return new ContentError('changed', `${JSON.stringify(entry.path)} changed while it was read`)
}
