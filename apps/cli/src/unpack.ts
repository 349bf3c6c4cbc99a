import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { checkName, isPortableName, readTar } from '@tidenet/content'
import { Failed } from './failed.ts'
import { ended } from './paths.ts'
import { texts } from './texts.ts'

/**
 * Unpacks the tar of a folder, whose own name comes first in it, to `folder`. Everything is written to a place of its own first; only when
 * the tar has come to its end does it get where it belongs, so that nothing half-done lies there. A folder that is there is written into.
 *
 * Names that are something else than a name on any system are refused, and so are two that this disk takes for one. Links are not
 * followed. @throws Failed for these, and what `tar` and the disk throw
 */
export async function unpack(tar: AsyncIterable<Uint8Array>, folder: string): Promise<{ files: number }> {
  const there = await lookAtLink(folder)
  if (there?.isSymbolicLink()) throw new Failed(texts.isLink(folder))
  const mark = ended(`.${basename(folder)}`, `.${randomBytes(6).toString('hex')}.part`)
  // Inside a folder that is there: what lies beside it may be another disk.
  const place = there ? join(folder, mark) : join(dirname(folder), mark)
  try {
    await mkdir(dirname(place), { recursive: true })
    await mkdir(place)
    const files = await writeAll(tar, place)
    if (!there) await rename(place, folder)
    else {
      const moves = await movesOf(place, folder)
      for (const { from, to, isFolder } of moves) await (isFolder ? makeFolder(to) : rename(from, to))
    }
    return { files }
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function writeAll(tar: AsyncIterable<Uint8Array>, place: string): Promise<number> {
  const made = new Set([place])
  let files = 0
  /** Makes every folder on the way by itself: one that is there and that we did not make is another one with a like name. */
  const makeWay = async (names: readonly string[], entry: string) => {
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
    for (const part of names) if (!isSafe(part)) throw new Failed(texts.unsafeName(JSON.stringify(part)))
    if (kind === 'other') throw new Failed(texts.unsafeName(JSON.stringify(name)))
    if (kind === 'directory') await makeWay(names, name)
    if (kind === 'directory' || names.length === 0) continue
    await makeWay(names.slice(0, -1), name)
    const file = await open(join(place, ...names), 'wx').catch((error: unknown) => refuse(error, name))
    try {
      for await (const piece of body) await file.write(piece)
    } finally {
      await file.close()
    }
    files++
  }
  return files
}

function isSafe(name: string): boolean {
  try {
    checkName(name)
  } catch {
    return false
  }
  return isPortableName(name)
}

/** The disk itself tells which names are the same to it: by case, by the form of their letters, or by short forms. */
function refuse(error: unknown, entry: string): never {
  throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? new Failed(texts.sameName(JSON.stringify(entry))) : error
}

interface Move {
  from: string
  to: string
  isFolder: boolean
}

/** What is to be moved into a folder that is there, folders first; all of it is looked at before anything is moved. @throws Failed */
async function movesOf(from: string, to: string): Promise<Move[]> {
  const moves: Move[] = []
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const move = { from: join(from, entry.name), to: join(to, entry.name), isFolder: entry.isDirectory() }
    const there = await lookAtLink(move.to)
    if (move.isFolder) {
      if (there?.isSymbolicLink()) throw new Failed(texts.isLink(move.to))
      if (there && !there.isDirectory()) throw new Failed(texts.isFile(move.to))
    } else if (there?.isDirectory()) throw new Failed(texts.isFolder(move.to))
    moves.push(move, ...(move.isFolder ? await movesOf(move.from, move.to) : []))
  }
  return moves
}

/** Makes a folder with those between `base` and it, none of which may lead elsewhere. @throws Failed */
export async function makeFolderBelow(base: string, path: string): Promise<void> {
  let at = base
  for (const name of relative(base, path).split(sep)) {
    at = join(at, name)
    if (name !== '') await makeFolder(at)
  }
}

/** What stands at a path must not lead into another folder. @throws Failed */
export async function refuseLinkedFolder(path: string): Promise<void> {
  const there = await lookAtLink(path)
  if (!there?.isSymbolicLink()) return
  const target = await stat(path).catch(() => undefined)
  if (target?.isDirectory()) throw new Failed(texts.isLink(path))
}

/** @throws Failed where a link or a file has the place */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const there = await lookAtLink(path)
    if (there?.isSymbolicLink()) throw new Failed(texts.isLink(path))
    if (!there?.isDirectory()) throw new Failed(texts.isFile(path))
  }
}

/** What is at a path, be it a link; undefined when nothing is. */
const lookAtLink = (path: string): Promise<Stats | undefined> => lstat(path).catch(() => undefined)
