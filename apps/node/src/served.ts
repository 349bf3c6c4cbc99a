import { join } from 'node:path'
import { type DownloadClaims, errors } from '@tidenet/contract'
import { type Clock, createKeyedMutex, every, type Logger } from '@tidenet/daemon'
import type { Identity } from './identity.ts'
import { openSentTotals } from './sent-totals.ts'
import { addTransfer, openJournal, type Transfer } from './served-journal.ts'
import { type ServerLink, ServerRefused } from './server-link.ts'
import { createStatements, type Statement } from './statements.ts'

/** Counts the bytes sent for one request. */
export interface Meter {
  add(bytes: number): void
  end(): void
}

/**
 * Counts bytes sent per transfer and reports them to the server. Counts are written to a journal within `JOURNAL_MS`, which limits the loss
 * in a crash. A journal becomes a batch by renaming; the batch name makes repeated reports idempotent.
 */
export interface Served {
  /** Bytes of all requests since the start. */
  readonly total: number
  begin(claims: DownloadClaims): Meter
  /** Keeps what a client signed until the next report. */
  receive(statement: Statement): void
  stop(): Promise<void>
}

const JOURNAL_MS = 100
/** Shorter times measure buffering, not bandwidth: they count as this long. */
const RATE_MS = 100
const REPORT_MS = 2000
/** Bytes after which a running transfer updates the statistics. */
const STEP = 8 * 1024 * 1024
const BATCH_MAX = 1000
/** While reports wait, the journal becomes a batch only at this size, so that an outage of days leaves no file for every report. */
const JOURNAL_BYTES = 1024 * 1024
/** The oldest batches are dropped above this size, and after the time after which the server counts nothing any more. */
const WAITING_BYTES = 256 * 1024 * 1024
const WAITING_MS = 7 * 86_400_000
/** Transfers in memory while nothing can be written; above it, the oldest are dropped. */
const PENDING_MAX = 100_000

/**
 * What repeating the same report cannot change. Everything else is kept: the server may be overloaded or failing, or refuse to register this
 * node because of its clock or its network, which can be mended.
 */
const REFUSED_FOR_GOOD: readonly number[] = [errors.invalidParams.err, errors.bodyTooLarge.err]
const isRefusedForGood = (error: unknown): error is ServerRefused =>
  error instanceof ServerRefused && REFUSED_FOR_GOOD.includes(error.err)

export async function openServed(options: {
  folder: string
  identity: Pick<Identity, 'id' | 'sign'>
  link: ServerLink
  clock: Clock
  log: Logger
}): Promise<Served> {
  const { folder, link, clock, log } = options
  const journal = await openJournal(folder)
  const statements = createStatements(options.identity.id)
  const sent = await openSentTotals(join(folder, 'sent'), options.identity)
  let pending = new Map<string, Transfer>()
  let total = 0
  let timer: NodeJS.Timeout | undefined

  /** Serializes journal operations. */
  const mutex = createKeyedMutex()
  const inTurn = (step: () => Promise<void>) => mutex('journal', step)
  const write = async () => {
    if (pending.size === 0) return
    const writing = pending
    pending = new Map()
    try {
      await journal.append(writing.values())
    } catch (error) {
      for (const entry of writing.values()) addTransfer(pending, entry)
      throw error
    }
  }
  const add = (
    { sub: account, tid: trace_id, cid }: Pick<DownloadClaims, 'sub' | 'tid' | 'cid'>,
    more: Partial<Transfer>,
  ) => {
    addTransfer(pending, { account, trace_id, cid, bytes: 0, requests: 0, peak: 0, time: clock.now(), ...more })
    if (pending.size > PENDING_MAX) pending.delete(pending.keys().next().value ?? '')
  }
  const count = (claims: DownloadClaims, bytes: number, requests: number, peak: number) => {
    add(claims, { bytes, requests, peak })
    sent.add(claims, bytes)
    timer ??= setTimeout(() => {
      timer = undefined
      inTurn(write).catch((error: unknown) => log.error({ err: error }, 'bytes sent could not be noted'))
    }, JOURNAL_MS).unref()
  }

  const report = async (signal?: AbortSignal) => {
    for (const { claims, bytes: received, signature } of await statements.take()) {
      add(claims, { received, signature })
      sent.receive(claims, received)
    }
    for (const { claims, ...signed } of sent.take()) add(claims, signed)
    await inTurn(async () => {
      // If the disk is full, counts stay in memory; earlier ones can still be reported.
      await write().catch((error: unknown) => log.warn({ err: error }, 'bytes sent could not be noted'))
      if ((await journal.batches()).length === 0 || (await journal.size()) >= JOURNAL_BYTES) await journal.close()
    })
    for (const { name } of await waitingBatches()) {
      const transfers = await journal.read(name)
      for (let at = 0; at < transfers.length; at += BATCH_MAX)
        await send(`${name}.${at}`, transfers.slice(at, at + BATCH_MAX), signal)
      await journal.drop(name)
    }
  }

  /** Batches that the server may still count; others are dropped. */
  const waitingBatches = async () => {
    const batches = await journal.batches()
    let waiting = batches.reduce((total, { size }) => total + size, 0)
    const kept = batches.filter(({ time, size }) => {
      // The clock of the file system: that of the network can be months away from it.
      const keep = waiting <= WAITING_BYTES && time > Date.now() - WAITING_MS
      if (!keep) waiting -= size
      return keep
    })
    const dropped = batches.slice(0, batches.length - kept.length)
    for (const { name } of dropped) await journal.drop(name)
    if (dropped.length > 0)
      log.error({ batches: dropped.length }, 'reports of bytes sent waited too long for the server; they are dropped')
    return kept
  }

  /** Sends a report. If the server refuses it for good, only the transfers that are wrong are dropped. @throws if it can be repeated */
  const send = async (batch: string, transfers: Transfer[], signal?: AbortSignal): Promise<void> => {
    try {
      await link.call('served', { batch, transfers }, { ...(signal && { signal }) })
    } catch (error) {
      if (!isRefusedForGood(error)) throw error
      if (transfers.length === 1) {
        log.error(
          { err: error, batch, transfer: transfers[0]?.trace_id },
          'the server refused bytes sent; they are dropped',
        )
        return
      }
      // The names of the halves follow from the batch: what is repeated has the same name again.
      const half = Math.ceil(transfers.length / 2)
      await send(`${batch}a`, transfers.slice(0, half), signal)
      await send(`${batch}b`, transfers.slice(half), signal)
    }
  }
  const task = every(REPORT_MS, report, { name: 'served', log })

  return {
    get total() {
      return total
    },
    receive: statements.add,
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
      await task.stop()
      await report(AbortSignal.timeout(1000)).catch(() => inTurn(write))
      await sent.save().catch((error: unknown) => log.warn({ err: error }, 'totals of bytes sent could not be kept'))
    },
  }
}
