import { createHash } from 'node:crypto'
import { IMPORT_PROBLEMS_MAX, TEMPORARY_REASONS } from '@tidenet/contract'
import { OBJECT_HEADERS, OBJECT_KEY_MAX, objectHeaders, objectMetadata } from '@tidenet/contract/api/s3-fields'
import { createTransfers, isSuccess, type Transfers } from '@tidenet/storage/gateway'
import { storeObject } from '../large-writes.ts'
import { createSmallWrites, SMALL_MAX, type Write } from '../small-writes.ts'
import { ImportFailed, reasonOf, reasonOfFailure } from './import-failed.ts'
import type { ImportTask } from './import-task.ts'
import { type ListedObject, openOtherS3 } from './other-s3.ts'
import { piecesOf } from './source-fetch.ts'

/** Objects that are copied at the same time. */
const PARALLEL = 8
/** A bucket that never ends is one of a liar. */
const PAGES_MAX = 100_000
/** Reasons that end the import; others concern one object only. */
const ENDING = ['quota', 'access', 'folder', 'private', 's3Denied']
/** If so many objects are refused and none is copied, the key may read nothing. */
const FORBIDDEN_MAX = 20

/**
 * Copies the objects of a bucket into the folder. One that is there with the same size and ETag is skipped, so that a retry continues.
 * @returns no CID. @throws ImportFailed
 */
export async function importFromS3(task: ImportTask): Promise<string> {
  const { job, limits, counts, server } = task
  const other = openOtherS3(task)
  const transfers = createTransfers({ url: server, token: job.token })
  const smallWrites = createSmallWrites()
  const ours = listOurs(transfers, job.to_bucket)
  // Keys keep what follows the last folder of the prefix.
  const above = job.prefix.lastIndexOf('/') + 1

  /** Objects that may be copied when the import is tried again. */
  let passing = 0

  const copy = async (object: ListedObject, key: string) => {
    if (object.size > task.free) throw new ImportFailed('quota')
    const { headers, body } = await other.open(object)
    const details = detailsOf(headers)
    const md5 = createHash('md5')
    let read = 0
    const pieces = async function* () {
      for await (const piece of piecesOf(body)) {
        md5.update(piece)
        read += piece.length
        if (read > object.size) throw new ImportFailed('broken')
        counts.received += piece.length
        yield piece
      }
      if (read !== object.size) throw new ImportFailed('broken')
    }
    const write = (): Write => {
      const hash = md5.digest('hex')
      return { key, size: read, md5: hash, etag: keptEtag(object.etag, hash), ...details }
    }
    if (object.size > SMALL_MAX) {
      const sender = { transfers, signal: limits.signal }
      return storeObject(sender, { bucket: job.to_bucket, key }, { size: object.size, pieces: pieces() }, write)
    }
    const all: Uint8Array[] = []
    for await (const piece of pieces()) all.push(piece)
    return smallWrites.add(transfers, job.to_bucket, write(), Buffer.concat(all))
  }
  const handle = async (object: ListedObject): Promise<void> => {
    const key = object.key.slice(above)
    // The folder itself, as some programs store it.
    if (key === '') return void counts.skipped++
    try {
      limits.signal.throwIfAborted()
      if (Buffer.byteLength(key) > OBJECT_KEY_MAX || key.includes('\0')) throw new ImportFailed('s3Answer')
      const there = await ours(key)
      if (there?.size === object.size && [object.etag, unprovenEtag(object.etag)].includes(there.etag))
        return void counts.skipped++
      await copy(object, key)
      counts.done++
    } catch (error) {
      limits.signal.throwIfAborted()
      const reason = reasonOf(error)
      if (reason === undefined || ENDING.includes(reason)) throw error
      if (counts.problems.length < IMPORT_PROBLEMS_MAX)
        // The bucket is there: the object was deleted since it was listed.
        counts.problems.push({
          key: object.key.slice(0, OBJECT_KEY_MAX),
          reason: reason === 's3Missing' ? 'missing' : reason,
        })
      if (reason === 'archived') return void counts.archived++
      counts.failed++
      if (TEMPORARY_REASONS.includes(reason)) passing++
      if (reason === 's3Forbidden' && counts.failed >= FORBIDDEN_MAX && counts.done + counts.skipped === 0) throw error
    }
  }

  const handleAll = async (): Promise<void> => {
    let next: string | undefined
    for (let page = 0; page === 0 || next !== undefined; page++) {
      if (page === PAGES_MAX) throw new ImportFailed('s3Answer')
      const found = await other.list(next)
      counts.objects += found.objects.length
      const waiting = found.objects.values()
      const work = async () => {
        for (const object of waiting) await handle(object)
      }
      await Promise.all(Array.from({ length: PARALLEL }, work))
      next = found.next
    }
  }
  await handleAll().finally(() => smallWrites.stop())
  if (counts.failed > 0) throw new ImportFailed(passing > 0 ? 'objects' : 'objectsRefused', `${counts.failed} objects`)
  return ''
}

/**
 * Clients take an ETag of 32 digits for the MD5 of the bytes, so another one, such as that of an object that is encrypted with a key of a KMS,
 * becomes one that clients do not verify.
 */
const keptEtag = (etag: string, md5: string): string =>
  etag === md5 || /^[0-9a-f]{32}-\d{1,5}$/.test(etag) ? etag : /^[0-9a-f]{32}$/.test(etag) ? unprovenEtag(etag) : md5
const unprovenEtag = (etag: string): string => `${etag}-1`

/** Looks for our objects, in the order of their keys: each page of our list is read once. Keys in another order are not found. */
function listOurs(transfers: Transfers, bucket: string) {
  const known = new Map<string, { size: number; etag: string }>()
  let after = ''
  let ended = false
  let reading: Promise<void> = Promise.resolve()
  const readUntil = async (key: string) => {
    while (!ended && Buffer.compare(Buffer.from(after), Buffer.from(key)) < 0) {
      const page = await transfers.api.call('s3.list', { bucket, after })
      if (!isSuccess(page)) throw new ImportFailed(reasonOfFailure(page))
      known.clear()
      for (const { key: ours, size, etag } of page.data.objects) known.set(ours, { size, etag })
      after = page.data.next
      ended = after === ''
    }
  }
  return (key: string) => {
    // One after the other, because a page replaces the one before.
    const found = reading.then(() => readUntil(key)).then(() => known.get(key))
    reading = found.then(() => {})
    return found
  }
}

/** Headers and metadata that objects can have here; what we would not accept is left out. */
function detailsOf(sent: Record<string, unknown>): Pick<Write, 'headers' | 'metadata'> {
  const headers: Record<string, string> = {}
  const metadata: Record<string, string> = {}
  for (const [name, value] of Object.entries(sent)) {
    if (typeof value !== 'string') continue
    if ((OBJECT_HEADERS as readonly string[]).includes(name)) headers[name] = value
    else if (name.startsWith('x-amz-meta-')) metadata[name.slice('x-amz-meta-'.length)] = value
  }
  return {
    headers: objectHeaders.safeParse(headers).data ?? {},
    metadata: objectMetadata.safeParse(metadata).data ?? {},
  }
}
