import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rename, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createFileHasher, type FileHasher } from '@tidenet/content'
import { type UploadClaims, uploadClaims } from '@tidenet/contract'
import { z } from 'zod'
import { consume } from '../consume.ts'
import { openBlockWriter } from '../contents/block-writer.ts'
import { DATA } from '../contents/content-record.ts'
import type { ContentStore, Incoming } from '../contents/content-store.ts'
import { writeDurably } from '../contents/durable.ts'
import { ARCHIVE, checkArchive } from '../contents/store-archive.ts'
import { Refusal } from '../refusal.ts'
import { texts } from '../texts.ts'
import type { Arriving } from './arriving.ts'
import type { Pace } from './pace.ts'
import { checkComplete, type StoredUpload, takeInto, type Uploads } from './store-upload.ts'
import { uploadName } from './used-tokens.ts'

const record = z.object({
  length: z.number(),
  /** The header as the client sent it. */
  metadata: z.string(),
  claims: uploadClaims,
  /** Unix ms; extended by every request with bytes. */
  expires: z.number(),
})
type Record = z.infer<typeof record>

/** An upload that may take several requests, days and restarts. */
export interface TusSession extends Record {
  name: string
  /** Bytes on disk. */
  offset: number
}

/** An unfinished upload: record and bytes in a folder, hash state in memory. */
export interface TusUpload {
  session: TusSession
  incoming: Incoming
  network?: string | undefined
  dropped?: Promise<void>
  /** Hash state at the offset; absent after a restart or a rolled-back chunk. */
  hasher?: FileHasher | undefined
  writer?: { cut: AbortController; done: Promise<void> } | undefined
  finishing?: Promise<StoredUpload> | undefined
}

export interface Checksum {
  algorithm: 'sha1' | 'sha256' | 'md5'
  digest: Buffer
}

export interface TusChunk {
  bytes: Readable
  pace: Pace
  checksum?: Checksum | undefined
}

export class ChecksumMismatch extends Error {}

/** Lifetime of an upload after its last byte. */
const LIFE_MS = 24 * 3600 * 1000
/** Lifetime of an upload without any bytes. */
export const EMPTY_LIFE_MS = 2 * 60 * 1000
const RECORD = 'upload.json'

/** Restores an upload after a restart; undefined if it has expired. */
export async function reopenUpload(store: ContentStore, folder: string, now: number): Promise<TusUpload | undefined> {
  const path = store.lasting(folder)
  const saved = record.parse(JSON.parse(await readFile(join(path, RECORD), 'utf8')))
  if (saved.expires < now) return undefined
  // The node was killed while it published the archive.
  await rename(join(path, ARCHIVE), join(path, DATA)).catch(nothing)
  // Bytes are appended in order, so the file size is the offset; the hash is computed again.
  const bytesOnDisk = await stat(join(path, DATA)).then(
    ({ size }) => size,
    () => 0,
  )
  const session = { ...saved, name: uploadName(saved.claims.jti), offset: Math.min(bytesOnDisk, saved.length) }
  return { session, incoming: await store.incoming(folder, bytesOnDisk) }
}

export function saveUpload({ session, incoming }: TusUpload): Promise<void> {
  const { length, metadata, claims, expires } = session
  return writeDurably(join(incoming.folder, RECORD), JSON.stringify({ length, metadata, claims, expires }), 0o600)
}

/** The hash state; recomputed from the file if absent. */
async function hasherOf(live: TusUpload): Promise<FileHasher> {
  if (live.hasher) return live.hasher
  const hasher = createFileHasher()
  const { offset } = live.session
  if (offset > 0) {
    const file = createReadStream(join(live.incoming.folder, DATA), { end: offset - 1, highWaterMark: 1 << 20 })
    await consume(file, (chunk) => void hasher.update(chunk) as undefined)
  }
  live.hasher = hasher
  return hasher
}

/** Appends a chunk and syncs it. After a failure the written part is kept, unless the chunk has a checksum. */
export async function writeChunk(
  live: TusUpload,
  { bytes, pace, checksum }: TusChunk,
  signal: AbortSignal,
  { now, arriving }: { now: () => number; arriving: Arriving },
): Promise<void> {
  const { session, incoming } = live
  const start = session.offset
  const folder = session.claims.kind === 'car'
  const hasher = folder ? undefined : await hasherOf(live)
  const check = checksum && createHash(checksum.algorithm)
  const writer = await openBlockWriter(join(incoming.folder, DATA), start)
  const take = takeInto(incoming, writer, session.length)
  let kept = false
  try {
    await consume(
      bytes,
      (chunk) => {
        if (writer.size + chunk.length > session.length) throw new Refusal(413, texts.moreThanLength(session.length))
        hasher?.update(chunk)
        check?.update(chunk)
        const wait = take(chunk)
        pace.received(chunk.length, wait)
        arriving.received(session.claims, writer.size)
        return wait
      },
      { signal },
    ).finally(() => writer.sync())
    if (checksum && check && !check.digest().equals(checksum.digest)) throw new ChecksumMismatch()
    kept = true
  } finally {
    await writer.close()
    // A chunk with a checksum counts only as a whole; of others, the bytes certainly on disk.
    if (kept || !checksum) session.offset = writer.bytesOnDisk
    if (!kept) live.hasher = undefined
    // Remove rejected bytes, so that a restart does not count them.
    if (!kept && checksum) await truncate(join(incoming.folder, DATA), start)
    // A paused upload reserves only the space of its bytes.
    incoming.reservation.wrote(session.offset)
    incoming.reservation.shrink(session.offset)
    if (session.offset > start) arriving.received(session.claims, session.offset)
    session.expires = now() + (session.offset > 0 ? LIFE_MS : EMPTY_LIFE_MS)
    await saveUpload(live)
  }
}

/** Stores a complete upload as a content. */
export async function storeUpload(live: TusUpload, uploads: Uploads): Promise<StoredUpload> {
  const { session, incoming } = live
  const { claims } = session
  checkComplete(claims, session.offset)
  if (claims.kind === 'car') return storeArchive(claims, incoming, uploads)
  const hashed = await (await hasherOf(live)).finish()
  live.hasher = undefined
  return uploads.storeFile(claims, incoming, hashed)
}

async function storeArchive(claims: UploadClaims, incoming: Incoming, uploads: Uploads): Promise<StoredUpload> {
  const path = join(incoming.folder, DATA)
  const archive = await checkArchive(createReadStream(path, { highWaterMark: 1 << 20 }), () => undefined, {
    root: claims.cid ?? '',
  })
  const archivePath = join(incoming.folder, ARCHIVE)
  await rename(path, archivePath)
  try {
    return await uploads.storeArchive(claims, incoming, archive)
  } catch (error) {
    await rename(archivePath, path).catch(nothing)
    throw error
  }
}

const nothing = () => {}
