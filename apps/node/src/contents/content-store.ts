import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createKeyedMutex, type Logger } from '@tidenet/daemon'
import {
  CONTENTS,
  type ContentRecord,
  contentRecord,
  folderOf,
  LEAVES,
  leafOf,
  leafRecord,
  RECORD,
  readLeafName,
} from './content-record.ts'
import { ignoreAbsent, syncFolder, writeDurably } from './durable.ts'
import { type OpenContent, openContent } from './open-content.ts'
import type { Write } from './place.ts'
import { createSpace, type Reservation, type Space } from './space.ts'
import type { WriteAhead } from './write-ahead.ts'

/** A folder where a content is assembled; not visible until it is kept. */
export interface Incoming {
  readonly folder: string
  /** Its reserved space; grow it before writing into the folder. */
  readonly reservation: Reservation
  /**
   * Publishes the content durably: it survives a power failure. The caller has synced its data. Resolves to false, and deletes the folder,
   * if the content exists already.
   * @throws Refusal 503 if there is no space for all of its files
   */
  keep(content: Omit<ContentRecord, 'stored' | 'disk'>): Promise<boolean>
  /** Deletes the folder and releases its space. */
  discard(): Promise<void>
}

/** Contents by root CID; each is complete or absent. */
export interface ContentStore {
  readonly space: Space
  readonly count: number
  get(cid: string): ContentRecord | undefined
  list(): ContentRecord[]
  /**
   * A new temporary folder, or with `name` a persistent one that survives restarts.
   * @param there bytes already in it
   */
  incoming(name?: string, there?: number): Promise<Incoming>
  /**
   * Publishes a file of one leaf durably, together with other records; resolves to false if it exists already: then only those are written.
   * @throws Refusal 503 if there is no space
   */
  keepSmall(content: { cid: string; bytes: Uint8Array }, more?: readonly Write[]): Promise<boolean>
  /** Names of existing persistent folders. */
  unfinished(): Promise<string[]>
  /** Path of a persistent folder. */
  lasting(name: string): string
  /** Opens a content and marks it as in use until `release`; undefined if it is not stored or its files are missing. */
  open(cid: string): Promise<OpenContent | undefined>
  /**
   * The bytes of a file of one leaf of at most `most` bytes that was stored a moment ago, not verified; undefined for all others. Reads in
   * this thread: the system still has such a file in memory, and handing the work to another thread would take longer than reading.
   */
  readFresh(cid: string, most: number): Uint8Array | undefined
  /** Marks a content for an early check after a failed read. */
  markForCheck(cid: string): void
  /** Returns and clears the contents marked for a check. */
  takeMarked(): string[]
  /** Resolves to false if it was not stored. Running transfers finish. */
  remove(cid: string): Promise<boolean>
  close(): Promise<void>
}

const OPEN_MAX = 128
/** How long a content counts as fresh. */
const FRESH_MS = 5 * 60 * 1000
const LASTING = 'tus-'

/** Opens the store of a data folder: deletes leftovers of a crash, adds up what is stored. */
export async function openContentStore(options: {
  folder: string
  /** Bytes that contents may take now. */
  capacity: () => number
  ahead: WriteAhead
  now: () => number
  log: Logger
}): Promise<ContentStore> {
  const contents = join(options.folder, CONTENTS)
  const leaves = join(options.folder, LEAVES)
  const incoming = join(options.folder, 'incoming')
  await mkdir(contents, { recursive: true })
  await mkdir(leaves, { recursive: true })
  await mkdir(incoming, { recursive: true })
  for (const name of await readdir(incoming))
    if (!name.startsWith(LASTING)) await rm(join(incoming, name), { recursive: true, force: true })

  const space = createSpace(options.folder, options.capacity)
  const all = new Map<string, ContentRecord>()
  for (const content of [...(await scan(contents, options.log)), ...(await scanLeaves(leaves, options.log))]) {
    if (all.has(content.cid)) {
      // The write-ahead log has brought it back.
      await rm(join(options.folder, leafOf(content)), { force: true })
      continue
    }
    all.set(content.cid, content)
    space.add(content.disk)
  }

  const place = (content: ContentRecord) => join(options.folder, content.leaf ? leafOf(content) : folderOf(content.cid))
  const marked = new Set<string>()
  /** Uploads, copies and removals of the same content would write the same files, and delete those of each other. */
  const inTurn = createKeyedMutex()
  const opened = createOpened((content) => openContent(place(content), content))

  const keep = async (
    folder: string,
    reservation: Reservation,
    content: Omit<ContentRecord, 'stored' | 'disk'>,
  ): Promise<boolean> => {
    if (all.has(content.cid)) return false
    await rm(join(folder, RECORD), { force: true })
    const others = await sizeOf(folder)
    const kept: ContentRecord = { ...content, stored: options.now(), disk: others }
    const text = JSON.stringify(kept)
    kept.disk = others + text.length
    // Never exceed the capacity: the record and the index count as well.
    await reservation.grow(kept.disk)
    await writeDurably(join(folder, RECORD), text)
    const target = place(kept)
    const shelf = join(target, '..')
    if (await mkdir(shelf, { recursive: true })) await syncFolder(contents)
    try {
      await rename(folder, target)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOTEMPTY' || code === 'EEXIST') return false
      throw error
    }
    // It is in place now; count it before other requests can see it.
    all.set(content.cid, kept)
    reservation.become(kept.disk)
    await syncFolder(shelf)
    return true
  }

  const keepSmall = async (
    { cid, bytes }: { cid: string; bytes: Uint8Array },
    more: readonly Write[],
  ): Promise<boolean> => {
    const kept = leafRecord({ cid, size: bytes.length }, options.now())
    const reservation = space.open()
    try {
      if (!all.has(cid)) {
        await reservation.grow(kept.disk)
        // The content first: a receipt must not be there without it if the disk is full.
        await options.ahead.write([{ path: leafOf(kept), bytes }, ...more]).catch(async (error) => {
          await rm(place(kept), { force: true })
          throw error
        })
      } else {
        if (more.length > 0) await options.ahead.write(more)
        return false
      }
      all.set(cid, kept)
      reservation.become(kept.disk)
      return true
    } finally {
      reservation.release()
    }
  }

  const remove = async (cid: string): Promise<boolean> => {
    const known = all.get(cid)
    if (!known) return false
    const trash = join(incoming, randomUUID())
    all.delete(cid)
    opened.forget(cid)
    // Remove a content even if its folder was deleted manually.
    await rename(place(known), trash).catch(ignoreAbsent)
    await syncFolder(join(place(known), '..')).catch(() => {})
    try {
      await rm(trash, { recursive: true, force: true })
    } finally {
      space.subtract(known.disk)
    }
    return true
  }

  return {
    space,
    keepSmall: (content, more = []) => inTurn(content.cid, () => keepSmall(content, more)),
    get count() {
      return all.size
    },
    get: (cid) => all.get(cid),
    list: () => [...all.values()],
    async incoming(name, there) {
      const folder = join(incoming, name === undefined ? randomUUID() : LASTING + name)
      await mkdir(folder, { recursive: true })
      const reservation = space.open(there)
      const discard = async () => {
        await rm(folder, { recursive: true, force: true })
        reservation.release()
      }
      return {
        folder,
        reservation,
        discard,
        async keep(content) {
          const fresh = await inTurn(content.cid, () => keep(folder, reservation, content))
          if (!fresh) await discard()
          return fresh
        },
      }
    },
    lasting: (name) => join(incoming, LASTING + name),
    async unfinished() {
      const names = await readdir(incoming)
      return names.filter((name) => name.startsWith(LASTING)).map((name) => name.slice(LASTING.length))
    },
    async open(cid) {
      const known = all.get(cid)
      if (!known) return undefined
      try {
        return (await opened.get(known)).acquire()
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        marked.add(cid)
        return undefined
      }
    },
    readFresh(cid, most) {
      const known = all.get(cid)
      const isFresh = known?.leaf && known.size <= most && known.stored > options.now() - FRESH_MS
      return isFresh ? readNow(place(known), known.size) : undefined
    },
    markForCheck: (cid) => void marked.add(cid),
    takeMarked() {
      const cids = [...marked]
      marked.clear()
      return cids
    },
    remove: (cid) => inTurn(cid, () => remove(cid)),
    async close() {
      opened.clear()
    },
  }
}

/** @returns undefined if the file is not there or has another size */
function readNow(path: string, size: number): Uint8Array | undefined {
  const bytes = Buffer.allocUnsafe(size)
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    return readSync(file, bytes, 0, size, 0) === size ? bytes : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Recently used contents, kept open. */
function createOpened(open: (content: ContentRecord) => Promise<OpenContent>) {
  const opened = new Map<string, Promise<OpenContent>>()
  const forget = (cid: string) => {
    const content = opened.get(cid)
    opened.delete(cid)
    content?.then((content) => content.retire()).catch(() => {})
  }
  return {
    get(content: ContentRecord): Promise<OpenContent> {
      const { cid } = content
      let opening = opened.get(cid)
      if (!opening) {
        opening = open(content)
        opening.catch(() => opened.delete(cid))
      } else opened.delete(cid)
      // A map keeps insertion order: the last is the most recently used.
      opened.set(cid, opening)
      for (const oldest of opened.keys()) {
        if (opened.size <= OPEN_MAX) break
        forget(oldest)
      }
      return opening
    },
    forget,
    clear() {
      for (const cid of [...opened.keys()]) forget(cid)
    },
  }
}

/** Leaves that are complete; others are deleted, such as those of a full disk. */
async function scanLeaves(leaves: string, log: Logger): Promise<ContentRecord[]> {
  const found: ContentRecord[] = []
  const read = async (path: string, name: string) => {
    const named = readLeafName(name)
    try {
      const { size, mtimeMs } = await stat(path)
      if (size === named?.size) found.push(leafRecord(named, Math.round(mtimeMs)))
      else {
        log.warn({ cid: named?.cid ?? name }, 'an incomplete content is dropped')
        await rm(path, { recursive: true, force: true })
      }
    } catch (error) {
      log.warn({ cid: named?.cid ?? name, err: error }, 'a content cannot be read now; it is left alone')
    }
  }
  for (const shelf of await readdir(leaves)) {
    const names = await readdir(join(leaves, shelf))
    await Promise.all(names.map((name) => read(join(leaves, shelf, name), name)))
  }
  return found
}

async function scan(contents: string, log: Logger): Promise<ContentRecord[]> {
  const found: ContentRecord[] = []
  const read = async (folder: string, cid: string) => {
    try {
      const text = await readFile(join(folder, RECORD), 'utf8')
      const content = contentRecord.parse(JSON.parse(text))
      found.push({ ...content, disk: content.disk + text.length })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== undefined && code !== 'ENOENT' && code !== 'ENOTDIR') {
        // A read error: the content may still be intact.
        log.warn({ cid, err: error }, 'the record of a content cannot be read now; it is left alone')
        return
      }
      log.warn({ cid, err: error }, 'a content without its record is dropped')
      await rm(folder, { recursive: true, force: true })
    }
  }
  for (const shelf of await readdir(contents)) {
    const cids = await readdir(join(contents, shelf))
    await Promise.all(cids.map((cid) => read(join(contents, shelf, cid), cid)))
  }
  return found
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size
  return bytes
}
