import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ignoreAbsent } from './contents/durable.ts'

const BATCH = '.batch'
/** What a file takes at least on most file systems. */
const BLOCK = 4096

const transfer = z.object({
  account: z.string(),
  trace_id: z.string(),
  cid: z.string(),
  bytes: z.number(),
  requests: z.number(),
  peak: z.number(),
  time: z.number(),
  /** What the client signed as received, in total. */
  received: z.number().optional(),
  signature: z.string().optional(),
  /** What this node signed as sent, in total. */
  sent: z.number().optional(),
  sent_signature: z.string().optional(),
})

/** Bytes sent by one transfer, and what its client and this node signed. */
export type Transfer = z.infer<typeof transfer>

/** A file of entries that nothing is added to any more. */
export interface Batch {
  name: string
  /** Bytes on the disk. */
  size: number
  /** When its last entry was written, unix ms. */
  time: number
}

/** Stores bytes sent: an append-only journal, and immutable batches. Calls of `append` and `close` must not overlap. */
export interface Journal {
  /** Writes all entries or, if it rejects, none. */
  append(entries: Iterable<Transfer>): Promise<void>
  /** Bytes of the journal. */
  size(): Promise<number>
  /** Turns the journal so far into a batch. */
  close(): Promise<void>
  /** Oldest first. */
  batches(): Promise<Batch[]>
  /** The transfers of a batch, summed. */
  read(batch: string): Promise<Transfer[]>
  drop(batch: string): Promise<void>
}

export async function openJournal(folder: string): Promise<Journal> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'journal')
  const fileOf = (batch: string) => join(folder, batch + BATCH)
  const close = () => rename(path, fileOf(randomUUID())).catch(ignoreAbsent)
  // After a crash the journal becomes a batch: its last line may be incomplete, so nothing is appended to it.
  await close()

  return {
    async append(entries) {
      // A line truncated by a full disk must not corrupt the next one.
      const lines = [...entries].map((entry) => `\n${JSON.stringify(entry)}\n`).join('')
      const size = await sizeOf(path)
      const file = await open(path, 'a')
      try {
        await file.appendFile(lines)
      } catch (error) {
        // Undo a partial write, so that a retry does not count twice.
        await file.truncate(size).catch(() => {})
        throw error
      } finally {
        await file.close()
      }
    },
    size: () => sizeOf(path),
    close,
    async batches() {
      const names = (await readdir(folder)).filter((name) => name.endsWith(BATCH))
      const all = await Promise.all(
        names.map(async (name) => {
          const { size, mtimeMs } = await stat(join(folder, name))
          return { name: name.slice(0, -BATCH.length), size: Math.max(BLOCK, size), time: mtimeMs }
        }),
      )
      return all.sort((a, b) => a.time - b.time)
    },
    read: async (batch) => sum(await readFile(fileOf(batch), 'utf8')),
    drop: (batch) => rm(fileOf(batch)),
  }
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

/** Sums the lines of a journal by transfer; ignores an incomplete last line. */
function sum(text: string): Transfer[] {
  const sums = new Map<string, Transfer>()
  for (const line of text.split('\n')) {
    const entry = parseLine(line)
    if (!entry) continue
    addTransfer(sums, entry)
  }
  return [...sums.values()]
}

/** Adds an entry to the sum of its transfer. */
export function addTransfer(sums: Map<string, Transfer>, entry: Transfer): void {
  const key = `${entry.account}\n${entry.trace_id}\n${entry.cid}`
  const known = sums.get(key)
  if (!known) {
    sums.set(key, { ...entry })
    return
  }
  known.bytes += entry.bytes
  known.requests += entry.requests
  known.peak = Math.max(known.peak, entry.peak)
  known.time = Math.max(known.time, entry.time)
  if ((entry.received ?? 0) > (known.received ?? 0)) {
    known.received = entry.received
    known.signature = entry.signature
  }
  if ((entry.sent ?? 0) > (known.sent ?? 0)) {
    known.sent = entry.sent
    known.sent_signature = entry.sent_signature
  }
}

function parseLine(line: string): Transfer | undefined {
  try {
    return transfer.parse(JSON.parse(line))
  } catch {
    return undefined
  }
}
