import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createFileHasher, type HashedFile, parseCid, sameCid } from '@tidenet/content'
import type { ReceiptClaims, UploadAnswer, UploadClaims } from '@tidenet/contract'
import type { Clock } from '@tidenet/daemon'
import { consume } from '../consume.ts'
import { openBlockWriter } from '../contents/block-writer.ts'
import type { ContentStore, Incoming } from '../contents/content-store.ts'
import { ARCHIVE, type CheckedArchive, checkArchive, keepArchive } from '../contents/keep-archive.ts'
import { DATA, keepFile } from '../contents/keep-file.ts'
import type { Identity } from '../identity.ts'
import { asRefusal, Refusal, refuseForeign, refuseTooLarge } from '../refusal.ts'
import { shared, texts } from '../texts.ts'
import { createTurns, type Turns } from '../turns.ts'
import type { Receipts } from './receipts.ts'
import { type UsedToken, type UsedTokens, uploadName } from './used-tokens.ts'

/** Bytes of an upload as they come, and how many there will be at most when that is known. */
export interface UploadSource {
  bytes: Readable
  most?: number | undefined
  /** Settles when what surrounds the bytes has ended well. */
  finished?: Promise<void>
}

/** Turns received bytes into contents with a receipt. */
export interface Uploads {
  /** Receives, verifies and keeps; frees everything when that fails. */
  receive(claims: UploadClaims, source: UploadSource, signal: AbortSignal): Promise<StoredUpload>
  /** Keeps a file whose bytes lie synced in the folder. */
  keepFile(claims: UploadClaims, incoming: Incoming, hashed: HashedFile): Promise<StoredUpload>
  /** Keeps an archive that lies synced in the folder. */
  keepArchive(claims: UploadClaims, incoming: Incoming, archive: CheckedArchive): Promise<StoredUpload>
  /** Bytes a second of the last large uploads; 0 when there were none. */
  readonly receiveRate: number
}

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

/** Room is set aside in steps of this when nobody knows how much will come. */
const STEP = 16 * 1024 * 1024

export function createUploads(options: {
  store: ContentStore
  /** Uploads and removals of one content take turns. */
  contents: Turns
  used: UsedTokens
  receipts: Receipts
  identity: Identity
  clock: Clock
}): Uploads {
  const { store, contents, used, receipts, identity, clock } = options
  const inTurn = createTurns()
  let receiveRate = 0

  const settle = (
    claims: UploadClaims,
    content: { cid: string; kind: 'file' | 'folder'; size: number },
    keep: () => Promise<number>,
  ): Promise<StoredUpload> => {
    const { cid, kind, size } = content
    const upload = uploadName(claims.jti)
    const enter = async (before?: UsedToken): Promise<{ receipt: string; delivered?: Promise<void> }> => {
      const blocks = await keep()
      if (before) return { receipt: before.receipt }
      const iat = Math.floor(clock.now() / 1000)
      const { sub, tid, jti } = claims
      const receipt = await identity.seal({
        typ: 'stored',
        iss: identity.id,
        sub,
        tid,
        jti,
        cid,
        kind,
        size,
        blocks,
        iat,
      } satisfies ReceiptClaims)
      await used.add({ upload, cid, size, receipt, exp: claims.exp })
      return { receipt, delivered: receipts.deliver(receipt, cid) }
    }
    // One upload of a token at a time decides what the token was used for.
    return inTurn(upload, async () => {
      const before = used.get(upload)
      if (before && before.cid !== cid) throw refuseForeign('The token was used for another content.')
      // No removal comes between the content and the receipt that speaks against it.
      const { receipt, delivered } = await contents(cid, () => enter(before))
      await delivered
      return { cid, receipt }
    })
  }

  const uploads: Uploads = {
    get receiveRate() {
      return Math.round(receiveRate)
    },
    async receive(claims, source, signal) {
      const folder = claims.kind === 'car'
      const room = claims.size ?? Math.min(claims.max, source.most ?? STEP)
      const reservation = await store.space.reserve(room)
      const incoming = await store.incoming()
      const writer = await openBlockWriter(join(incoming.folder, folder ? ARCHIVE : DATA))
      const started = performance.now()
      try {
        /** Takes a chunk to the disk; the promise says to wait. */
        const write = (chunk: Buffer): Promise<void> | undefined => {
          checkSize(claims, writer.size + chunk.length)
          const wait = writer.write(chunk)
          if (writer.size <= reservation.bytes) return wait
          return Promise.all([reservation.grow(writer.size + STEP), wait]).then(() => {})
        }
        const complete = async () => {
          await source.finished
          checkComplete(claims, writer.size)
          await writer.sync()
          const seconds = (performance.now() - started) / 1000
          if (writer.size > 1 << 20) receiveRate = receiveRate * 0.7 + (writer.size / seconds) * 0.3
        }
        if (folder) {
          const archive = await checkArchive(source.bytes, write, { signal, root: claims.cid ?? '' })
          await complete()
          return await uploads.keepArchive(claims, incoming, archive)
        }
        const hasher = createFileHasher()
        const take = (chunk: Buffer) => {
          hasher.update(chunk)
          return write(chunk)
        }
        await consume(source.bytes, take, { signal })
        await complete()
        return await uploads.keepFile(claims, incoming, await hasher.finish())
      } catch (error) {
        throw asRefusal(error)
      } finally {
        await writer.close()
        await incoming.discard()
        reservation.release()
      }
    },
    keepFile(claims, incoming, hashed) {
      const { cid, size } = hashed
      if (claims.cid !== undefined && !sameCid(parseCid(claims.cid), cid))
        throw new Refusal(400, texts.notTheBytes(claims.cid))
      return settle(claims, { cid: cid.toString(), kind: 'file', size }, () => keepFile(incoming, hashed))
    },
    keepArchive(claims, incoming, archive) {
      const { root, size } = archive
      return settle(claims, { cid: root.toV1().toString(), kind: 'folder', size }, () => keepArchive(incoming, archive))
    },
  }
  return uploads
}

/** Throws a 413 or 422 as soon as more has come than the token allows. */
export function checkSize(claims: UploadClaims, size: number): void {
  if (size > claims.max) throw refuseTooLarge(claims.max)
  if (claims.size !== undefined && size > claims.size) throw new Refusal(422, texts.moreThanAnnounced(claims.size))
}

/** Throws a 400 for an empty upload, a 422 for one of another size than announced. */
export function checkComplete(claims: UploadClaims, size: number): void {
  if (size === 0) throw new Refusal(400, shared('emptyFile'), { err: 10030 })
  if (claims.size !== undefined && size !== claims.size) throw new Refusal(422, texts.notAnnounced(size, claims.size))
}
