import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '@tidenet/daemon'
import { z } from 'zod'
import { syncFolder, writeDurably } from './durable.ts'
import { type OpenContent, openContent } from './open-content.ts'
import { createSpace, type Space } from './space.ts'

const held = z.object({
  cid: z.string(),
  kind: z.enum(['file', 'folder']),
  /** Bytes of the file, or of the folder's archive. */
  size: z.number(),
  /** Blocks of the DAG. */
  blocks: z.number(),
  /** Unix ms. */
  stored: z.number(),
  /** Bytes on disk, all files counted. */
  disk: z.number(),
})
/** A content that the node keeps. */
export type Held = z.infer<typeof held>

/** A folder in which a content is put together; nobody sees it until it is kept. */
export interface Incoming {
  readonly folder: string
  /**
   * Makes it a content, durably: after this it survives a power cut. The caller has synced its data.
   * Resolves to false, and drops the folder, when the content was there already.
   */
  keep(content: Omit<Held, 'stored' | 'disk'>): Promise<boolean>
  discard(): Promise<void>
}

/** What a node holds: contents by root CID, each complete or absent. */
export interface ContentStore {
  readonly space: Space
  readonly count: number
  get(cid: string): Held | undefined
  list(): Held[]
  /** A fresh folder, or with `name` a lasting one that a restart does not clean. */
  incoming(name?: string): Promise<Incoming>
  /** Names of lasting folders that are there. */
  unfinished(): Promise<string[]>
  /** The content, opened and counted as in use until `release`; undefined when it is not held, or its files are gone. */
  open(cid: string): Promise<OpenContent | undefined>
  /** A read has failed: the content is to be looked at soon. */
  doubt(cid: string): void
  /** Contents in doubt, once. */
  takeDoubts(): string[]
  /** Resolves to false when it was not held. Transfers under way finish. */
  remove(cid: string): Promise<boolean>
  close(): Promise<void>
}

const OPEN_MAX = 128
const LASTING = 'tus-'

/** Opens the store of a data folder: drops what a crash left half-done, counts what is there. */
export async function openContentStore(options: {
  folder: string
  capacity: number
  now: () => number
  log: Logger
}): Promise<ContentStore> {
  const contents = join(options.folder, 'contents')
  const incoming = join(options.folder, 'incoming')
  await mkdir(contents, { recursive: true })
  await mkdir(incoming, { recursive: true })
  for (const name of await readdir(incoming))
    if (!name.startsWith(LASTING)) await rm(join(incoming, name), { recursive: true, force: true })

  const space = createSpace(options.folder, options.capacity)
  const all = new Map<string, Held>()
  for (const content of await scan(contents, options.log)) {
    all.set(content.cid, content)
    space.take(content.disk)
  }

  const place = (cid: string) => join(contents, cid.slice(-2), cid)
  const doubts = new Set<string>()
  const opened = new Map<string, Promise<OpenContent>>()
  const forget = (cid: string) => {
    const content = opened.get(cid)
    opened.delete(cid)
    content?.then((content) => content.retire()).catch(() => {})
  }

  const keep = async (folder: string, content: Omit<Held, 'stored' | 'disk'>): Promise<boolean> => {
    if (all.has(content.cid)) return false
    const disk = await sizeOf(folder)
    const kept: Held = { ...content, stored: options.now(), disk }
    await writeDurably(join(folder, 'meta.json'), JSON.stringify(kept))
    const target = place(content.cid)
    const shelf = join(target, '..')
    if (await mkdir(shelf, { recursive: true })) await syncFolder(contents)
    try {
      await rename(folder, target)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOTEMPTY' || code === 'EEXIST') return false
      throw error
    }
    // From here on it is in place; counted before anything else can ask for it.
    all.set(content.cid, kept)
    space.take(disk)
    await syncFolder(shelf)
    return true
  }

  return {
    space,
    get count() {
      return all.size
    },
    get: (cid) => all.get(cid),
    list: () => [...all.values()],
    async incoming(name) {
      const folder = join(incoming, name === undefined ? randomUUID() : LASTING + name)
      await mkdir(folder, { recursive: true })
      const discard = () => rm(folder, { recursive: true, force: true })
      return {
        folder,
        discard,
        async keep(content) {
          const fresh = await keep(folder, content)
          if (!fresh) await discard()
          return fresh
        },
      }
    },
    async unfinished() {
      const names = await readdir(incoming)
      return names.filter((name) => name.startsWith(LASTING)).map((name) => name.slice(LASTING.length))
    },
    async open(cid) {
      const known = all.get(cid)
      if (!known) return undefined
      let opening = opened.get(cid)
      if (!opening) {
        opening = openContent(place(cid), known)
        opening.catch(() => opened.delete(cid))
      } else opened.delete(cid)
      // Last in the map is latest used.
      opened.set(cid, opening)
      for (const oldest of opened.keys()) {
        if (opened.size <= OPEN_MAX) break
        forget(oldest)
      }
      try {
        return (await opening).acquire()
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        doubts.add(cid)
        return undefined
      }
    },
    doubt: (cid) => void doubts.add(cid),
    takeDoubts() {
      const cids = [...doubts]
      doubts.clear()
      return cids
    },
    async remove(cid) {
      const known = all.get(cid)
      if (!known) return false
      const grave = join(incoming, randomUUID())
      all.delete(cid)
      forget(cid)
      // A content whose folder someone has taken away is removed all the same.
      await rename(place(cid), grave).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
      await syncFolder(join(place(cid), '..')).catch(() => {})
      space.giveBack(known.disk)
      await rm(grave, { recursive: true, force: true })
      return true
    },
    async close() {
      for (const cid of [...opened.keys()]) forget(cid)
    },
  }
}

async function scan(contents: string, log: Logger): Promise<Held[]> {
  const found: Held[] = []
  const read = async (folder: string, cid: string) => {
    try {
      found.push(held.parse(JSON.parse(await readFile(join(folder, 'meta.json'), 'utf8'))))
    } catch (error) {
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
