import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { checkName } from '@tidenet/content'
import { errors, type FolderSkip } from '@tidenet/contract'
import { isSuccess, type Storage } from '@tidenet/storage'
import { ArchiveError, readTar, type TarHeader } from '../archives/read-tar.ts'
import { type TarEntry, tarOf } from '../tar.ts'
import { noResult, type TransferResult, type TransferTask } from '../transfer-task.ts'
import { limit, noSpace, readSpool, shown, spoolFile, whenMoved } from './in-transit.ts'
import { listRemote, nameLimit, need, problemOf, type RemoteFile, remoteFolders, Stopped } from './remote-folder.ts'

/** The files of a program, as archives. */
export interface ProgramDisk {
  /** The folder as a tar archive. Its first entry is the folder itself, under any name. */
  read(path: string): Promise<AsyncIterable<Uint8Array>>
  /** Unpacks an archive in the folder of a program that does not run. */
  write(path: string, archive: Readable): Promise<void>
}

interface Deps {
  storage: Storage
  disk: ProgramDisk
  /** A folder of this machine for files in transit. */
  spool: string
  /** Bytes of its disk that are free. */
  freeBytes(): Promise<number>
  /** Bytes moved, between any two places. */
  onBytes(): void
  /** Resolves when it is stored what will be copied. */
  plan(copying: Record<string, string>): Promise<void>
}

const SKIPPED_SHOWN = 20
/** Programs change files while they are read; then the archive is cut off. */
const READ_TRIES = 3
/** Headers and padding of an archive, per entry. */
const OVERHEAD_BYTES = 8192
/** Files, folders and others in a program, for each file that it may have: a tree of empty folders needs memory, too. */
const ENTRIES_PER_FILE = 10

/** What stays free on this machine, where everybody's programs have their disks. */
const RESERVED_BYTES = 1024 ** 3

/** What the program has. */
interface Local {
  /** The CIDs of its files, by path. */
  files: Map<string, string>
  folders: Set<string>
  /** Links and others. */
  special: Set<string>
  /** Whether everything was read. What is not known here may be the only copy of somebody's work. */
  isComplete: boolean
}

/**
 * Saves what the program changed, and with `fill` copies what it does not have. Can be repeated at any time, also after it was interrupted:
 * what was saved is not saved again, because the storage has it. A file that both sides changed becomes the program's; what the storage had
 * is kept as a version. A file that the program deleted stays in the storage.
 */
export async function syncFolder(task: TransferTask, deps: Deps): Promise<TransferResult> {
  const result = noResult(task)
  const skipped = new Set<string>()
  const skip = (path: string, reason: FolderSkip) => {
    if (skipped.has(path)) return
    skipped.add(path)
    result.skippedCount += 1
    if (result.skipped.length < SKIPPED_SHOWN) result.skipped.push({ path: shown(path), reason })
  }
  const fail = (error: unknown): void => {
    if (!(error instanceof Stopped)) throw error
    result.problem ||= error.problem
    result.note ||= error.message.slice(0, 500)
  }
  try {
    const remote = await listRemote(deps.storage, task.folder, { maxFiles: task.maxFiles, skip })
    const local: Local = { files: new Map(), folders: new Set(), special: new Set(), isComplete: false }
    await save(task, deps, { result, remote, local, skip }).catch(fail)
    if (task.kind === 'fill' && local.isComplete) {
      await fill(task, deps, { result, remote, local, skip })
      result.filled = true
    }
  } catch (error) {
    fail(error)
  }
  return result
}

interface State {
  result: TransferResult
  remote: Map<string, RemoteFile>
  local: Local
  skip: (path: string, reason: FolderSkip) => void
}

/** @throws Stopped */
async function save(task: TransferTask, deps: Deps, state: State): Promise<void> {
  const folderOf = remoteFolders(deps.storage, task.folder)
  for (let attempt = 1; ; attempt++) {
    try {
      return await saveOnce(task, deps, state, folderOf)
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error
      if (attempt === READ_TRIES) throw new Stopped('changing', error.message)
    }
  }
}

async function saveOnce(
  task: TransferTask,
  deps: Deps,
  { result, remote, local, skip }: State,
  folderOf: (names: readonly string[]) => Promise<number>,
): Promise<void> {
  const spool = join(deps.spool, 'file')
  // What an earlier attempt saw may be gone.
  for (const known of [local.files, local.folders, local.special]) known.clear()
  const countName = nameLimit(task.maxFiles * ENTRIES_PER_FILE, () => {
    throw new Stopped('many', 'The program has too many files, folders and links there.')
  })
  let before: number | undefined
  let files = 0
  let left = task.maxBytes
  let stopped: Stopped | undefined
  // Nothing more can be saved, but what the program changed must be known before anything is copied.
  const keepReading = (error: unknown): false => {
    if (!(error instanceof Stopped)) throw error
    stopped = error
    return false
  }
  const maxBytes = task.maxBytes + task.maxFiles * ENTRIES_PER_FILE * OVERHEAD_BYTES
  const limited = limit(await deps.disk.read(task.path), maxBytes, deps.onBytes)
  for await (const entry of readTar(limited)) {
    // The first entry is the folder itself, under a name that depends on the engine and on whether the program runs.
    if (before === undefined) {
      before = namesOf(entry).length
      if (entry.type !== '5') throw new Stopped('failed', `${task.path} is not a folder in the program.`)
      continue
    }
    const names = namesOf(entry).slice(before)
    const path = names.join('/')
    if (path === '') continue
    countName(path)
    if (entry.type === '5') {
      local.folders.add(path)
      continue
    }
    if (entry.type !== '0') {
      local.special.add(path)
      skip(path, 'special')
      continue
    }
    files += 1
    if (files > task.maxFiles) throw new Stopped('many', `The program has more than ${task.maxFiles} files there.`)
    // Files with holes can be larger than the disk.
    if (entry.size > left) throw new Stopped('large', `${shown(path)} is larger than the disk of the program.`)
    left -= entry.size
    const hasSpace = await fitsHere(deps, entry.size)
    const cid = await spoolFile(entry, stopped || !hasSpace ? undefined : spool)
    local.files.set(path, cid)
    if (task.copying[path] !== undefined || result.base[path] === cid) continue
    if (remote.get(path)?.cid === cid) {
      result.base[path] = cid
      continue
    }
    if (stopped) continue
    if (!names.every(isName)) skip(path, 'name')
    else if (entry.size === 0) skip(path, 'empty')
    else if (!hasSpace) stopped = noSpace(path)
    else if (await upload(deps, spool, { names, folderOf, skip }).catch(keepReading)) {
      result.base[path] = cid
      remote.set(path, { cid, size: entry.size })
      result.savedFiles += 1
      result.savedBytes += entry.size
    }
  }
  local.isComplete = true
  // What neither side has any more tells nothing.
  for (const path of Object.keys(result.base)) if (!local.files.has(path) && !remote.has(path)) delete result.base[path]
  if (stopped) throw stopped
}

/** @returns whether the storage has it now @throws Stopped */
async function upload(
  { storage, onBytes }: Pick<Deps, 'storage' | 'onBytes'>,
  file: string,
  {
    names,
    folderOf,
    skip,
  }: { names: readonly string[]; folderOf: (names: readonly string[]) => Promise<number> } & Pick<State, 'skip'>,
): Promise<boolean> {
  const name = names.at(-1) ?? ''
  let groupId: number
  try {
    groupId = await folderOf(names.slice(0, -1))
  } catch (error) {
    // A name that the storage refuses, or too many folders.
    if (!(error instanceof Stopped) || error.problem !== 'failed') throw error
    skip(names.join('/'), 'refused')
    return false
  }
  const options = { groupId, name, onConflict: 'replace', md5: false, resume: false } as const
  const stored = await storage.uploadAsset(file, options, whenMoved(onBytes))
  if (isSuccess(stored)) return true
  const problem = problemOf(stored)
  if (problem !== 'failed') throw new Stopped(problem, stored.msg)
  const isName = stored.data.err === errors.nameForbidden.err || stored.data.err === errors.nameTooLong.err
  skip(names.join('/'), isName ? 'name' : 'refused')
  return false
}

/** @throws Stopped */
async function fill(task: TransferTask, deps: Deps, { result, remote, local, skip }: State): Promise<void> {
  const wanted = new Map<string, RemoteFile>()
  let bytes = 0
  for (const [path, file] of remote) {
    if (result.base[path] === file.cid) continue
    const present = local.files.get(path)
    const isLeftover = task.copying[path] !== undefined
    if (present === file.cid) result.base[path] = file.cid
    // The program changed it, and it could not be saved.
    else if (present !== undefined && present !== result.base[path] && !isLeftover) continue
    else if (!path.split('/').every(isName)) skip(path, 'name')
    else if (isBlocked(path, local)) skip(path, 'twice')
    else {
      wanted.set(path, file)
      bytes += file.size
    }
  }
  if (bytes > task.maxBytes) throw new Stopped('large', 'The folder is larger than the disk of the program.')
  // Before anything is copied, because a program with a part of the files cannot start.
  for (const [path, { size }] of wanted) if (!(await fitsHere(deps, size))) throw noSpace(path)
  if (wanted.size === 0) return
  const copying = Object.fromEntries([...wanted].map(([path, { cid }]) => [path, cid]))
  const leftovers = Object.entries(task.copying).filter(([path]) => local.files.has(path))
  await deps.plan({ ...Object.fromEntries(leftovers), ...copying })
  let sourceError: unknown
  const archive = tarOf(
    (async function* () {
      try {
        yield* entriesOf(wanted, deps)
      } catch (error) {
        sourceError = error
        throw error
      }
    })(),
  )
  await deps.disk.write(task.path, archive).catch((error: Error) => {
    throw sourceError instanceof Stopped ? sourceError : new Stopped('failed', error.message)
  })
  Object.assign(result.base, copying)
}

/** Every user in the container may change the files, as the folder itself. */
async function* entriesOf(wanted: ReadonlyMap<string, RemoteFile>, deps: Deps) {
  const { storage, spool, onBytes } = deps
  const folders = new Set<string>()
  const file = join(spool, 'copy')
  for (const [path, { cid, size }] of wanted) {
    const names = path.split('/')
    for (let depth = 1; depth < names.length; depth++) {
      const folder = names.slice(0, depth).join('/')
      if (folders.has(folder)) continue
      folders.add(folder)
      yield { kind: 'folder', path: folder, mode: 0o777 } satisfies TarEntry
    }
    if (!(await fitsHere(deps, size))) throw noSpace(path)
    // Complete and verified before the program gets the first byte.
    need(await storage.downloadAsset({ assetCid: cid, assetType: 'file', to: { path: file } }, whenMoved(onBytes)))
    yield { kind: 'file', path, mode: 0o666, size, content: readSpool(file, onBytes) } satisfies TarEntry
    await rm(file)
  }
}

/** Whether a file of this size can be held on this machine. */
const fitsHere = async ({ freeBytes }: Deps, size: number): Promise<boolean> =>
  size + RESERVED_BYTES <= (await freeBytes())

/** Whether the program has something else where the file, or a folder above it, would be. */
function isBlocked(path: string, { files, folders, special }: Local): boolean {
  if (folders.has(path) || special.has(path)) return true
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
    const above = path.slice(0, at)
    if (files.has(above) || special.has(above)) return true
  }
  return false
}

const namesOf = ({ path }: TarHeader): string[] => path.split('/').filter((name) => name !== '' && name !== '.')

/** Whether the storage keeps the name as it is. */
function isName(name: string): boolean {
  try {
    checkName(name)
    return !/[\\\p{Cc}]/u.test(name) && name === name.trim() && !name.includes('\uFFFD')
  } catch {
    return false
  }
}
