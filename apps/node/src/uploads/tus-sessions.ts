import { randomBytes, randomUUID } from 'node:crypto'
import type { UploadClaims } from '@tidenet/contract'
import { type Clock, createKeyedMutex, every, type Logger } from '@tidenet/daemon'
import type { ContentStore } from '../contents/content-store.ts'
import { asRefusal, Refusal, refuseBusy, refuseTooMany } from '../refusal.ts'
import { texts } from '../texts.ts'
import type { Arriving } from './arriving.ts'
import type { Pace } from './pace.ts'
import { diskSpaceFor, type StoredUpload, type Uploads } from './store-upload.ts'
import { checkParts, joinParts } from './tus-parts.ts'
import {
  expiryOf,
  reopenUpload,
  saveUpload,
  storeUpload,
  type TusChunk,
  type TusSession,
  type TusUpload,
  writeChunk,
} from './tus-upload.ts'
import { type UsedTokens, uploadName } from './used-tokens.ts'

export interface NewUpload {
  /** Bytes, if the client knows them. */
  length: number | undefined
  metadata: string
  /** The network of the client, if it identifies the sender. */
  network?: string | undefined
  /** Whether it is a part of an upload, to be joined with others. */
  isPart: boolean
}

/** Unfinished uploads: record and bytes on disk, hash state in memory. */
export interface TusSessions {
  /**
   * Creates an upload. An unfinished one of the same token is dropped, unless it is identical and also empty, or both are parts.
   * @throws Refusal 503 if there is no space; 429 or 503 if too many are unfinished
   */
  create(claims: UploadClaims, upload: NewUpload): Promise<TusSession>
  /** The upload without a running write; a running one is aborted. */
  settled(name: string): Promise<TusSession | undefined>
  /** Result of a completed upload, and its size. */
  finished(name: string): (StoredUpload & { size: number }) | undefined
  /**
   * Appends a stream at `offset` and syncs it. If the stream is interrupted, the received part is kept, but with a checksum nothing. Throws
   * 409 if the upload is not at `offset`.
   */
  append(session: TusSession, offset: number, chunk: TusChunk): Promise<void>
  /**
   * Sets the length of an upload that has none yet.
   * @throws Refusal 400 if it has another one, or more bytes
   */
  setLength(session: TusSession, length: number): void
  /** Verifies and stores a complete upload; an invalid one is dropped. */
  finish(session: TusSession): Promise<StoredUpload>
  /**
   * Stores complete parts of a token as one upload, in this order, and drops them. If that fails, they stay.
   * @throws Refusal 400, 404, 409, and those of any upload
   */
  join(claims: UploadClaims, names: readonly string[], pace: Pace): Promise<StoredUpload>
  remove(session: TusSession): Promise<void>
  stop(): Promise<void>
}

const SWEEP_MS = 30_000

/** Most unfinished uploads per account, per network, and in total. */
export interface TusLimits {
  account: number
  network: number
  node: number
}
const LIMITS: TusLimits = { account: 100, network: 300, node: 5000 }
/** Most parts of an upload; clients in use send 2 to 10. */
const PARTS_MAX = 32

interface Sender {
  sub: string
  network: string | undefined
}

export async function openTusSessions(options: {
  store: ContentStore
  uploads: Uploads
  used: UsedTokens
  arriving: Arriving
  clock: Clock
  log: Logger
  limits?: TusLimits
}): Promise<TusSessions> {
  const { store, uploads, used, arriving, clock, log, limits = LIMITS } = options
  /** By upload name. Each has its own folder, so that a deleted and a new upload never share files. */
  const lives = new Map<string, TusUpload>()
  /** By jti: an upload, or parts of one. */
  const byToken = new Map<string, Set<TusUpload>>()
  /** Senders of uploads being created: they count during the disk query. */
  const beginning = new Set<Sender>()
  const inTurn = createKeyedMutex()

  const ofToken = ({ jti }: UploadClaims): TusUpload[] => [...(byToken.get(jti) ?? [])]
  const add = (live: TusUpload) => {
    const { name, claims } = live.session
    lives.set(name, live)
    const others = byToken.get(claims.jti)
    if (others) others.add(live)
    else byToken.set(claims.jti, new Set([live]))
  }
  for (const folder of await store.unfinished()) {
    const live = await reopenUpload(store, folder, clock.now()).catch((error: unknown) => {
      log.warn({ upload: folder, err: error }, 'an unfinished upload cannot be taken up again; it is dropped')
      return undefined
    })
    if (live && !lives.has(live.session.name)) add(live)
    else await (live?.incoming ?? (await store.incoming(folder))).discard()
  }

  const drop = (live: TusUpload): Promise<void> => {
    const { name, claims } = live.session
    if (lives.get(name) === live) {
      lives.delete(name)
      const others = byToken.get(claims.jti)
      others?.delete(live)
      if (others?.size === 0) {
        byToken.delete(claims.jti)
        arriving.ended(claims)
      }
    }
    live.dropped ??= live.incoming.discard()
    return live.dropped
  }
  const isIdle = (live: TusUpload) => !live.writer && !live.finishing
  const dropExpired = async () => {
    for (const live of lives.values()) if (live.session.expires < clock.now() && isIdle(live)) await drop(live)
  }
  /** Throws if the account, the network or the node has too many unfinished uploads. */
  const checkLimits = async (sender: Sender) => {
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
    // Drop uploads without any bytes first.
    const oldest = living.find((live) => live.session.offset === 0 && isIdle(live))
    if (!oldest) throw refuseBusy()
    await drop(oldest)
  }
  const abortWriter = async (live: TusUpload) => {
    while (live.writer || live.finishing) {
      live.writer?.cut.abort(new Refusal(409, texts.takenOver))
      await live.writer?.done
      await live.finishing?.then(nothing, nothing)
    }
  }
  const living = (session: TusSession): TusUpload => {
    const live = lives.get(session.name)
    if (!live || live.session !== session) throw new Refusal(404, texts.noUpload)
    return live
  }
  /** Drops an upload whose bytes are missing: a retry would not help. */
  const dropIfLost = async (live: TusUpload, error: unknown): Promise<unknown> => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return asRefusal(error)
    await drop(live)
    return new Refusal(404, texts.noUpload)
  }

  const finish = async (live: TusUpload): Promise<StoredUpload> => {
    try {
      const stored = await storeUpload(live, uploads)
      await drop(live)
      return stored
    } catch (failure) {
      const error = await dropIfLost(live, failure)
      // Invalid uploads stay invalid; disk errors may be temporary.
      if (error instanceof Refusal && error.status < 500) await drop(live)
      throw error
    }
  }

  const sweep = every(SWEEP_MS, dropExpired, { name: 'unfinished uploads', log })

  const begin = async (claims: UploadClaims, { length, metadata, network, isPart }: NewUpload): Promise<TusSession> => {
    const part = isPart ? randomBytes(16).toString('hex') : undefined
    const name = part ?? uploadName(claims.jti)
    const isSame = ({ session }: TusUpload) =>
      session.length === length && session.metadata === metadata && session.claims.sub === claims.sub
    for (const before of ofToken(claims)) {
      const { session } = before
      if (isPart && session.part !== undefined) continue
      const isEmpty = session.offset === 0 && isIdle(before) && session.expires > clock.now()
      if (!isPart && session.part === undefined && isSame(before) && isEmpty) return session
      await abortWriter(before)
      await drop(before)
    }
    if (ofToken(claims).length >= PARTS_MAX) throw refuseTooMany()
    const sender: Sender = { sub: claims.sub, network }
    try {
      await checkLimits(sender)
      // Refuse early if it would not fit; nothing is reserved, since the bytes may never come.
      await store.space.check(diskSpaceFor(length ?? 0))
      const incoming = await store.incoming(`${name}-${randomUUID()}`)
      const expires = expiryOf({ claims, part }, 0, clock.now())
      const session: TusSession = { name, part, length, metadata, claims, expires, offset: 0 }
      const live: TusUpload = { session, incoming, network, received: 0 }
      await saveUpload(live).catch(async (error) => {
        await incoming.discard()
        throw error
      })
      add(live)
      return session
    } finally {
      beginning.delete(sender)
    }
  }

  return {
    create: (claims, upload) =>
      // Concurrent requests with one token create one upload.
      inTurn(claims.jti, () => begin(claims, upload)).catch((error: unknown) => {
        throw asRefusal(error)
      }),
    async settled(name) {
      const live = lives.get(name)
      if (!live) return undefined
      await abortWriter(live)
      if (live.session.expires < clock.now()) await drop(live)
      return lives.get(name)?.session
    },
    finished: (name) => used.get(name),
    async append(session, offset, chunk) {
      const live = living(session)
      // Several requests may wait for the same writer: the first continues, and the next aborts it.
      while (!isIdle(live)) await abortWriter(live)
      if (living(session).session.offset !== offset) throw new Refusal(409, texts.uploadAt(session.offset))
      const cut = new AbortController()
      const writing = writeChunk(live, chunk, AbortSignal.any([chunk.pace.signal, cut.signal]), {
        now: clock.now,
        arriving,
        sent: () => {
          let bytes = 0
          for (const { received } of byToken.get(session.claims.jti) ?? []) bytes += received
          return bytes
        },
      })
      live.writer = { cut, done: writing.then(nothing, nothing) }
      try {
        await writing
      } catch (error) {
        throw await dropIfLost(live, error)
      } finally {
        live.writer = undefined
      }
    },
    setLength(session, length) {
      if (session.length !== undefined && session.length !== length) throw new Refusal(400, texts.lengthIsSet)
      if (length < session.offset) throw new Refusal(400, texts.moreThanLength(length))
      session.length = length
    },
    join: (claims, names, pace) =>
      inTurn(claims.jti, async () => {
        const parts = names.map((name) => lives.get(name))
        for (const part of parts) if (part) await abortWriter(part)
        const complete = checkParts(claims, parts)
        const joining = joinParts(claims, complete, { uploads, pace })
        // Nothing else may write or drop them meanwhile.
        for (const part of complete) part.finishing = joining
        try {
          const stored = await joining
          for (const part of complete) await drop(part)
          return stored
        } catch (error) {
          throw asRefusal(error)
        } finally {
          for (const part of complete) part.finishing = undefined
        }
      }),
    finish(session) {
      const live = living(session)
      live.finishing ??= finish(live).finally(() => {
        live.finishing = undefined
      })
      return live.finishing
    },
    async remove(session) {
      const live = living(session)
      await abortWriter(live)
      await drop(live)
    },
    async stop() {
      await sweep.stop()
      for (const live of lives.values()) await abortWriter(live)
    },
  }
}

const nothing = () => {}
