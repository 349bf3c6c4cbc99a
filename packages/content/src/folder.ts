import { carFrameSize, carHeader, carPrefix } from './car.ts'
import { type Block, type Cid, cidText, rawCid } from './cid.ts'
import { concat } from './concat.ts'
import { buildDirectory, type Directory } from './directory.ts'
import { ContentError } from './errors.ts'
import { CHUNK_SIZE, createFileHasher, type HashedFile } from './file.ts'
import { fileCarSize, fileFrames } from './file-car.ts'
import { badPath, MAX_FOLDER_ENTRIES, splitPath } from './names.ts'
import { type ByteSource, piecesOf } from './pieces.ts'

/** A file of a folder; a path with a trailing slash is an empty folder (`open` is not called). */
export interface FolderEntry {
  /** `a/b/c.txt`: relative to the folder, without the folder's own name. */
  path: string
  /** Bytes. */
  size: number
  /**
   * Opens the content from its start: once for planning, and for sending unless it was small. Pieces are passed on and kept, so do not
   * reuse their buffers.
   */
  open(): ByteSource
}

export interface FolderProgress {
  /** The file being hashed. */
  path: string
  files: number
  bytes: number
}

export interface PlanOptions {
  onProgress?: (progress: FolderProgress) => void
  signal?: AbortSignal
}

/** A folder with known CID and size, ready to be sent. */
export interface FolderPlan {
  root: Cid
  /** Bytes of the CAR, including the header. */
  carSize: number
  /** Total bytes of all files. */
  contentSize: number
  files: number
  /** Subfolders, including those that only occur in paths of files. */
  folders: number
  /** Every file and subfolder in the order in which `tarFolder` writes them; folder paths have a trailing slash. */
  tree(): Iterable<{ path: string; kind: 'file' | 'directory'; size: number }>
  /**
   * The CARv1, whose header has the root. Files that are not kept in memory are read again; if one has changed, the stream ends with ContentError 'changed'. `start`:
   * bytes to skip at the front; files before it are not opened.
   */
  car(options?: { signal?: AbortSignal; start?: number }): AsyncIterable<Uint8Array>
}

/** Bytes of small files that are kept, so that they need not be opened, read and hashed again. */
const KEPT_MAX = 24 << 20

interface PlannedFile {
  name: string
  entry: FolderEntry
  file: HashedFile
  /** The content, if it is a kept leaf. */
  bytes: Uint8Array | undefined
  cidBytes: Uint8Array
  cumulativeSize: number
}

interface PlannedFolder extends Directory<PlannedFile | PlannedFolder> {
  name: string
  cidBytes: Uint8Array
}

/** An item of the CAR, in order, with its size in bytes. */
type CarItem = { size: number; block: Block } | { size: number; planned: PlannedFile }

/** The tree of names. */
type Names = Map<string, Names | PlannedFile>

/**
 * Hashes a folder, so that its CID and CAR size are known before sending. Memory grows with the names and by about 50 bytes per leaf, not
 * with file sizes, beyond 24 MiB of the first small files.
 *
 * Order of the CAR: depth first, each node before its children, children in the order of links. A reader therefore knows the purpose of
 * each block when it arrives. A repeated file or folder is written only once.
 *
 * Throws ContentError 'bad-path' (absolute, empty or `..` segments, NUL, duplicate names, a file that is also a folder, too long or deep),
 * 'changed' (the size of a file differs from `size`), 'too-large' (too many files and folders), and errors of `open`.
 */
export async function planFolder(
  entries: AsyncIterable<FolderEntry> | Iterable<FolderEntry>,
  options: PlanOptions = {},
): Promise<FolderPlan> {
  const { onProgress, signal } = options
  const names: Names = new Map()
  const progress = { files: 0, bytes: 0 }
  let folders = 0
  let kept = 0

  function checkLimit(): void {
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
        checkLimit()
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
    const keep = entry.size <= CHUNK_SIZE && kept + entry.size <= KEPT_MAX
    if (keep) kept += entry.size
    const { file, bytes } = await hashEntry(entry, { keep, signal }, (bytes) => {
      progress.bytes += bytes
      onProgress?.({ path: entry.path, ...progress })
    })
    progress.files++
    checkLimit()
    onProgress?.({ path: entry.path, ...progress })
    folder.set(name, planned(name, entry, { file, bytes }))
  }

  const root = await buildFolder('', names)
  const steps = carItems(root)
  const header = carHeader([root.block.cid])
  return {
    root: root.block.cid,
    carSize: steps.reduce((total, step) => total + step.size, header.length),
    contentSize: progress.bytes,
    files: progress.files,
    folders,
    tree: () => treeOf(root),
    car: (options = {}) => writeCar(header, steps, options.start ?? 0, options.signal),
  }
}

async function hashEntry(
  entry: FolderEntry,
  { keep, signal }: { keep: boolean; signal: AbortSignal | undefined },
  onBytes: (bytes: number) => void,
): Promise<Pick<PlannedFile, 'file' | 'bytes'>> {
  // A kept file is one leaf and is hashed when it is complete: creating a hasher for each small file would take longer than hashing.
  const hasher = keep ? undefined : createFileHasher()
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of piecesOf(() => entry.open(), signal)) {
    size += piece.length
    // A growing file may not end.
    if (size > entry.size) break
    const hashed = hasher?.update(piece)
    if (hashed) await hashed
    if (keep) pieces.push(piece)
    onBytes(piece.length)
  }
  if (size !== entry.size) throw changed(entry)
  if (hasher) return { file: await hasher.finish(), bytes: undefined }
  const bytes = concat(pieces)
  return { file: { cid: await rawCid(bytes), size, leaves: 1, inner: [] }, bytes }
}

function planned(name: string, entry: FolderEntry, { file, bytes }: Pick<PlannedFile, 'file' | 'bytes'>): PlannedFile {
  const cumulativeSize = file.inner.reduce((total, block) => total + block.bytes.length, file.size)
  return { name, entry, file, bytes, cidBytes: file.cid.bytes, cumulativeSize }
}

async function buildFolder(name: string, names: Names): Promise<PlannedFolder> {
  const items: (PlannedFile | PlannedFolder)[] = []
  for (const [name, item] of names) items.push(item instanceof Map ? await buildFolder(name, item) : item)
  const directory = await buildDirectory(items)
  return { ...directory, name, cidBytes: directory.block.cid.bytes }
}

function* treeOf(root: Directory<PlannedFile | PlannedFolder>): ReturnType<FolderPlan['tree']> {
  const stack: { item: PlannedFile | Directory<PlannedFile | PlannedFolder>; path: string }[] = []
  const open = (items: (typeof root)['items'], path: string) => {
    for (const item of items.toReversed()) stack.push({ item, path })
  }
  open(root.items, '')
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { item, path } = next
    if ('file' in item) {
      yield { path: path + item.name, kind: 'file', size: item.file.size }
      continue
    }
    // Shards have no name: their entries belong to the directory.
    const below = 'name' in item ? `${path}${item.name}/` : path
    if (below !== path) yield { path: below, kind: 'directory', size: 0 }
    open(item.items, below)
  }
}

function carItems(root: Directory<PlannedFile | PlannedFolder>): CarItem[] {
  const steps: CarItem[] = []
  const seen = new Set<string>()
  const stack: (PlannedFile | Directory<PlannedFile | PlannedFolder>)[] = [root]
  for (let item = stack.pop(); item; item = stack.pop()) {
    const cid = 'file' in item ? item.file.cid : item.block.cid
    if (seen.has(cidText(cid))) continue
    seen.add(cidText(cid))
    if ('file' in item) {
      steps.push({ size: fileCarSize(item.file), planned: item })
      continue
    }
    steps.push({ size: carFrameSize(cid, item.block.bytes.length), block: item.block })
    stack.push(...item.items.toReversed())
  }
  return steps
}

async function* writeCar(
  header: Uint8Array,
  steps: CarItem[],
  start: number,
  signal?: AbortSignal,
): AsyncIterable<Uint8Array> {
  let skip = start
  /** The part of these bytes after `start`. */
  function afterSkip(bytes: Uint8Array): Uint8Array {
    const from = Math.min(skip, bytes.length)
    skip -= from
    return bytes.subarray(from)
  }

  yield* nonEmpty(afterSkip(header))
  for (const step of steps) {
    signal?.throwIfAborted()
    if (skip >= step.size) {
      skip -= step.size
      continue
    }
    if ('block' in step) {
      yield* nonEmpty(afterSkip(carPrefix(step.block.cid, step.block.bytes.length)))
      yield* nonEmpty(afterSkip(step.block.bytes))
      continue
    }
    const { entry, file, bytes } = step.planned
    if (bytes) {
      yield* nonEmpty(afterSkip(carPrefix(file.cid, bytes.length)))
      yield* nonEmpty(afterSkip(bytes))
      continue
    }
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
