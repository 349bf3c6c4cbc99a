import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { checkName, isPortableName, readTar } from '@tidenet/content'
import { withSuffix } from '@tidenet/content/names'
import { CommandError } from './command-error.ts'
import { texts } from './texts.ts'

/**
 * Unpacks the tar of a folder to `folder`, without the top-level name. Everything is written to a temporary folder and moved when the tar is
 * complete, so that no partial folder remains. An existing folder is merged into.
 *
 * Refuses names that are not plain file names on every system, and two names that this disk treats as one. Does not follow links.
 * @throws CommandError for these, and what `tar` and the disk throw
 */
export async function unpack(
  tar: AsyncIterable<Uint8Array>,
  folder: string,
): Promise<{ files: number; bytes: number }> {
  const there = await lookAtLink(folder)
  if (there?.isSymbolicLink()) throw new CommandError(texts.isLink(folder))
  const mark = withSuffix(`.${basename(folder)}`, `.${randomBytes(6).toString('hex')}.part`)
  // Inside an existing folder: the parent folder may be on another disk.
  const place = there ? join(folder, mark) : join(dirname(folder), mark)
  try {
    await mkdir(dirname(place), { recursive: true })
    await mkdir(place)
    const written = await writeAll(tar, place)
    if (!there) await rename(place, folder)
    else {
      const moves = await movesOf(place, folder)
      for (const { from, to, isFolder } of moves) await (isFolder ? makeFolder(to) : rename(from, to))
    }
    return written
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function writeAll(tar: AsyncIterable<Uint8Array>, place: string): Promise<{ files: number; bytes: number }> {
  const made = new Set([place])
  let files = 0
  let bytes = 0
  /** Creates parent folders one by one: an existing one that we did not create belongs to an entry whose name the disk treats as equal. */
  const makeParents = async (names: readonly string[], entry: string) => {
    let at = place
    for (const name of names) {
      at = join(at, name)
      if (made.has(at)) continue
      await mkdir(at).catch((error: unknown) => refuse(error, entry))
      made.add(at)
    }
  }
  for await (const { name, kind, body } of readTar(tar)) {
    const [, ...names] = name.replace(/\/$/, '').split('/')
    for (const part of names) if (!isSafe(part)) throw new CommandError(texts.unsafeName(JSON.stringify(part)))
    if (kind === 'other') throw new CommandError(texts.unsafeName(JSON.stringify(name)))
    if (kind === 'directory') await makeParents(names, name)
    if (kind === 'directory' || names.length === 0) continue
    await makeParents(names.slice(0, -1), name)
    const file = await open(join(place, ...names), 'wx').catch((error: unknown) => refuse(error, name))
    try {
      for await (const piece of body) {
        await file.write(piece)
        bytes += piece.length
      }
    } finally {
      await file.close()
    }
    files++
  }
  return { files, bytes }
}

function isSafe(name: string): boolean {
  try {
    checkName(name)
  } catch {
    return false
  }
  return isPortableName(name)
}

/** Only the file system knows which names it treats as equal, by case, Unicode form or short name, and which are too long. */
function refuse(error: unknown, entry: string): never {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EEXIST') throw new CommandError(texts.sameName(JSON.stringify(entry)))
  if (code === 'ENAMETOOLONG') throw new CommandError(texts.longName(JSON.stringify(entry)))
  throw error
}

interface Move {
  from: string
  to: string
  isFolder: boolean
}

/** The moves into an existing folder, folders first. Checks everything before anything is moved. @throws CommandError */
async function movesOf(from: string, to: string): Promise<Move[]> {
  const moves: Move[] = []
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const move = { from: join(from, entry.name), to: join(to, entry.name), isFolder: entry.isDirectory() }
    const there = await lookAtLink(move.to)
    if (move.isFolder) {
      if (there?.isSymbolicLink()) throw new CommandError(texts.isLink(move.to))
      if (there && !there.isDirectory()) throw new CommandError(texts.isFile(move.to))
    } else if (there?.isDirectory()) throw new CommandError(texts.isFolder(move.to))
    moves.push(move, ...(move.isFolder ? await movesOf(move.from, move.to) : []))
  }
  return moves
}

/** Creates a folder and its parents below `base`; none of them may be a link. @throws CommandError */
export async function makeFolderBelow(base: string, path: string): Promise<void> {
  let at = base
  for (const name of relative(base, path).split(sep)) {
    at = join(at, name)
    if (name !== '') await makeFolder(at)
  }
}

/** Refuses a path that is a link to another folder. @throws CommandError */
export async function refuseLinkedFolder(path: string): Promise<void> {
  const there = await lookAtLink(path)
  if (!there?.isSymbolicLink()) return
  const target = await stat(path).catch(() => undefined)
  if (target?.isDirectory()) throw new CommandError(texts.isLink(path))
}

/** @throws CommandError if a link or a file has this path */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const there = await lookAtLink(path)
    if (there?.isSymbolicLink()) throw new CommandError(texts.isLink(path))
    if (!there?.isDirectory()) throw new CommandError(texts.isFile(path))
  }
}

/** `lstat`, or undefined if nothing is there. */
const lookAtLink = (path: string): Promise<Stats | undefined> => lstat(path).catch(() => undefined)
