import { randomUUID } from 'node:crypto'
import type { Input, Output, RouteOf } from '@tidenet/contract'
import { PUT_OBJECTS_MAX } from '@tidenet/contract'
import { MiB } from '@tidenet/contract/constants'
import { S3Error } from '@tidenet/s3-wire'
import { isSuccess, type SmallUpload, type Transfers } from '@tidenet/storage/gateway'
import { knownError, refusalOf, s3ErrorOf } from './refusals.ts'

export type PutInput = Input<RouteOf<'s3.put'>>['files'][number]
type PutOutput = Output<RouteOf<'s3.put'>>['results'][number]

/** What is written under a key. */
export type Write = Omit<PutInput, 'item' | 'cid' | 'receipt' | 'write_id'>
export type Written = NonNullable<PutOutput['object']>

/** Objects up to this size are held in memory, and sent to nodes and listed together with others that are written at the same time. */
export const SMALL_MAX = MiB
const BATCH_BYTES = 8 * MiB
const BATCHES = 2
/** How long objects wait for the next of the clients that were just answered. */
const LINGER_MS = 8
const LINGER_MAX_MS = 50
/** Objects that come within this time belong to the same transfer. */
const IDLE_MS = 1000
/** Objects whose bytes are one transfer in the list of the account. */
const TRACE_OBJECTS = 5000

/** The content without bytes, which no node has to store. */
export const EMPTY_CID = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'

interface Waiting {
  write: Write
  bytes: Uint8Array
  resolve: (written: Written) => void
  reject: (error: unknown) => void
}

export interface SmallWrites {
  /** @throws S3Error */
  add(transfers: Transfers, bucket: string, write: Write, bytes: Uint8Array): Promise<Written>
  /** Ends the transfers that wait for more objects. */
  stop(): Promise<void>
}

/** Gathers small objects that are written at the same time: each call to the portal and to nodes then serves many. */
export function createSmallWrites(): SmallWrites {
  const queues = new Map<Transfers, Map<string, Queue>>()
  const open = (transfers: Transfers, bucket: string): Queue => {
    const ofCaller = queues.get(transfers) ?? new Map<string, Queue>()
    queues.set(transfers, ofCaller)
    const queue = createQueue(transfers, bucket, () => {
      ofCaller.delete(bucket)
      if (ofCaller.size === 0) queues.delete(transfers)
    })
    ofCaller.set(bucket, queue)
    return queue
  }
  return {
    add(transfers, bucket, write, bytes) {
      const queue = queues.get(transfers)?.get(bucket) ?? open(transfers, bucket)
      return new Promise((resolve, reject) => queue.add({ write, bytes, resolve, reject }))
    },
    async stop() {
      await Promise.all([...queues.values()].flatMap((ofCaller) => [...ofCaller.values()].map(({ end }) => end())))
    },
  }
}

/** Objects that are one transfer in the list of the account. */
interface Transfer {
  upload: SmallUpload
  objects: number
  /** Batches that are not listed yet. */
  running: number
}

interface Queue {
  add(waiting: Waiting): void
  /** Reports the transfer, if nothing is under way. */
  end(): Promise<void>
}

function createQueue(transfers: Transfers, bucket: string, onEnd: () => void): Queue {
  const waiting: Waiting[] = []
  let waitingBytes = 0
  /** Keys that are being written: the last write of a key must be the last one that is listed. */
  const busy = new Set<string>()
  let running = 0
  /** Objects that were under way at a time, lately: so many clients write at once. */
  let together = 0
  let underWay = 0
  let timer: NodeJS.Timeout | undefined
  let waitsSince: number | undefined
  let idle: NodeJS.Timeout | undefined
  const begin = (): Transfer => ({ upload: transfers.smallUpload(bucket), objects: 0, running: 0 })
  let transfer = begin()
  const take = (): Waiting[] => {
    const batch: Waiting[] = []
    const later: Waiting[] = []
    let bytes = 0
    for (const one of waiting.splice(0)) {
      const fits = batch.length < PUT_OBJECTS_MAX && (batch.length === 0 || bytes + one.bytes.length <= BATCH_BYTES)
      if (!fits || busy.has(one.write.key) || later.some(({ write }) => write.key === one.write.key)) later.push(one)
      else {
        batch.push(one)
        busy.add(one.write.key)
        bytes += one.bytes.length
      }
    }
    waiting.push(...later)
    waitingBytes -= bytes
    return batch
  }
  const next = () => {
    clearTimeout(timer)
    waitsSince = undefined
    const batch = take()
    if (batch.length === 0) return
    // A trace is not for ever.
    const former = transfer
    if (former.objects > TRACE_OBJECTS) {
      transfer = begin()
      if (former.running === 0) void former.upload.end()
    }
    const own = transfer
    own.objects += batch.length
    own.running += 1
    running += 1
    void writeBatch({ transfers, upload: own.upload, bucket }, batch).finally(() => {
      running -= 1
      own.running -= 1
      // The portal forgets what is not listed when its transfer ends.
      if (own !== transfer && own.running === 0) void own.upload.end()
      underWay -= batch.length
      for (const { write } of batch) busy.delete(write.key)
      if (waiting.length > 0) schedule()
      else if (running === 0) idle = setTimeout(end, IDLE_MS)
    })
  }
  /**
   * Batches follow each other, and what comes meanwhile is the next one: two of half the size cost twice as many calls, and wait for the same
   * account. Only if there is much to send, a second one is sent meanwhile.
   */
  const schedule = () => {
    if (running >= BATCHES || (running > 0 && waitingBytes < BATCH_BYTES / 2)) return
    clearTimeout(timer)
    const now = performance.now()
    waitsSince ??= now
    if (running > 0 || waiting.length >= together || now - waitsSince > LINGER_MAX_MS) return next()
    timer = setTimeout(() => {
      together = underWay
      next()
    }, LINGER_MS)
  }
  const end = async () => {
    clearTimeout(idle)
    if (underWay > 0) return
    onEnd()
    await transfer.upload.end()
  }
  return {
    end,
    add(one) {
      clearTimeout(idle)
      waiting.push(one)
      waitingBytes += one.bytes.length
      underWay += 1
      together = Math.max(together, underWay)
      schedule()
    },
  }
}

async function writeBatch(
  { transfers, upload, bucket }: { transfers: Transfers; upload: SmallUpload; bucket: string },
  batch: readonly Waiting[],
): Promise<void> {
  const full = batch.filter(({ bytes }) => bytes.length > 0)
  const stored = new Map<Waiting, { cid: string; receipt?: string }>()
  let traceId = ''
  try {
    const results = full.length === 0 ? [] : await upload.store(full.map(({ bytes }) => bytes))
    for (const [index, one] of full.entries()) {
      const result = results[index]
      if (result && 'cid' in result) {
        traceId = result.traceId
        stored.set(one, { cid: result.cid, receipt: result.receipt })
      } else one.reject(result ? s3ErrorOf(result) : new S3Error('SlowDown'))
    }
    for (const one of batch) if (one.bytes.length === 0) stored.set(one, { cid: EMPTY_CID })
    const writes = [...stored]
    if (writes.length === 0) return
    const files = writes.map(([{ write }, content], item) => ({ ...write, ...content, item }))
    const listed = await listObjects(transfers, bucket, traceId, files)
    writes.forEach(([one], index) => {
      const result = listed[index]
      if (result instanceof S3Error) one.reject(result)
      else if (result) one.resolve(result)
      else one.reject(new S3Error('InternalError'))
    })
  } catch (error) {
    for (const { reject } of batch) reject(knownError(error) ?? error)
  }
}

/** Lists stored contents as objects. @returns in the same order; refusals of single objects instead of them */
export async function listObjects(
  { api }: Transfers,
  bucket: string,
  traceId: string,
  files: readonly PutInput[],
): Promise<(Written | S3Error)[]> {
  // The call is repeated if its answer is lost.
  const named = files.map((file) => ({ ...file, write_id: randomUUID() }))
  const answer = await api.call('s3.put', { bucket, trace_id: traceId, files: named })
  if (!isSuccess(answer)) throw s3ErrorOf(answer)
  const byItem = new Map(answer.data.results.map((result) => [result.item, result]))
  return files.map(({ item }) => {
    const result = byItem.get(Number(item))
    if (result?.object) return result.object
    return result?.failed ? new S3Error('PreconditionFailed') : refusalOf(result?.err, result?.msg ?? '')
  })
}
