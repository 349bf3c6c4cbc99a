import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { every, type Logger } from '@tidenet/daemon'
import { writeDurably } from '../contents/durable.ts'
import { type ServerLink, ServerRefused } from '../server-link.ts'

/** Hands receipts to the server; those it has not taken yet wait on disk. */
export interface Receipts {
  /** Keeps the receipt durably and tries to deliver it within `INLINE_MS`; resolves either way. */
  deliver(receipt: string): Promise<void>
  readonly waiting: number
  stop(): Promise<void>
}

/** A client's answer waits this long for the server. */
const INLINE_MS = 3000
/** After a failure no answer waits again for this long. */
const PAUSE_MS = 5000
const BATCH = 100
const SUFFIX = '.jws'

export async function openReceipts(options: {
  folder: string
  link: ServerLink
  log: Logger
  retryMs?: number
}): Promise<Receipts> {
  const { folder, link, log } = options
  await mkdir(folder, { recursive: true })
  const names = new Set((await readdir(folder)).filter((name) => name.endsWith(SUFFIX)))

  let failedAt = Number.NEGATIVE_INFINITY

  const send = async (batch: Map<string, string>, timeoutMs: number, signal?: AbortSignal) => {
    try {
      await link.call('receipts', { receipts: [...batch.values()] }, { timeoutMs, ...(signal && { signal }) })
    } catch (error) {
      // A batch that is refused says nothing about each of its receipts.
      if (!(error instanceof ServerRefused) || error.err === 401 || batch.size > 1) throw error
      log.error({ err: error }, 'the server refused a receipt; it is dropped')
    }
    for (const name of batch.keys()) {
      names.delete(name)
      await rm(join(folder, name), { force: true })
    }
  }

  const retry = async (signal: AbortSignal) => {
    const batch = new Map<string, string>()
    for (const name of [...names].slice(0, BATCH)) batch.set(name, await readFile(join(folder, name), 'utf8'))
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

  return {
    get waiting() {
      return names.size
    },
    async deliver(receipt) {
      const name = createHash('sha256').update(receipt).digest('hex') + SUFFIX
      await writeDurably(join(folder, name), receipt, 0o600)
      if (performance.now() - failedAt < PAUSE_MS) {
        names.add(name)
        return
      }
      try {
        await send(new Map([[name, receipt]]), INLINE_MS)
      } catch (error) {
        names.add(name)
        failedAt = performance.now()
        log.warn({ err: error }, 'the server did not take a receipt; it will be sent again')
      }
    },
    stop: () => duty.stop(),
  }
}
