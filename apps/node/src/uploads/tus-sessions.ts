import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rename, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createFileHasher, type FileHasher } from '@tidenet/content'
import { type UploadClaims, uploadClaims } from '@tidenet/contract'
import { type Clock, createTurns, every, type Logger } from '@tidenet/daemon'
import { z } from 'zod'
import { consume } from '../consume.ts'
import { openBlockWriter } from '../contents/block-writer.ts'
import type { ContentStore, Incoming } from '../contents/content-store.ts'
import { writeDurably } from '../contents/durable.ts'
import { ARCHIVE, checkArchive } from '../contents/keep-archive.ts'
import { DATA } from '../contents/keep-file.ts'
import { asRefusal, Refusal, refuseBusy, refuseTooMany } from '../refusal.ts'
import { texts } from '../texts.ts'
import type { Pace } from './pace.ts'
import { checkComplete, roomFor, type StoredUpload, takeInto, type Uploads } from './store-upload.ts'
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
  /**
   * Makes a fresh upload; one of the same token that was not finished is dropped, unless it is as fresh and the same.
   * @param network of the sender, when it says anything about who sends
   * @throws Refusal 503 when there is no room for it now; 429 or 503 when too many are unfinished
   */
  create(claims: UploadClaims, length: number, metadata: string, network?: string): Promise<TusSession>
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
  pace: Pace
  checksum?: Checksum | undefined
}

export class ChecksumMismatch extends Error {}

/** An upload is kept for this long after its last byte. */
const LIFE_MS = 24 * 3600 * 1000
/** One that never received a byte has cost its sender nothing, and ends sooner. */
const EMPTY_LIFE_MS = 2 * 60 * 1000
const SWEEP_MS = 30_000
const RECORD = 'upload.json'

/** Unfinished uploads that one account, one network of visitors, and all together may have on a node. */
export interface TusLimits {
  account: number
  network: number
  node: number
}
const LIMITS: TusLimits = { account: 100, network: 300, node: 5000 }

interface Sender {
  sub: string
  network: string | undefined
}

interface Live {
  session: TusSession
  incoming: Incoming
  network?: string | undefined
  dropped?: Promise<void>
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
  limits?: TusLimits
}): Promise<TusSessions> {
  const { store, uploads, used, clock, log, limits = LIMITS } = options
  /** By the name of the upload; each lies in a folder of its own, so that an end and a new beginning never meet on the disk. */
  const lives = new Map<string, Live>()
  /** Those whose upload is being made: they count while the disk is asked. */
  const beginning = new Set<Sender>()
  const inTurn = createTurns()

  for (const folder of await store.unfinished()) {
    const live = await reopen(folder).catch((error: unknown) => {
      log.warn({ upload: folder, err: error }, 'an unfinished upload cannot be taken up again; it is dropped')
      return undefined
    })
    if (live && !lives.has(live.session.name)) lives.set(live.session.name, live)
    else await (live?.incoming ?? (await store.incoming(folder))).discard()
  }

  async function reopen(folder: string): Promise<Live | undefined> {
    const path = store.lasting(folder)
    const saved = record.parse(JSON.parse(await readFile(join(path, RECORD), 'utf8')))
    if (saved.expires < clock.now()) return undefined
    // A node that was killed while it made the archive a content has left it under that name.
    await rename(join(path, ARCHIVE), join(path, DATA)).catch(nothing)
    // Bytes are appended in order, so what the file has is what came; the hash is made anew from them.
    const lying = await stat(join(path, DATA)).then(
      ({ size }) => size,
      () => 0,
    )
    const session = { ...saved, name: uploadName(saved.claims.jti), offset: Math.min(lying, saved.length) }
    return { session, incoming: await store.incoming(folder, lying) }
  }

  const drop = (live: Live): Promise<void> => {
    const { name } = live.session
    if (lives.get(name) === live) lives.delete(name)
    live.dropped ??= live.incoming.discard()
    return live.dropped
  }
  const isIdle = (live: Live) => !live.writer && !live.finishing
  const dropExpired = async () => {
    for (const live of lives.values()) if (live.session.expires < clock.now() && isIdle(live)) await drop(live)
  }
  /** Throws when the account, the network or the node has as many unfinished uploads as it may have. */
  const admit = async (sender: Sender) => {
    await dropExpired()
    const living = [...lives.values()]
    const all: Sender[] = [
      ...living.map(({ session, network }) => ({ sub: session.claims.sub, network })),
      ...beginning,
    ]
    const { sub, network } = sender
    if (all.filter((other) => other.sub === sub).length >= limits.account) throw refuseTooMany()
    if (network !== undefined && all.filter((other) => other.network === network).length >= limits.network)
      throw refuseTooMany()
    beginning.add(sender)
    if (all.length < limits.node) return
    // Whoever has sent something goes before those who only announced that they would.
    const oldest = living.find((live) => live.session.offset === 0 && isIdle(live))
    if (!oldest) throw refuseBusy()
    await drop(oldest)
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
  /** An upload whose bytes are not there any more ends: asking again would not bring them back. */
  const lostOr = async (live: Live, error: unknown): Promise<unknown> => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return asRefusal(error)
    await drop(live)
    return new Refusal(404, texts.noUpload)
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

  const write = async (live: Live, signal: AbortSignal, { bytes, pace, checksum }: TusChunk) => {
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
          pace.came(chunk.length, wait)
          return wait
        },
        { signal },
      ).finally(() => writer.sync())
      if (checksum && check && !check.digest().equals(checksum.digest)) throw new ChecksumMismatch()
      kept = true
    } finally {
      await writer.close()
      // A chunk with a checksum counts only when it is whole and right; of any other what the disk has taken for certain.
      if (kept || !checksum) session.offset = writer.landed
      if (!kept) live.hasher = undefined
      // What does not count must not lie there as if it did when the node is started anew.
      if (!kept && checksum) await truncate(join(incoming.folder, DATA), start)
      // A paused upload holds the room of the bytes it has sent, and no more.
      incoming.room.wrote(session.offset)
      incoming.room.shrink(session.offset)
      session.expires = clock.now() + (session.offset > 0 ? LIFE_MS : EMPTY_LIFE_MS)
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
      const error = await lostOr(live, failure)
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

  const sweep = every(SWEEP_MS, dropExpired, { name: 'unfinished uploads', log })

  const begin = async (
    claims: UploadClaims,
    length: number,
    metadata: string,
    network: string | undefined,
  ): Promise<TusSession> => {
    const name = uploadName(claims.jti)
    const before = lives.get(name)
    if (before) {
      const { session } = before
      const same = session.length === length && session.metadata === metadata && session.claims.sub === claims.sub
      if (same && session.offset === 0 && isIdle(before) && session.expires > clock.now()) return session
      await cutOff(before)
      await drop(before)
    }
    const sender: Sender = { sub: claims.sub, network }
    try {
      await admit(sender)
      // Whoever would not fit hears it now; nothing is set aside for bytes that may never come.
      await store.space.check(roomFor(length))
      const incoming = await store.incoming(`${name}-${randomUUID()}`)
      const session: TusSession = { name, length, metadata, claims, expires: clock.now() + EMPTY_LIFE_MS, offset: 0 }
      const live: Live = { session, incoming, network }
      await save(live).catch(async (error) => {
        await incoming.discard()
        throw error
      })
      lives.set(name, live)
      return session
    } finally {
      beginning.delete(sender)
    }
  }

  return {
    create: (claims, length, metadata, network) =>
      // Two requests of one token at the same moment become one upload.
      inTurn(claims.jti, () => begin(claims, length, metadata, network)).catch((error: unknown) => {
        throw asRefusal(error)
      }),
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
      // Several may have waited for the same writer to end: the first goes on, and the next cuts that one off.
      while (!isIdle(live)) await cutOff(live)
      if (living(session).session.offset !== offset) throw new Refusal(409, texts.uploadAt(session.offset))
      const cut = new AbortController()
      const writing = write(live, AbortSignal.any([chunk.pace.signal, cut.signal]), chunk)
      live.writer = { cut, done: writing.then(nothing, nothing) }
      try {
        await writing
      } catch (error) {
        throw await lostOr(live, error)
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
