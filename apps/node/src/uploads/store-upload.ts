import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { CHUNK_SIZE, type Cid, createFileHasher, type HashedFile, parseCid, sameCid } from '@tidenet/content'
import type { AssetType, ReceiptClaims, UploadAnswer, UploadClaims } from '@tidenet/contract'
import { type Clock, createKeyedMutex, type KeyedMutex } from '@tidenet/daemon'
import { consume } from '../consume.ts'
import { type BlockWriter, openBlockWriter } from '../contents/block-writer.ts'
import { DATA } from '../contents/content-record.ts'
import type { ContentStore, Incoming } from '../contents/content-store.ts'
import { ARCHIVE, type CheckedArchive, checkArchive, storeArchive } from '../contents/store-archive.ts'
import { storeFile } from '../contents/store-file.ts'
import { unpackFile } from '../contents/unpack-file.ts'
import type { WriteAhead } from '../contents/write-ahead.ts'
import type { Identity } from '../identity.ts'
import { asRefusal, Refusal, refuseForeign, refuseTooLarge } from '../refusal.ts'
import { shared, texts } from '../texts.ts'
import { unlessAborted } from '../wait.ts'
import type { Arriving } from './arriving.ts'
import type { Pace } from './pace.ts'
import type { Receipts } from './receipts.ts'
import { type UsedToken, type UsedTokens, uploadName } from './used-tokens.ts'

/** The body of an upload, and its maximum size if known. */
export interface UploadSource {
  bytes: Readable
  most?: number | undefined
  /** Settles when the enclosing form has ended. */
  finished?: Promise<void>
}

/** Stores uploads and issues receipts. */
export interface Uploads {
  /** Receives, verifies and stores; releases everything on failure. */
  receive(claims: UploadClaims, source: UploadSource, pace: Pace): Promise<StoredUpload>
  /**
   * Stores a file of one leaf.
   * @param later answer before the server has the receipt, because the sender is one that delivers it
   * @throws Refusal 400, 422
   */
  storeSmall(claims: UploadClaims, bytes: Uint8Array, how?: { later: boolean }): Promise<StoredUpload>
  /** Stores a file without bytes, if the token is for any size. @throws Refusal 400, 422 */
  storeEmpty(claims: UploadClaims): Promise<StoredUpload>
  /** Stores a file whose bytes are synced in the folder. */
  storeFile(claims: UploadClaims, incoming: Incoming, hashed: HashedFile): Promise<StoredUpload>
  /** Stores an archive that is synced in the folder: of a folder, or of a file, which is unpacked. */
  storeArchive(claims: UploadClaims, incoming: Incoming, archive: CheckedArchive): Promise<StoredUpload>
  /** Bytes per second of recent large uploads; 0 if there were none. */
  readonly receiveRate: number
}

/** How a content is stored: here, or with the record of its upload if it is one leaf. */
type Keep = { blocks: () => Promise<number> } | { bytes: Uint8Array }

export interface StoredUpload {
  cid: string
  receipt: string
}

export const storedAnswer = ({ cid, receipt }: StoredUpload): UploadAnswer => ({
  code: 0,
  err: 0,
  msg: '',
  cid,
  receipt,
})

/** Step in which space is reserved while bytes arrive. */
export const STEP = 16 * 1024 * 1024

export function createUploads(options: {
  store: ContentStore
  ahead: WriteAhead
  /** Serializes uploads and removals per content. */
  contents: KeyedMutex
  used: UsedTokens
  receipts: Receipts
  arriving: Arriving
  identity: Identity
  clock: Clock
}): Uploads {
  const { store, ahead, contents, used, receipts, arriving, identity, clock } = options
  const inTurn = createKeyedMutex()
  let receiveRate = 0
  const unsaid = new Set<string>()
  const deliver = async ({ upload, receipt, cid }: UsedToken, how: { durable: boolean; later?: boolean }) => {
    unsaid.add(upload)
    await receipts.deliver(receipt, cid, how)
    unsaid.delete(upload)
  }

  const settle = (
    claims: UploadClaims,
    content: { cid: string; kind: AssetType; size: number },
    keep: Keep,
    { later } = { later: false },
  ): Promise<StoredUpload> => {
    const { cid, kind, size } = content
    const upload = uploadName(claims.jti)
    const enter = async (before?: UsedToken): Promise<{ receipt: string; delivered?: Promise<void> }> => {
      const blocks = 'blocks' in keep ? await keep.blocks() : 1
      if (before) {
        if ('bytes' in keep) await store.keepSmall({ cid, bytes: keep.bytes })
        // A receipt that could not be stored because the disk was full is delivered when the sender repeats the upload.
        return {
          receipt: before.receipt,
          ...(unsaid.has(upload) && { delivered: deliver(before, { durable: false }) }),
        }
      }
      const { sub, tid, jti } = claims
      const iat = Math.floor(clock.now() / 1000)
      const stored = { typ: 'stored', iss: identity.id, sub, tid, jti, cid, kind, size, blocks, iat } as const
      const receipt = identity.seal(stored satisfies ReceiptClaims)
      const entry = { upload, cid, size, receipt, exp: claims.exp }
      const writes = [used.asWrite(entry), receipts.asWrite(receipt)]
      const written = 'bytes' in keep ? store.keepSmall({ cid, bytes: keep.bytes }, writes) : ahead.write(writes)
      await written.catch((error: unknown) => {
        receipts.forget(receipt)
        throw error
      })
      used.noted(entry)
      const delivered = deliver(entry, { durable: true, later })
      return later ? { receipt } : { receipt, delivered }
    }
    // Serializes uploads with the same token, since it may be used once.
    return inTurn(upload, async () => {
      const before = used.get(upload)
      if (before && before.cid !== cid) throw refuseForeign('The token was used for another content.')
      // Store content and receipt together: a removal must see both or none.
      const { receipt, delivered } = await contents(cid, () => enter(before))
      await delivered
      return { cid, receipt }
    })
  }

  const uploads: Uploads = {
    get receiveRate() {
      return Math.round(receiveRate)
    },
    async receive(claims, source, pace) {
      const { signal } = pace
      const folder = claims.kind === 'car'
      const most = claims.size ?? Math.min(claims.max, source.most ?? Number.POSITIVE_INFINITY)
      // Refuse early if it would not fit; nothing is reserved yet, since the bytes may never come.
      if (claims.size !== undefined || source.most !== undefined) await store.space.check(diskSpaceFor(most))
      if (!folder && most <= CHUNK_SIZE)
        try {
          const bytes = await gatherSmall(claims, source.bytes, { pace, arriving, most: CHUNK_SIZE })
          await ended(source, signal)
          return await uploads.storeSmall(claims, bytes)
        } catch (error) {
          throw asRefusal(error)
        } finally {
          arriving.ended(claims)
        }
      const incoming = await store.incoming()
      const writer = await openBlockWriter(join(incoming.folder, folder ? ARCHIVE : DATA)).catch(async (error) => {
        await incoming.discard()
        throw asRefusal(error)
      })
      const started = performance.now()
      try {
        const take = takeInto(incoming, writer, most)
        /** Writes a chunk; a returned promise means wait. */
        const write = (chunk: Buffer): Promise<void> | undefined => {
          checkSize(claims, writer.size + chunk.length)
          const wait = take(chunk)
          pace.received(chunk.length, wait)
          arriving.received(claims, writer.size)
          return wait
        }
        const complete = async () => {
          await ended(source, signal)
          checkComplete(claims, writer.size)
          await writer.sync()
          const seconds = (performance.now() - started) / 1000
          if (writer.size > 1 << 20) receiveRate = receiveRate * 0.7 + (writer.size / seconds) * 0.3
        }
        if (folder) {
          const archive = await checkArchive(source.bytes, write, { signal, root: claims.cid ?? '' })
          await complete()
          return await uploads.storeArchive(claims, incoming, archive)
        }
        const hasher = createFileHasher()
        const hash = (chunk: Buffer) => {
          hasher.update(chunk)
          return write(chunk)
        }
        await consume(source.bytes, hash, { signal })
        await complete()
        return await uploads.storeFile(claims, incoming, await hasher.finish())
      } catch (error) {
        throw asRefusal(error)
      } finally {
        arriving.ended(claims)
        await writer.close()
        await incoming.discard()
      }
    },
    async storeSmall(claims, bytes, how) {
      checkComplete(claims, bytes.length)
      const hasher = createFileHasher()
      hasher.update(bytes)
      const { cid, size } = await hasher.finish()
      checkCid(claims, cid)
      return settle(claims, { cid: cid.toString(), kind: 'file', size }, { bytes }, how)
    },
    storeEmpty: (claims) => uploads.storeSmall({ ...claims, size: claims.size ?? 0 }, new Uint8Array(0)),
    storeFile(claims, incoming, hashed) {
      const { cid, size } = hashed
      checkCid(claims, cid)
      return settle(
        claims,
        { cid: cid.toString(), kind: 'file', size },
        {
          blocks: () => storeFile(incoming, hashed),
        },
      )
    },
    async storeArchive(claims, incoming, archive) {
      const { root, size } = archive
      const file = await unpackFile(incoming, archive, claims.size ?? claims.max)
      if (file) {
        const content = { cid: file.cid.toString(), kind: 'file' as const, size: file.size }
        return settle(claims, content, { blocks: () => storeFile(incoming, file) })
      }
      return settle(
        claims,
        { cid: root.toV1().toString(), kind: 'folder', size },
        {
          blocks: () => storeArchive(incoming, archive, { fetchable: true }),
        },
      )
    },
  }
  return uploads
}

/** Waits for the end of the form, whose sender must not hold a slot with what follows the file either. @throws Refusal 408 */
const ended = async ({ finished }: UploadSource, signal: AbortSignal): Promise<void> =>
  finished && unlessAborted(finished, signal)

/** Reads a file of at most `most` bytes into memory. @throws Refusal 408, 413, 422 */
export async function gatherSmall(
  claims: UploadClaims,
  file: Readable,
  { pace, arriving, most }: { pace: Pace; arriving: Arriving; most: number },
): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  const take = (chunk: Buffer) => {
    size += chunk.length
    checkSize(claims, size)
    if (size > most) throw refuseTooLarge(most)
    chunks.push(chunk)
    pace.received(chunk.length)
    arriving.received(claims, size)
    return undefined
  }
  await consume(file, take, { signal: pace.signal })
  return Buffer.concat(chunks)
}

function checkCid(claims: UploadClaims, cid: Cid): void {
  if (claims.cid !== undefined && !sameCid(parseCid(claims.cid), cid))
    throw new Refusal(400, texts.notTheBytes(claims.cid))
}

/** Disk space for a content of `bytes`, including its index and record, for nearly all contents. */
export const diskSpaceFor = (bytes: number): number => bytes + Math.ceil(bytes / 2048) + 1024

/**
 * Writes chunks, reserving space for each first.
 * @param most expected total bytes, if known
 */
export function takeInto(incoming: Incoming, writer: BlockWriter, most: number) {
  const { reservation } = incoming
  return (chunk: Buffer): Promise<void> | undefined => {
    const size = writer.size + chunk.length
    if (size <= reservation.bytes) return writer.write(chunk)
    reservation.wrote(writer.bytesOnDisk)
    return reservation.grow(size, Math.max(size, Math.min(size + STEP, most))).then(() => writer.write(chunk))
  }
}

/** Throws 413 or 422 as soon as the upload exceeds the token's size. */
export function checkSize(claims: UploadClaims, size: number): void {
  if (size > claims.max) throw refuseTooLarge(claims.max)
  if (claims.size !== undefined && size > claims.size) throw new Refusal(422, texts.moreThanAnnounced(claims.size))
}

/** Throws 400 for an empty upload whose token is for another size, or for any; 422 if the size differs from the token's. */
export function checkComplete(claims: UploadClaims, size: number): void {
  if (size === 0 && claims.size !== 0) throw new Refusal(400, shared('emptyFile'), { err: 10030 })
  if (claims.size !== undefined && size !== claims.size) throw new Refusal(422, texts.notAnnounced(size, claims.size))
}
