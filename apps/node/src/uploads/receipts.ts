import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { every, type Logger } from '@tidenet/daemon'
import { decodeJwt } from 'jose'
import { writeDurably } from '../contents/durable.ts'
import { type ServerLink, ServerRefused } from '../server-link.ts'

/** Hands receipts to the server; those it has not taken yet wait on disk. */
export interface Receipts {
  /** Keeps the receipt for a content durably and tries to deliver it within `INLINE_MS`; resolves either way. */
  deliver(receipt: string, cid: string): Promise<void>
  /**
   * Whether the server decided about a content without knowing of a receipt for it: one is on its way, or was taken after it
   * looked.
   * @param decided the server's time before it looked, unix ms
   */
  spokenSince(cid: string, decided: number): boolean
  readonly waiting: number
  stop(): Promise<void>
}

/** A client's answer waits this long for the server. */
const INLINE_MS = 3000
/** After a failure no answer waits again for this long. */
const PAUSE_MS = 5000
const BATCH = 100
const SUFFIX = '.jws'
/** No decision of the server is on its way for longer. */
const TAKEN_KNOWN_MS = 10 * 60_000

export async function openReceipts(options: {
  folder: string
  link: ServerLink
  log: Logger
  retryMs?: number
}): Promise<Receipts> {
  const { folder, link, log } = options
  await mkdir(folder, { recursive: true })
  /** By the name of its file the content of each receipt: those that wait, and those being delivered for the first time. */
  const names = new Map<string, string>()
  const fresh = new Map<string, string>()
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
      // A batch that is refused says nothing about each of its receipts.
      if (!(error instanceof ServerRefused) || error.err === 401 || batch.size > 1) throw error
      log.error({ err: error }, 'the server refused a receipt; it is dropped')
    }
    for (const name of batch.keys()) {
      taken.note(names.get(name) ?? fresh.get(name) ?? '', takenAt)
      names.delete(name)
      await rm(join(folder, name), { force: true })
    }
  }

  const retry = async (signal: AbortSignal) => {
    const batch = new Map<string, string>()
    for (const name of [...names.keys()].slice(0, BATCH)) batch.set(name, await readFile(join(folder, name), 'utf8'))
    if (batch.size === 0) return
    try {
      await send(batch, 10_000, signal)
    } catch (error) {
      if (!(error instanceof ServerRefused) || error.err === 401) throw error
      for (const [name, receipt] of batch) await send(new Map([[name, receipt]]), 10_000, signal)
    }
    if (names.size > 0) duty.now()
  }
  const duty = every(options.retryMs ?? 5000, retry, { name: 'receipts', log })

  const deliverNow = async (name: string, receipt: string, cid: string) => {
    await writeDurably(join(folder, name), receipt, 0o600)
    if (performance.now() - failedAt < PAUSE_MS) {
      names.set(name, cid)
      return
    }
    try {
      await send(new Map([[name, receipt]]), INLINE_MS)
    } catch (error) {
      names.set(name, cid)
      failedAt = performance.now()
      log.warn({ err: error }, 'the server did not take a receipt; it will be sent again')
    }
  }

  return {
    get waiting() {
      return names.size
    },
    spokenSince: (cid, decided) =>
      taken.at(cid) >= decided || [...fresh.values(), ...names.values()].some((waiting) => waiting === cid),
    async deliver(receipt, cid) {
      const name = createHash('sha256').update(receipt).digest('hex') + SUFFIX
      fresh.set(name, cid)
      try {
        await deliverNow(name, receipt, cid)
      } finally {
        fresh.delete(name)
      }
    },
    stop: () => duty.stop(),
  }
}

/** When the server last took a receipt for a content, by its own clock. */
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
