import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DownloadClaims } from '@tidenet/contract'
import { type Clock, every, type Logger } from '@tidenet/daemon'
import { z } from 'zod'
import { type ServerLink, ServerRefused } from './server-link.ts'

const transfer = z.object({
  account: z.string(),
  trace_id: z.string(),
  cid: z.string(),
  bytes: z.number(),
  requests: z.number(),
  peak: z.number(),
  time: z.number(),
})
type Transfer = z.infer<typeof transfer>

/** Counts what one request sends. */
export interface Meter {
  add(bytes: number): void
  end(): void
}

/**
 * Counts the bytes sent by transfer and tells the server. Counts go to a journal within `JOURNAL_MS`, so that a crash loses
 * at most that; a journal becomes a batch by being renamed, and the batch's name makes a second report of it harmless.
 */
export interface Served {
  /** Bytes of all requests since the start. */
  readonly total: number
  begin(claims: DownloadClaims): Meter
  stop(): Promise<void>
}

const JOURNAL_MS = 100
/** What takes less says how fast a buffer is filled, not how fast bytes travel: it counts as taking that long. */
const RATE_MS = 100
const REPORT_MS = 2000
/** A long transfer shows up in the statistics while it runs. */
const STEP = 8 * 1024 * 1024
const BATCH_MAX = 1000
const JOURNAL = 'journal'

export async function openServed(options: {
  folder: string
  link: ServerLink
  clock: Clock
  log: Logger
}): Promise<Served> {
  const { folder, link, clock, log } = options
  await mkdir(folder, { recursive: true })
  const journal = join(folder, JOURNAL)
  // What a crash left is a batch of its own: its last line may be half of one, and nothing may be appended to that.
  await rename(journal, join(folder, `${randomUUID()}.batch`)).catch(ignoreAbsent)
  let pending = new Map<string, Transfer>()
  let total = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  /** One thing at a time happens to the journal. */
  const inTurn = (step: () => Promise<void>): Promise<void> => {
    writing = writing.then(step, step)
    return writing
  }
  const write = async () => {
    if (pending.size === 0) return
    const lines = [...pending.values()].map((entry) => `${JSON.stringify(entry)}\n`).join('')
    pending = new Map()
    const file = await open(journal, 'a')
    try {
      await file.appendFile(lines)
    } finally {
      await file.close()
    }
  }
  const note = (claims: DownloadClaims, bytes: number, requests: number, peak: number) => {
    const { sub: account, tid: trace_id, cid } = claims
    const key = `${account}\n${trace_id}\n${cid}`
    const known = pending.get(key) ?? { account, trace_id, cid, bytes: 0, requests: 0, peak: 0, time: 0 }
    known.bytes += bytes
    known.requests += requests
    known.peak = Math.max(known.peak, peak)
    known.time = clock.now()
    pending.set(key, known)
    timer ??= setTimeout(() => {
      timer = undefined
      inTurn(write).catch((error: unknown) => log.error({ err: error }, 'bytes sent could not be noted'))
    }, JOURNAL_MS).unref()
  }

  const report = async (signal?: AbortSignal) => {
    await inTurn(async () => {
      await write()
      await rename(journal, join(folder, `${randomUUID()}.batch`)).catch(ignoreAbsent)
    })
    for (const name of await readdir(folder)) {
      if (!name.endsWith('.batch')) continue
      const path = join(folder, name)
      const transfers = sum(await readFile(path, 'utf8'))
      for (let at = 0; at < transfers.length; at += BATCH_MAX) {
        const batch = `${name.slice(0, -'.batch'.length)}.${at}`
        try {
          await link.call(
            'served',
            { batch, transfers: transfers.slice(at, at + BATCH_MAX) },
            { timeoutMs: 5000, ...(signal && { signal }) },
          )
        } catch (error) {
          if (!(error instanceof ServerRefused) || error.err === 401) throw error
          log.error({ err: error, batch }, 'the server refused a report of bytes sent; it is dropped')
        }
      }
      await rm(path)
    }
  }
  const duty = every(REPORT_MS, report, { name: 'served', log })

  return {
    get total() {
      return total
    },
    begin(claims) {
      const counts = claims.typ === 'download'
      const started = performance.now()
      let bytes = 0
      let noted = 0
      let requests = 1
      const step = () => {
        const rate = Math.round((bytes / Math.max(RATE_MS, performance.now() - started)) * 1000)
        note(claims, bytes - noted, requests, rate)
        noted = bytes
        requests = 0
      }
      return {
        add(more) {
          total += more
          bytes += more
          if (counts && bytes - noted >= STEP) step()
        },
        end() {
          if (counts && bytes > noted) step()
        },
      }
    },
    async stop() {
      clearTimeout(timer)
      await duty.stop()
      await report(AbortSignal.timeout(1000)).catch(() => inTurn(write))
    },
  }
}

/** The lines of a journal, one entry a transfer; half a line at its end is what a crash left. */
function sum(text: string): Transfer[] {
  const sums = new Map<string, Transfer>()
  for (const line of text.split('\n')) {
    const entry = parseLine(line)
    if (!entry) continue
    const key = `${entry.account}\n${entry.trace_id}\n${entry.cid}`
    const known = sums.get(key)
    if (!known) {
      sums.set(key, entry)
      continue
    }
    known.bytes += entry.bytes
    known.requests += entry.requests
    known.peak = Math.max(known.peak, entry.peak)
    known.time = Math.max(known.time, entry.time)
  }
  return [...sums.values()]
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
