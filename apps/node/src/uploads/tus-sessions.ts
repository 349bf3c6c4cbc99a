import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createFileHasher, type FileHasher } from '@tidenet/content'
import { type UploadClaims, uploadClaims } from '@tidenet/contract'
import { type Clock, every, type Logger } from '@tidenet/daemon'
import { z } from 'zod'
import { consume } from '../consume.ts'
import { openBlockWriter } from '../contents/block-writer.ts'
import type { ContentStore, Incoming } from '../contents/content-store.ts'
import { writeDurably } from '../contents/durable.ts'
import { ARCHIVE, checkArchive } from '../contents/keep-archive.ts'
import { DATA } from '../contents/keep-file.ts'
import type { Reservation } from '../contents/space.ts'
import { asRefusal, Refusal } from '../refusal.ts'
import { texts } from '../texts.ts'
import { checkComplete, type StoredUpload, type Uploads } from './store-upload.ts'
import { type UsedTokens, uploadName } from './used-tokens.ts'

const record = z.object({
  length: z.number(),
  /** The header as the client sent it. */
  metadata: z.string(),
  claims: uploadClaims,
  /** Unix ms; moved on by every request that brings bytes. */
  expires: z.number(),
})
type Record = z.infer<typeof record>

/** An upload that may come in pieces, over days and restarts. */
export interface TusSession extends Record {
  name: string
  /** Bytes that lie on the disk. */
  offset: number
}

/** Unfinished uploads: their record and bytes on disk, the state of their hash in memory. */
export interface TusSessions {
  /** Makes a fresh upload; one of the same token that was not finished is dropped. */
  create(claims: UploadClaims, length: number, metadata: string): Promise<TusSession>
  /** The upload when nobody is writing to it; a writer that is still there is cut off. */
  settled(name: string): Promise<TusSession | undefined>
  /** Bytes of a finished upload and what came of it. */
  finished(name: string): (StoredUpload & { size: number }) | undefined
  /**
   * Appends a stream at `offset` and puts it on the disk. Resolves when the stream has ended well; when it breaks off, what came
   * before stays. With a checksum it is all or nothing. Throws a 409 when the upload is not at `offset`.
   */
  append(session: TusSession, offset: number, chunk: TusChunk): Promise<void>
  /** Verifies and keeps an upload that has all its bytes; one that cannot become a content is dropped. */
  finish(session: TusSession): Promise<StoredUpload>
  remove(session: TusSession): Promise<void>
  stop(): Promise<void>
}

export interface Checksum {
  algorithm: 'sha1' | 'sha256' | 'md5'
  digest: Buffer
}

export interface TusChunk {
  bytes: Readable
  signal: AbortSignal
  checksum?: Checksum | undefined
}

export class ChecksumMismatch extends Error {}

/** An upload is kept for this long after its last byte. */
const LIFE_MS = 24 * 3600 * 1000
const RECORD = 'upload.json'

interface Live {
  session: TusSession
  incoming: Incoming
  reservation: Reservation
  /** The hash up to the offset; absent after a restart or a rolled-back chunk. */
  hasher?: FileHasher | undefined
  writer?: { cut: AbortController; done: Promise<void> } | undefined
  finishing?: Promise<StoredUpload> | undefined
}

export async function openTusSessions(options: {
  store: ContentStore
  uploads: Uploads
  used: UsedTokens
  clock: Clock
  log: Logger
}): Promise<TusSessions> {
  const { store, uploads, used, clock, log } = options
  const lives = new Map<string, Live>()

  for (const name of await store.unfinished()) {
    const incoming = await store.incoming(name)
    const live = await reopen(name, incoming).catch((error: unknown) => {
      log.warn({ upload: name, err: error }, 'an unfinished upload cannot be taken up again; it is dropped')
      return undefined
    })
    if (live) lives.set(name, live)
    else await incoming.discard()
  }

  async function reopen(name: string, incoming: Incoming): Promise<Live | undefined> {
    const saved = record.parse(JSON.parse(await readFile(join(incoming.folder, RECORD), 'utf8')))
    if (saved.expires < clock.now()) return undefined
    // Bytes are appended in order, so what the file has is what came; the hash is made anew from them.
    const offset = await stat(join(incoming.folder, DATA)).then(
      ({ size }) => Math.min(size, saved.length),
      () => 0,
    )
    const reservation = await store.space.reserve(saved.length)
    return { session: { ...saved, name, offset }, incoming, reservation }
  }

  const drop = async (live: Live) => {
    lives.delete(live.session.name)
    live.reservation.release()
    await live.incoming.discard()
  }
  const cutOff = async (live: Live) => {
    while (live.writer || live.finishing) {
      live.writer?.cut.abort(new Refusal(409, texts.takenOver))
      await live.writer?.done
      await live.finishing?.then(nothing, nothing)
    }
  }
  const living = (session: TusSession): Live => {
    const live = lives.get(session.name)
    if (!live || live.session !== session) throw new Refusal(404, texts.noUpload)
    return live
  }
  const save = ({ session, incoming }: Live) => {
    const { length, metadata, claims, expires } = session
    return writeDurably(join(incoming.folder, RECORD), JSON.stringify({ length, metadata, claims, expires }), 0o600)
  }

  /** The hash of what is there: the one at hand, or the bytes read again. */
  const hasherOf = async (live: Live): Promise<FileHasher> => {
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

  const write = async (live: Live, { bytes, signal, checksum }: TusChunk) => {
    const { session, incoming } = live
    const start = session.offset
    const folder = session.claims.kind === 'car'
    const hasher = folder ? undefined : await hasherOf(live)
    const check = checksum && createHash(checksum.algorithm)
    const writer = await openBlockWriter(join(incoming.folder, DATA), start)
    let kept = false
    try {
      await consume(
        bytes,
        (chunk) => {
          if (writer.size + chunk.length > session.length) throw new Refusal(413, texts.moreThanLength(session.length))
          hasher?.update(chunk)
          check?.update(chunk)
          return writer.write(chunk)
        },
        { signal },
      ).finally(() => writer.sync())
      if (checksum && check && !check.digest().equals(checksum.digest)) throw new ChecksumMismatch()
      kept = true
    } finally {
      // A chunk with a checksum counts only when it is whole and right.
      if (kept || !checksum) session.offset = writer.size
      else live.hasher = undefined
      await writer.close()
      session.expires = clock.now() + LIFE_MS
      await save(live)
    }
  }

  const finish = async (live: Live): Promise<StoredUpload> => {
    const { session, incoming } = live
    const { claims } = session
    try {
      checkComplete(claims, session.offset)
      let stored: StoredUpload
      if (claims.kind === 'car') stored = await finishArchive(claims, incoming)
      else {
        const hashed = await (await hasherOf(live)).finish()
        live.hasher = undefined
        stored = await uploads.keepFile(claims, incoming, hashed)
      }
      await drop(live)
      return stored
    } catch (failure) {
      const error = asRefusal(failure)
      // What is not right now will not be right later; what the disk refused may be.
      if (error instanceof Refusal && error.status < 500) await drop(live)
      throw error
    }
  }

  const finishArchive = async (claims: UploadClaims, incoming: Incoming): Promise<StoredUpload> => {
    const path = join(incoming.folder, DATA)
    const archive = await checkArchive(createReadStream(path, { highWaterMark: 1 << 20 }), () => undefined, {
      root: claims.cid ?? '',
    })
    const archivePath = join(incoming.folder, ARCHIVE)
    await rename(path, archivePath)
    try {
      return await uploads.keepArchive(claims, incoming, archive)
    } catch (error) {
      await rename(archivePath, path).catch(nothing)
      throw error
    }
  }

  const sweep = every(
    600_000,
    async () => {
      for (const live of lives.values()) if (live.session.expires < clock.now() && !live.writer) await drop(live)
    },
    { name: 'unfinished uploads', log },
  )

  return {
    async create(claims, length, metadata) {
      const name = uploadName(claims.jti)
      const before = lives.get(name)
      if (before) {
        await cutOff(before)
        await drop(before)
      }
      const reservation = await store.space.reserve(length)
      try {
        const incoming = await store.incoming(name)
        const session: TusSession = { name, length, metadata, claims, expires: clock.now() + LIFE_MS, offset: 0 }
        const live: Live = { session, incoming, reservation }
        await save(live)
        lives.set(name, live)
        return session
      } catch (error) {
        reservation.release()
        throw asRefusal(error)
      }
    },
    async settled(name) {
      const live = lives.get(name)
      if (!live) return undefined
      await cutOff(live)
      if (live.session.expires < clock.now()) await drop(live)
      return lives.get(name)?.session
    },
    finished: (name) => used.get(name),
    async append(session, offset, chunk) {
      const live = living(session)
      await cutOff(live)
      if (living(session).session.offset !== offset) throw new Refusal(409, texts.uploadAt(session.offset))
      const cut = new AbortController()
      const writing = write(live, { ...chunk, signal: AbortSignal.any([chunk.signal, cut.signal]) })
      live.writer = { cut, done: writing.then(nothing, nothing) }
      try {
        await writing
      } catch (error) {
        throw asRefusal(error)
      } finally {
        live.writer = undefined
      }
    },
    finish(session) {
      const live = living(session)
      live.finishing ??= finish(live).finally(() => {
        live.finishing = undefined
      })
      return live.finishing
    },
    async remove(session) {
      const live = living(session)
      await cutOff(live)
      await drop(live)
    },
    async stop() {
      await sweep.stop()
      for (const live of lives.values()) await cutOff(live)
    },
  }
}

const nothing = () => {}
