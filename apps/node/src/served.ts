import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DownloadClaims } from '@tidenet/contract'
import { type Clock, createTurns, every, type Logger } from '@tidenet/daemon'
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

  /** One thing at a time happens to the journal. */
  const turns = createTurns()
  const inTurn = (step: () => Promise<void>) => turns(JOURNAL, step)
  const write = async () => {
    if (pending.size === 0) return
    const writing = pending
    // What a full disk took of the last line must not spoil the next one.
    const lines = [...writing.values()].map((entry) => `\n${JSON.stringify(entry)}\n`).join('')
    pending = new Map()
    try {
      const size = await stat(journal).then(
        ({ size }) => size,
        () => 0,
      )
      const file = await open(journal, 'a')
      try {
        await file.appendFile(lines)
      } catch (error) {
        // All of it or nothing, so that what is noted again is not counted twice.
        await file.truncate(size).catch(() => {})
        throw error
      } finally {
        await file.close()
      }
    } catch (error) {
      for (const entry of writing.values()) note(pending, entry)
      throw error
    }
  }
  const count = (claims: DownloadClaims, bytes: number, requests: number, peak: number) => {
    const { sub: account, tid: trace_id, cid } = claims
    note(pending, { account, trace_id, cid, bytes, requests, peak, time: clock.now() })
    timer ??= setTimeout(() => {
      timer = undefined
      inTurn(write).catch((error: unknown) => log.error({ err: error }, 'bytes sent could not be noted'))
    }, JOURNAL_MS).unref()
  }

  const report = async (signal?: AbortSignal) => {
    await inTurn(async () => {
      // What a full disk does not take stays in memory; what it has taken before can be told all the same.
      await write().catch((error: unknown) => log.warn({ err: error }, 'bytes sent could not be noted'))
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
        count(claims, bytes - noted, requests, rate)
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
    note(sums, entry)
  }
  return [...sums.values()]
}

/** Adds to what is known of a transfer. */
function note(sums: Map<string, Transfer>, entry: Transfer): void {
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
