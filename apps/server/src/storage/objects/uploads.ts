import { randomBytes } from 'node:crypto'
import { AppError, type contract, type Output, type Parsed } from '@tidenet/contract'
import { lockAccountForUpdate } from '../../identity/index.ts'
import { placement, readReceipt, requireNotBlocked } from '../../network/index.ts'
import { readCid } from '../../platform/cids.ts'
import type { Db } from '../../platform/db/db.ts'
import { hasPermission, type Member } from '../../platform/http/callers.ts'
import * as assets from '../assets/assets.ts'
import { possessionOf } from '../contents/possession.ts'
import { releaseInBatches } from '../contents/release.ts'
import { type Context, now } from '../context.ts'
import { sourcesOf } from '../downloads/sources.ts'
import { lockTargetFolder } from '../folders/service.ts'
import { requireOpenAccount } from '../grants/ended-accounts.ts'
import { acceptReceipt, verifyReceipt } from '../receipts/receipts.ts'
import { openOwnDownload } from '../traces/service.ts'
import { downloadTrafficLeft } from '../usage/service.ts'
import { requireBucket, textsOf } from './objects.ts'
import * as repository from './uploads-repository.ts'
import { EMPTY_CID } from './write-empty.ts'

type Operations = (typeof contract)['s3Uploads']

/** Uploads that an account can have begun. */
const UPLOADS_MAX = 1000
/** Parts of all of them together. */
const PARTS_OF_ACCOUNT = 200_000

/** @throws AppError folderUnknown, folderEncrypted, tooManyUploads, accountClosing */
export async function beginUpload(
  context: Pick<Context, 'db' | 'clock'>,
  caller: Member,
  { bucket: name, key, headers, metadata, tags, algorithm, checksum_type }: Parsed<Operations['begin']>,
): Promise<string> {
  const id = randomBytes(24).toString('base64url')
  await context.db.transaction(async (tx) => {
    await requireOpenAccount(tx, await lockAccountForUpdate(tx, caller.userId))
    const bucket = await requireBucket(tx, caller, name)
    if ((await lockTargetFolder(tx, caller.userId, bucket.id)).encrypted) throw new AppError('folderEncrypted')
    if ((await repository.countUploads(tx, caller.userId)) >= UPLOADS_MAX)
      throw new AppError('tooManyUploads', { max: UPLOADS_MAX })
    const place = { userId: caller.userId, folderId: bucket.id }
    const key_id = keyOf(caller)
    const upload = { id, key, headers, metadata, tags, algorithm, checksum_type, key_id }
    await repository.insertUpload(tx, place, upload, now(context))
  })
  return id
}

const keyOf = ({ via, credential }: Member): string | null => (via === 'key' ? credential : null)

/**
 * An upload of the caller.
 * @param permission what uploads need that another key began: who may only add must not read or end what others add
 * @throws AppError folderUnknown, notFound
 */
export async function requireUpload(
  db: Db,
  caller: Member,
  { bucket: name, key, upload_id: id }: Parsed<Operations['find']>,
  permission: 'readFile' | 'deleteFile' = 'readFile',
): Promise<NonNullable<Awaited<ReturnType<typeof repository.findUpload>>>> {
  const bucket = await requireBucket(db, caller, name)
  const upload = await repository.findUpload(db, { userId: caller.userId, folderId: bucket.id }, { id, key })
  const isOwn = upload?.key_id !== null && upload?.key_id === keyOf(caller)
  if (!upload || !(isOwn || hasPermission(caller, permission))) throw new AppError('notFound')
  return upload
}

/** @throws AppError folderUnknown, notFound, badCid, contentBlocked, nodeSignature, proofFailed, tooManyUploads */
export async function putPart(context: Context, caller: Member, input: Parsed<Operations['putPart']>): Promise<Date> {
  const { text: cid } = readCid(input.cid)
  await requireNotBlocked(context.db, cid)
  const receipt = input.receipt === '' ? undefined : await verifyReceipt(context, input.receipt)
  const isOwn = receipt?.sub === caller.uid && receipt.cid === cid
  if (cid !== EMPTY_CID && !isOwn) throw new AppError('proofFailed')
  // It can replace a part.
  const upload = await requireUpload(context.db, caller, input, 'deleteFile')
  if ((await repository.countParts(context.db, caller.userId)) >= PARTS_OF_ACCOUNT)
    throw new AppError('tooManyUploads', { max: UPLOADS_MAX })
  if (isOwn) await acceptReceipt(context, input.receipt)
  const at = now(context)
  const { number, md5, checksums } = input
  const size = receipt?.size ?? 0
  await repository.putPart(context.db, upload.id, {
    number,
    cid,
    size,
    md5,
    receipt: input.receipt,
    checksums,
    modified_at: at,
  })
  return at
}

export async function listParts(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  input: Parsed<Operations['parts']>,
): Promise<Output<Operations['parts']>> {
  const upload = await requireUpload(db, caller, input)
  const rows = await repository.listParts(db, upload.id, input.after, input.limit + 1)
  return {
    list: rows.slice(0, input.limit).map(({ md5, modified_at, checksums, ...part }) => ({
      ...part,
      checksums: textsOf(checksums),
      etag: md5,
      modified: modified_at.toISOString(),
    })),
    more: rows.length > input.limit,
  }
}

/** How often a part is opened although the account has used up its downloads: joining parts is none, and can be tried again. */
const OPENINGS_FREE = 5

/** @throws AppError folderUnknown, notFound, contentBlocked, nodesOffline, downloadQuotaExceeded */
export async function openPart(
  context: Context,
  caller: Member,
  input: Parsed<Operations['openPart']>,
): Promise<Output<Operations['openPart']>> {
  const { db } = context
  const upload = await requireUpload(db, caller, input)
  const part = await repository.openPart(db, upload.id, input.number)
  if (!part) throw new AppError('notFound')
  const { cid, size, receipt, opened } = part
  if (size === 0) return { sources: null }
  if (opened > OPENINGS_FREE && (await downloadTrafficLeft(db, context.clock, caller.userId)) <= 0)
    throw new AppError('downloadQuotaExceeded')
  const restricted_to = await readableFrom(context, caller, { cid, receipt })
  const receiptKey = input.receipt_key
  const common = { userId: caller.userId, account: caller.uid, cid, name: upload.key }
  // The account only joins what it has sent: that is no download.
  const opening = { ...common, preview: true, receiptKey, at: now(context) }
  const traceId = await openOwnDownload(db, caller, opening, size)
  const sources = await sourcesOf(context, {
    cid,
    size,
    kind: 'file',
    name: upload.key,
    encrypted: false,
    account: caller.uid,
    areas: [],
    restricted_to,
    traceId,
    receiptKey,
    reader: undefined,
  })
  return { sources: { ...sources, trace_id: '' } }
}

/**
 * The only nodes from which the account may read a part; null: any. A receipt of an edge proves nothing: with it, whoever knows the CID of a
 * content of somebody else would read it.
 */
const readableFrom = (
  { db }: Pick<Context, 'db'>,
  caller: Member,
  { cid, receipt }: { cid: string; receipt: string },
): Promise<readonly string[] | null> =>
  db.transaction(async (tx) => {
    await placement.lockContent(tx, cid)
    // What the account sent elsewhere does not count for a key of some folders.
    const receiptId = caller.folders ? (readReceipt(receipt)?.jti ?? '') : undefined
    const sent = await possessionOf(tx, cid, { account: caller.uid, receiptId })
    if (sent?.nodes === null) return null
    const owned = await assets.findAssetWithin(tx, caller, { cid })
    return owned?.restricted_to === null ? null : (sent?.nodes ?? owned?.restricted_to ?? [])
  })

export async function listUploads(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  { bucket: name, prefix, after_key: afterKey, after_id: afterId, limit }: Parsed<Operations['list']>,
): Promise<Output<Operations['list']>> {
  const bucket = await requireBucket(db, caller, name)
  const place = { userId: caller.userId, folderId: bucket.id }
  const ofKey = hasPermission(caller, 'readFile') ? undefined : (keyOf(caller) ?? '')
  const rows = await repository.listUploads(db, place, { prefix, afterKey, afterId, limit: limit + 1, ofKey })
  return {
    list: rows.slice(0, limit).map(({ id, key, created_at }) => ({
      key,
      upload_id: id,
      created: created_at.toISOString(),
    })),
    more: rows.length > limit,
  }
}

/** Nobody needs its parts any more: the object was stored as a whole, or the client gave up. @throws AppError folderUnknown, notFound */
export async function endUpload(context: Context, caller: Member, input: Parsed<Operations['end']>): Promise<void> {
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const { id } = await requireUpload(tx, caller, input, 'deleteFile')
    await deleteUpload(context, tx, caller, id)
  })
}

/** @param atOnce how many contents are released now; 0 in transactions that have already locked other contents */
async function deleteUpload(context: Context, tx: Db, caller: Member, id: string, atOnce?: number): Promise<void> {
  const cids = await repository.deleteUpload(tx, id)
  const sent = cids.filter((cid) => cid !== EMPTY_CID)
  await releaseInBatches(context, tx, caller, sent, atOnce)
}

/** An object that may complete an upload in parts. */
interface Completion {
  key: string
  upload_id?: string | undefined
}

/**
 * Completions of uploads that have ended, or that the caller may not end, with the reason. Of two completions of one upload, the second waits
 * for the lock of the account until the first has ended the upload.
 * @param tx has locked the account
 */
export async function findEnded<C extends Completion>(
  tx: Db,
  caller: Member,
  bucket: string,
  completions: Iterable<C>,
): Promise<Map<C, AppError>> {
  const ended = new Map<C, AppError>()
  const named = new Set<string>()
  for (const completion of completions) {
    const { key, upload_id: id } = completion
    if (id === undefined) continue
    if (named.has(id)) ended.set(completion, new AppError('notFound'))
    named.add(id)
    try {
      await requireUpload(tx, caller, { bucket, key, upload_id: id }, 'deleteFile')
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      ended.set(completion, error)
    }
  }
  return ended
}

/** Ends uploads whose objects this transaction has written. */
export async function endCompleted(
  context: Context,
  tx: Db,
  caller: Member,
  written: Iterable<Completion>,
): Promise<void> {
  for (const { upload_id: id } of written) if (id !== undefined) await deleteUpload(context, tx, caller, id, 0)
}
