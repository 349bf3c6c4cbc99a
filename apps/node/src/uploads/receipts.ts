import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { UPLOAD_TIMEOUT_MIN } from '@tidenet/contract'
import { every, type Logger } from '@tidenet/daemon'
import { decodeJwt } from 'jose'
import { writeDurably } from '../contents/durable.ts'
import type { Write } from '../contents/place.ts'
import { type ServerLink, ServerRefused } from '../server-link.ts'

/** Delivers receipts to the server; undelivered ones are stored on disk. */
export interface Receipts {
  /**
   * Stores the receipt durably and tries to deliver it within `INLINE_MS`; resolves in any case.
   * @param how `durable`: it was stored, with `asWrite`. `later`: with others, as the sender has it and delivers it, too
   */
  deliver(receipt: string, cid: string, how?: { durable: boolean; later?: boolean }): Promise<void>
  /** The stored receipt as a write for the write-ahead log; either `deliver` or `forget` follows. */
  asWrite(receipt: string): Write
  /** It was not stored: its upload failed. */
  forget(receipt: string): void
  /**
   * Whether the server made a decision about a content without knowing a receipt for it: one is pending, or was accepted after the
   * decision.
   * @param decided server time of the decision, unix ms
   */
  hasReceiptSince(cid: string, decided: number): boolean
  readonly waiting: number
  stop(): Promise<void>
}

/** How long a client's response waits for the server. */
const INLINE_MS = 3000
/** Pause after a failure, in which responses do not wait. */
const PAUSE_MS = 5000
const BATCH = 100
/** How long receipts wait for others. */
const LATER_MS = 1000
const SUFFIX = '.jws'
/** Longest time that a decision of the server is in transit. */
const TAKEN_KNOWN_MS = 10 * 60_000

const FOLDER = 'outbox'
const fileOf = (receipt: string): string => createHash('sha256').update(receipt).digest('hex') + SUFFIX

export async function openReceipts(options: {
  /** The data folder. */
  data: string
  link: ServerLink
  log: Logger
  retryMs?: number
}): Promise<Receipts> {
  const { link, log } = options
  const folder = join(options.data, FOLDER)
  await mkdir(folder, { recursive: true })
  /** Content of each undelivered receipt by file name. */
  const names = new Map<string, string>()
  const fresh = new Map<string, string>()
  /** Receipts that only the write-ahead log has, by file name: most are delivered before they would have a file. */
  const logged = new Map<string, string>()
  for (const name of await readdir(folder))
    if (name.endsWith(SUFFIX)) names.set(name, contentOf(await readFile(join(folder, name), 'utf8')))
  const taken = createTaken()
  let failedAt = Number.NEGATIVE_INFINITY

  const send = async (batch: Map<string, string>, timeoutMs: number, signal?: AbortSignal) => {
    let takenAt = Number.NEGATIVE_INFINITY
    try {
      const receipts = [...batch.values()]
      takenAt = (await link.call('receipts', { receipts }, { timeoutMs, ...(signal && { signal }) })).server_time
    } catch (error) {
      // A refused batch says nothing about single receipts.
      if (!(error instanceof ServerRefused) || error.err === 401 || batch.size > 1) throw error
      log.error({ err: error }, 'the server refused a receipt; it is dropped')
    }
    for (const name of batch.keys()) {
      taken.note(names.get(name) ?? fresh.get(name) ?? '', takenAt)
      names.delete(name)
      if (!logged.delete(name)) await rm(join(folder, name), { force: true })
    }
  }

  const retry = async (signal: AbortSignal) => {
    const batch = new Map<string, string>()
    for (const name of [...names.keys()].slice(0, BATCH))
      batch.set(name, logged.get(name) ?? (await readFile(join(folder, name), 'utf8')))
    if (batch.size === 0) return
    try {
      await send(batch, UPLOAD_TIMEOUT_MIN, signal)
    } catch (error) {
      if (!(error instanceof ServerRefused) || error.err === 401) throw error
      for (const [name, receipt] of batch) await send(new Map([[name, receipt]]), UPLOAD_TIMEOUT_MIN, signal)
    }
    if (names.size > 0) task.now()
  }
  const task = every(options.retryMs ?? 5000, retry, { name: 'receipts', log })

  /** Receipts that wait for the call in flight: when many files arrive at once, one call delivers the receipts of several. */
  const queue: { name: string; receipt: string; cid: string; done: () => void }[] = []
  let sending = false
  let timer: NodeJS.Timeout | undefined
  const sendQueue = async () => {
    clearTimeout(timer)
    timer = undefined
    if (sending) return
    sending = true
    while (queue.length > 0) {
      const batch = queue.splice(0, BATCH)
      const keep = () => {
        for (const { name, cid } of batch) names.set(name, cid)
      }
      if (performance.now() - failedAt < PAUSE_MS) keep()
      else
        try {
          await send(new Map(batch.map(({ name, receipt }) => [name, receipt])), INLINE_MS)
        } catch (error) {
          keep()
          // Each of a refused batch is sent on its own.
          if (error instanceof ServerRefused && error.err !== 401) task.now()
          else failedAt = performance.now()
          log.warn({ err: error }, 'the server did not take receipts; they will be sent again')
        }
      for (const { done } of batch) done()
    }
    sending = false
  }

  const enqueue = (name: string, receipt: string, cid: string, later: boolean) =>
    new Promise<void>((done) => {
      queue.push({ name, receipt, cid, done })
      if (!later || queue.length >= BATCH) void sendQueue()
      else timer ??= setTimeout(sendQueue, LATER_MS)
    })

  return {
    get waiting() {
      return names.size
    },
    hasReceiptSince: (cid, decided) =>
      taken.at(cid) >= decided || [...fresh.values(), ...names.values()].some((waiting) => waiting === cid),
    asWrite(receipt) {
      const name = fileOf(receipt)
      logged.set(name, receipt)
      const late = { isNeeded: () => logged.has(name), onPlaced: () => void logged.delete(name) }
      return { path: join(FOLDER, name), bytes: Buffer.from(receipt), mode: 0o600, late }
    },
    forget: (receipt) => void logged.delete(fileOf(receipt)),
    async deliver(receipt, cid, { durable, later = false } = { durable: false }) {
      const name = fileOf(receipt)
      fresh.set(name, cid)
      try {
        if (!durable) {
          await writeDurably(join(folder, name), receipt, 0o600)
          // Now it has a file, which is deleted after delivery.
          logged.delete(name)
        }
        await enqueue(name, receipt, cid, later)
      } finally {
        fresh.delete(name)
      }
    },
    stop() {
      // They are stored: the next start delivers them.
      clearTimeout(timer)
      return task.stop()
    },
  }
}

/** Server time when it last accepted a receipt, by content. */
function createTaken() {
  const times = new Map<string, { serverTime: number; noted: number }>()
  return {
    at: (cid: string) => times.get(cid)?.serverTime ?? Number.NEGATIVE_INFINITY,
    note(cid: string, serverTime: number) {
      const noted = performance.now()
      times.delete(cid)
      times.set(cid, { serverTime, noted })
      for (const [oldest, then] of times) {
        if (noted - then.noted < TAKEN_KNOWN_MS) break
        times.delete(oldest)
      }
    },
  }
}

function contentOf(receipt: string): string {
  try {
    return String(decodeJwt(receipt).cid)
  } catch {
    return ''
  }
}
