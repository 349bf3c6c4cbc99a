import { createHash, randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { every, type Logger } from '@tidenet/daemon'
import { z } from 'zod'
import { parseJson } from '../parse-json.ts'
import { ignoreAbsent, syncFolder, writeDurably } from './durable.ts'
import { type Late, type Write, writeNow } from './place.ts'
import { createPlacer } from './placer.ts'

/**
 * Makes many small files durable with one sync: they are written to a log first, which is synced once for all that wait, and synced in
 * their places later, when the system has mostly written them anyway. What a power failure takes from those places is restored from the log
 * at the next start.
 */
export interface WriteAhead {
  /**
   * Writes the files; when it resolves, a power failure cannot lose them. A file that is deleted within a minute may return after a crash.
   * After a rejection, too, some may appear after a crash.
   */
  write(writes: readonly Write[]): Promise<void>
  /** Syncs all files in their places, and deletes the log. If that fails, the next start does it. */
  stop(): Promise<void>
}

const SEGMENT = '.wal'
/** A new segment begins at this size, or at the next `SETTLE_MS`. */
const SEGMENT_MAX = 16 << 20
/** Most bytes of the log; writers wait while more is settled. */
const LOG_MAX = 4 * SEGMENT_MAX
/** Systems write files to disk within about 30 seconds; a sync after that costs little. */
const SETTLE_MS = 20_000
/** Files that are written before others have their turn. */
const LATE_AT_ONCE = 50

const header = z.object({
  files: z.array(
    z.object({
      path: z.string().regex(/^(?!\/)(?!.*(^|\/)\.\.(\/|$)).+$/),
      size: z.number(),
      append: z.literal(true).optional(),
      mode: z.number().optional(),
    }),
  ),
  sha256: z.string(),
})

interface Segment {
  path: string
  file: FileHandle
  size: number
  paths: Set<string>
  /** Resolve when the files are in their places. */
  placed: Promise<void>[]
  late: (Write & { late: Late })[]
}

interface Waiting {
  writes: readonly Write[]
  done: () => void
  fail: (error: unknown) => void
}

/** Restores what the log of the last run has, and begins a new one. Called before anything reads the data folder. */
export async function openWriteAhead(options: {
  /** The data folder. */
  folder: string
  log: Logger
  settleMs?: number
}): Promise<WriteAhead> {
  const { folder, log } = options
  const place = join(folder, 'ahead')
  if (await mkdir(place, { recursive: true })) await syncFolder(folder)
  await restore(folder, place, log)

  let current: Segment | undefined
  const closed: Segment[] = []
  const queue: Waiting[] = []
  const placer = createPlacer(folder)
  let appending: Promise<void> | undefined
  /** Whether a new segment is to begin with the next write. */
  let due = false
  let settling: Promise<void> = Promise.resolve()

  const begin = async (): Promise<Segment> => {
    const path = join(place, `${Date.now().toString().padStart(15, '0')}-${randomUUID()}${SEGMENT}`)
    const file = await open(path, 'wx', 0o600)
    await syncFolder(place)
    return { path, file, size: 0, paths: new Set(), placed: [], late: [] }
  }
  const close = () => {
    if (current) closed.push(current)
    current = undefined
  }
  /** Synchronous: if it waited after asking `isNeeded`, a file that is not needed any more could stay on disk. */
  const placeLate = (segment: Segment, { late, ...write }: Write & { late: Late }) => {
    if (!late.isNeeded()) return
    try {
      writeNow(folder, write)
    } catch (error) {
      // On a full disk, a part of the file could stay for ever if the file is not needed any more at the next try.
      rmSync(join(folder, write.path), { force: true })
      throw error
    }
    segment.paths.add(write.path)
    late.onPlaced()
  }
  /** Syncs the files of the closed segments in their places, and deletes the segments, the oldest first. */
  const settle = (): Promise<void> => {
    settling = settling
      .catch(() => {})
      .then(async () => {
        for (let segment = closed[0]; segment; segment = closed[0]) {
          await Promise.all(segment.placed)
          for (let write = segment.late[0]; write; write = segment.late[0]) {
            placeLate(segment, write)
            segment.late.shift()
            // While the server is away, there are thousands.
            if (segment.late.length % LATE_AT_ONCE === 0) await setImmediate()
          }
          await syncAll(folder, segment.paths)
          await segment.file.close()
          await rm(segment.path)
          closed.shift()
        }
      })
    return settling
  }
  const appendQueue = async () => {
    for (let batch = queue.splice(0); batch.length > 0; batch = queue.splice(0)) {
      try {
        if (due || (current && current.size >= SEGMENT_MAX)) close()
        due = false
        if (closed.length * SEGMENT_MAX >= LOG_MAX) await settle()
        current ??= await begin()
        const parts = batch.flatMap(({ writes }) => encode(writes))
        for (const { path, late } of batch.flatMap(({ writes }) => writes)) if (!late) current.paths.add(path)
        await current.file.writeFile(Buffer.concat(parts))
        await current.file.datasync()
        current.size += parts.reduce((sum, part) => sum + part.length, 0)
        // Meanwhile, the next ones are logged.
        current.placed.push(putInPlace(current, batch))
      } catch (error) {
        // The end of the segment is unreadable: nothing more is written to it.
        close()
        for (const { fail } of batch) fail(error)
      }
    }
    appending = undefined
  }

  const putInPlace = async (segment: Segment, batch: readonly Waiting[]) => {
    const failed = await placer.place(batch.map(({ writes }) => writes.filter((write) => !isLate(write))))
    for (const { index, message, code, syscall } of failed)
      batch[index]?.fail(Object.assign(new Error(message), { code, syscall }))
    // A late file, a receipt, promises that the others of its group are there.
    const incomplete = new Set(failed.map(({ index }) => index))
    for (const [index, { writes }] of batch.entries())
      if (!incomplete.has(index)) segment.late.push(...writes.filter(isLate))
    // Of those that failed, this changes nothing.
    for (const { done } of batch) done()
  }

  const task = every(
    options.settleMs ?? SETTLE_MS,
    async () => {
      await settle()
      // Not while it is being written to.
      if (appending) due = true
      else close()
    },
    { name: 'write-ahead', log },
  )

  return {
    write: (writes) =>
      new Promise<void>((done, fail) => {
        queue.push({ writes, done, fail })
        appending ??= appendQueue()
      }),
    async stop() {
      await task.stop()
      await appending
      close()
      // For example because the disk is full. The log stays, and the next start restores from it.
      await settle().catch((error: unknown) => log.error({ err: error }, 'what was written last is in the log alone'))
      await placer.stop()
    },
  }
}

const isLate = (write: Write): write is Write & { late: Late } => write.late !== undefined

function encode(writes: readonly Write[]): Uint8Array[] {
  const files = writes.map(({ path, bytes, append, mode }) => ({ path, size: bytes.length, append, mode }))
  const hash = createHash('sha256')
  for (const { bytes } of writes) hash.update(bytes)
  const text = JSON.stringify({ files, sha256: hash.digest('hex') })
  return [Buffer.from(`${text}\n`), ...writes.map(({ bytes }) => bytes), Buffer.from('\n')]
}

/** Syncs the files that are still there, and all folders down to them. */
async function syncAll(folder: string, paths: ReadonlySet<string>): Promise<void> {
  const folders = new Set<string>()
  for (const path of paths) {
    for (let above = dirname(path); !folders.has(above); above = dirname(above)) folders.add(above)
    await syncFolder(join(folder, path)).catch(ignoreAbsent)
  }
  for (const above of folders) await syncFolder(join(folder, above)).catch(ignoreAbsent)
}

async function restore(folder: string, place: string, log: Logger): Promise<void> {
  const names = (await readdir(place)).filter((name) => name.endsWith(SEGMENT)).sort()
  for (const name of names) {
    const path = join(place, name)
    const paths = new Set<string>()
    try {
      for (const write of decode(await readFile(path))) {
        paths.add(write.path)
        if (write.append || !(await isThere(folder, write))) await putDurably(folder, write)
      }
      await syncAll(folder, paths)
    } catch (error) {
      // For example a full disk. The next start tries again.
      log.error({ err: error }, 'what was written before the last stop could not be restored completely')
      return
    }
    await rm(path)
  }
}

const isThere = async (folder: string, { path, bytes }: Write): Promise<boolean> => {
  const target = join(folder, path)
  const size = await stat(target).then(
    (file) => file.size,
    () => -1,
  )
  return size === bytes.length && (await readFile(target)).equals(bytes)
}

async function putDurably(folder: string, write: Write): Promise<void> {
  if (write.append) return writeNow(folder, write)
  await mkdir(dirname(join(folder, write.path)), { recursive: true })
  await writeDurably(join(folder, write.path), write.bytes, write.mode)
}

/** The writes of a segment up to its unreadable end, which nobody was told of. */
function* decode(segment: Buffer): Iterable<Write> {
  for (let at = 0; at < segment.length; ) {
    const line = segment.indexOf(10, at)
    if (line < 0) return
    const head = header.safeParse(parseJson(segment.subarray(at, line).toString()))
    if (!head.success) return
    const size = head.data.files.reduce((sum, file) => sum + file.size, 0)
    let from = line + 1
    const payload = segment.subarray(from, from + size)
    if (createHash('sha256').update(payload).digest('hex') !== head.data.sha256) return
    for (const { path, size, append, mode } of head.data.files) {
      const bytes = segment.subarray(from, from + size)
      from += size
      yield { path, bytes, ...(append && { append }), ...(mode !== undefined && { mode }) }
    }
    at = from + 1
  }
}
