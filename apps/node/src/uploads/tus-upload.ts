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
import { syncFile, writeDurably } from '../contents/durable.ts'
import { ARCHIVE, type CheckedArchive, checkArchive } from '../contents/store-archive.ts'
import { Refusal } from '../refusal.ts'
import { texts } from '../texts.ts'
import { type ArchiveCheck, beginArchiveCheck } from './archive-check.ts'
import type { Arriving } from './arriving.ts'
import type { Pace } from './pace.ts'
import { checkComplete, checkSize, type StoredUpload, takeInto, type Uploads } from './store-upload.ts'
import { uploadName } from './used-tokens.ts'

const record = z.object({
  /** Bytes; absent while the client has not said it (`Upload-Defer-Length`). */
  length: z.number().optional(),
  /** Name of a part of an upload (`Upload-Concat: partial`); absent for others, whose name is that of the token. */
  part: z.string().optional(),
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
  /** Bytes received, also of a running write. */
  received: number
  network?: string | undefined
  dropped?: Promise<void>
  /** Hash state at the offset; absent after a restart or a rolled-back chunk. */
  hasher?: FileHasher | undefined
  /** The archive, if it arrived in one request and was verified meanwhile. */
  archive?: CheckedArchive | undefined
  writer?: { cut: AbortController; done: Promise<void> } | undefined
  /** While it is verified and stored, or joined with other parts. */
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
const EMPTY_LIFE_MS = 2 * 60 * 1000
const RECORD = 'upload.json'

/** When an upload with `received` bytes is dropped, unix ms. Parts end with their token, since only it can join them. */
export const expiryOf = ({ claims, part }: Pick<Record, 'claims' | 'part'>, received: number, now: number): number => {
  const expires = now + (received > 0 ? LIFE_MS : EMPTY_LIFE_MS)
  return part === undefined ? expires : Math.min(expires, claims.exp * 1000)
}

/** Most bytes that a token may store. */
export const limitOf = (claims: UploadClaims): number => claims.size ?? claims.max

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
  // If the node was killed before it synced these bytes, a power failure could still lose them, and the client does not send them again.
  if (bytesOnDisk > 0) await syncFile(join(path, DATA))
  const offset = Math.min(bytesOnDisk, saved.length ?? bytesOnDisk)
  const session = { ...saved, name: saved.part ?? uploadName(saved.claims.jti), offset }
  return { session, incoming: await store.incoming(folder, bytesOnDisk), received: offset }
}

export function saveUpload({ session, incoming }: TusUpload): Promise<void> {
  const { length, part, metadata, claims, expires } = session
  return writeDurably(join(incoming.folder, RECORD), JSON.stringify({ length, part, metadata, claims, expires }), 0o600)
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

/**
 * Appends a chunk and syncs it. After a failure the written part is kept, unless the chunk has a checksum.
 * @param sent bytes that the token has sent, in all its parts
 */
export async function writeChunk(
  live: TusUpload,
  { bytes, pace, checksum }: TusChunk,
  signal: AbortSignal,
  { now, arriving, sent }: { now: () => number; arriving: Arriving; sent: () => number },
): Promise<void> {
  const { session, incoming } = live
  const start = session.offset
  const { claims, length } = session
  // Parts are hashed when they are joined.
  const isHashed = claims.kind === 'file' && session.part === undefined
  const hasher = isHashed ? await hasherOf(live) : undefined
  const check = checksum && createHash(checksum.algorithm)
  const arrivingArchive = archiveFrom(live, start)
  const writer = await openBlockWriter(join(incoming.folder, DATA), start)
  const take = takeInto(incoming, writer, length ?? limitOf(claims))
  let kept = false
  try {
    await consume(
      bytes,
      (chunk) => {
        if (length !== undefined && writer.size + chunk.length > length)
          throw new Refusal(413, texts.moreThanLength(length))
        // Also what several parts have in total: the token is for that much.
        checkSize(claims, sent() + chunk.length)
        hasher?.update(chunk)
        check?.update(chunk)
        const wait = both(take(chunk), arrivingArchive?.take(chunk))
        pace.received(chunk.length, wait)
        live.received = writer.size
        arriving.received(claims, sent())
        return wait
      },
      { signal },
    ).catch(async (error) => {
      await writer.sync()
      throw error
    })
    if (checksum && check && !check.digest().equals(checksum.digest)) throw new ChecksumMismatch()
    // Save the session, sync the bytes and verify the archive at the same time.
    session.expires = expiryOf(session, writer.size, now())
    const saved = saveUpload(live)
    const [archive] = await Promise.all([
      writer.size === session.length ? arrivingArchive?.end() : undefined,
      writer.sync(),
    ]).finally(() => saved.catch(nothing))
    await saved
    kept = true
    live.archive = archive
  } finally {
    arrivingArchive?.drop()
    await writer.close()
    // A chunk with a checksum counts only as a whole; of others, the bytes certainly on disk.
    if (kept || !checksum) session.offset = writer.bytesOnDisk
    live.received = session.offset
    if (!kept) live.hasher = undefined
    // Remove rejected bytes, so that a restart does not count them.
    if (!kept && checksum) await truncate(join(incoming.folder, DATA), start)
    // A paused upload reserves only the space of its bytes.
    incoming.reservation.wrote(session.offset)
    incoming.reservation.shrink(session.offset)
    if (session.offset > start) arriving.received(claims, sent())
    if (!kept) {
      session.expires = expiryOf(session, session.offset, now())
      await saveUpload(live)
    }
  }
}

/** Verifies an archive while it arrives, if this request can bring all of it. Others are read again when they are complete. */
function archiveFrom({ session }: TusUpload, start: number): ArchiveCheck | undefined {
  const { claims, part } = session
  return claims.kind === 'car' && part === undefined && start === 0 ? beginArchiveCheck(claims.cid ?? '') : undefined
}

const both = (first: Promise<void> | undefined, second: Promise<void> | undefined): Promise<void> | undefined =>
  first && second ? Promise.all([first, second]).then(nothing) : (first ?? second)

/** Stores a complete upload as a content. */
export async function storeUpload(live: TusUpload, uploads: Uploads): Promise<StoredUpload> {
  const { session, incoming } = live
  const { claims } = session
  // Clients of tus send what a file has; that it is empty is no mistake of a form.
  if (session.offset === 0 && claims.kind === 'file') return uploads.storeEmpty(claims)
  checkComplete(claims, session.offset)
  if (claims.kind === 'car') return storeArchive(live, uploads)
  const hashed = await (await hasherOf(live)).finish()
  live.hasher = undefined
  return uploads.storeFile(claims, incoming, hashed)
}

async function storeArchive(
  { session, incoming, archive: checked }: TusUpload,
  uploads: Uploads,
): Promise<StoredUpload> {
  const { claims } = session
  const path = join(incoming.folder, DATA)
  const archive =
    checked ??
    (await checkArchive(createReadStream(path, { highWaterMark: 1 << 20 }), () => undefined, {
      root: claims.cid ?? '',
    }))
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
