import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const BATCH = '.batch'

const transfer = z.object({
  account: z.string(),
  trace_id: z.string(),
  cid: z.string(),
  bytes: z.number(),
  requests: z.number(),
  peak: z.number(),
  time: z.number(),
})

/** Bytes sent in one transfer. */
export type Transfer = z.infer<typeof transfer>

/**
 * Bytes sent, on the disk: a journal that is appended to, and batches that nobody changes any more.
 * Calls of `append` and `close` must not overlap.
 */
export interface Journal {
  /** Writes all of it or, when it rejects, nothing. */
  append(entries: Iterable<Transfer>): Promise<void>
  /** Makes what was appended so far a batch. */
  close(): Promise<void>
  /** Names of batches. */
  batches(): Promise<string[]>
  /** One entry for each transfer of a batch. */
  read(batch: string): Promise<Transfer[]>
  drop(batch: string): Promise<void>
}

export async function openJournal(folder: string): Promise<Journal> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'journal')
  const fileOf = (batch: string) => join(folder, batch + BATCH)
  const close = () => rename(path, fileOf(randomUUID())).catch(ignoreAbsent)
  // What a crash left is a batch of its own: its last line may be half of one, and nothing may be appended to that.
  await close()

  return {
    async append(entries) {
      // What a full disk took of the last line must not spoil the next one.
      const lines = [...entries].map((entry) => `\n${JSON.stringify(entry)}\n`).join('')
      const size = await stat(path).then(
        ({ size }) => size,
        () => 0,
      )
      const file = await open(path, 'a')
      try {
        await file.appendFile(lines)
      } catch (error) {
        // All of it or nothing, so that what is noted again is not counted twice.
        await file.truncate(size).catch(() => {})
        throw error
      } finally {
        await file.close()
      }
    },
    close,
    async batches() {
      const names = await readdir(folder)
      return names.filter((name) => name.endsWith(BATCH)).map((name) => name.slice(0, -BATCH.length))
    },
    read: async (batch) => sum(await readFile(fileOf(batch), 'utf8')),
    drop: (batch) => rm(fileOf(batch)),
  }
}

/** The lines of a journal, one entry a transfer; half a line at its end is what a crash left. */
function sum(text: string): Transfer[] {
  const sums = new Map<string, Transfer>()
  for (const line of text.split('\n')) {
    const entry = parseLine(line)
    if (!entry) continue
    addTransfer(sums, entry)
  }
  return [...sums.values()]
}

/** Adds to what is known of a transfer. */
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
}

function parseLine(line: string): Transfer | undefined {
  try {
    return transfer.parse(JSON.parse(line))
  } catch {
    return undefined
  }
}

function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
