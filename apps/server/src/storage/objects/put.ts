import {
  AppError,
  type contract,
  errors,
  errorText,
  type Lang,
  type Output,
  type Parsed,
  type S3Object,
} from '@tidenet/contract'
import { lockAccountForUpdate } from '../../identity/index.ts'
import { placement } from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { withSavepoint } from '../../platform/db/savepoint.ts'
import { type Member, requirePermission } from '../../platform/http/callers.ts'
import * as assets from '../assets/assets.ts'
import { type Context, now } from '../context.ts'
import { afterListing, createEntry } from '../files/service.ts'
import type { Checked, File as ListedFile } from '../folder-uploads/checked.ts'
import { listPlain } from '../folder-uploads/list-plain.ts'
import { assetExpiry } from '../lifetimes.ts'
import { claimChecker } from '../receipts/claims.ts'
import { storeReceipts } from '../receipts/store-many.ts'
import { lockOpenUpload } from '../traces/service.ts'
import { setContent } from '../versions/replace.ts'
import { ensureFolders, nameFor } from './folders.ts'
import { type Bucket, etagOf, findEntries, folderPathOf, partsOf, requireBucket, rulesOf, toObject } from './objects.ts'
import { findObjects, findWrittenBefore, type NewDetails, putDetails } from './repository.ts'
import { type SettingsRow, versioningOf } from './settings-repository.ts'
import { endEarlierNull, requireVersion } from './versions.ts'
import { EMPTY_CID, writeEmpty } from './write-empty.ts'

type Operation = (typeof contract)['s3']['put']
type Result = Output<Operation>['results'][number]
type File = Parsed<Operation>['files'][number]

/** A condition of a write does not hold. */
class ConditionFailed extends Error {}

/** What is put under a key. */
export interface Put
  extends Pick<File, 'key' | 'md5' | 'etag' | 'headers' | 'metadata' | 'checksums' | 'tags' | 'if_match' | 'if_none'> {
  cid: string
  size: number
  receipt: ReceiptOf | undefined
  /** Names the write: its repetition makes no second version. */
  writeId: string | undefined
}
type ReceiptOf = NonNullable<Checked['claims']>

/** Adds uploaded objects, all in one transaction. One that is refused does not affect the others. @throws AppError folderUnknown */
export async function putObjects(
  context: Context,
  caller: Member,
  lang: Lang,
  input: Parsed<Operation>,
): Promise<Result[]> {
  const bucket = await requireBucket(context.db, caller, input.bucket)
  const refused = new Map<File, AppError | ConditionFailed>()
  const puts = new Map<File, Put>()
  const read = await claimChecker(context.db, input.files)
  for (const file of input.files)
    try {
      puts.set(file, check(caller, file, read(file)))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refused.set(file, error)
    }
  const written = await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const trace = input.trace_id === '' ? undefined : await lockOpenUpload(tx, caller.userId, input.trace_id)
    const results = await writeObjects(context, tx, caller, bucket, [...puts.values()], trace ? input.trace_id : '')
    return findWritten(tx, caller, bucket, results)
  })
  return input.files.map((file) => {
    const put = puts.get(file)
    const outcome = refused.get(file) ?? (put && written.get(put))
    return { item: file.item, ...resultOf(outcome, lang) }
  })
}

type Outcome = AppError | ConditionFailed | S3Object
/** The id of the entry that was written, why it was refused, or the version that the same upload wrote before. */
type Written = number | Outcome

/** The result for the caller of one write. */
export function resultOf(outcome: Outcome | undefined, lang: Lang): Omit<Result, 'item'> {
  if (outcome instanceof ConditionFailed) return { object: null, failed: true }
  if (outcome instanceof AppError)
    return {
      object: null,
      failed: false,
      err: errors[outcome.key].err,
      msg: errorText(outcome.key, lang, outcome.facts),
    }
  return { object: outcome ?? null, failed: false }
}

/** @throws AppError proofFailed */
function check(
  caller: Member,
  { receipt: _, write_id, ...put }: File,
  { cid, receipt: claims }: { cid: string; receipt: ReceiptOf | undefined },
): Put {
  // One of another account proves nothing here.
  const receipt = claims?.sub === caller.uid && claims.cid === cid ? claims : undefined
  if (cid !== EMPTY_CID && !receipt) throw new AppError('proofFailed')
  return { ...put, cid, size: receipt?.size ?? 0, receipt, writeId: receipt?.jti ?? write_id }
}

/**
 * Writes objects into a locked account.
 * @param folderTrace the trace of the upload
 */
export async function writeObjects(
  context: Context,
  tx: Db,
  caller: Member,
  bucket: Bucket,
  puts: readonly Put[],
  folderTrace: string,
): Promise<Map<Put, Written>> {
  const { userId } = caller
  const at = now(context)
  // By all calls in this order, so that calls of two accounts cannot wait for each other.
  const sorted = [...puts].sort((a, b) => (a.cid < b.cid ? -1 : 1))
  await placement.lockAllContents(
    tx,
    sorted.map(({ cid }) => cid),
  )
  // Receipts stay accepted if their objects are refused afterwards, for example by the quota.
  await storeReceipts(
    { ...context, db: tx },
    sorted.flatMap(({ receipt }) => receipt ?? []),
  )
  const versioning = await versioningOf(tx, userId, bucket.id)
  const results = new Map<Put, Written>()
  const folders = await withSavepoint(tx, () =>
    ensureFolders(
      tx,
      userId,
      bucket,
      sorted.map(({ key }) => key),
      at,
    ),
  )
  if (folders instanceof AppError) return new Map(puts.map((put) => [put, folders]))
  const keys = sorted.map(({ key }) => key)
  const existing = await findEntries(tx, userId, bucket, keys, folders)
  const isNew = ({ key, if_match }: Put) =>
    !existing.has(key) && if_match === undefined && keys.indexOf(key) === keys.lastIndexOf(key)
  const again = sorted.flatMap(({ key, writeId }) => {
    const assetId = existing.get(key)?.id
    return assetId === undefined || writeId === undefined ? [] : { assetId, upload: writeId }
  })
  if (versioning === 'Enabled' && again.length > 0) {
    const before = new Map((await findWrittenBefore(tx, again)).map((row) => [`${row.asset_id} ${row.upload}`, row]))
    for (const put of sorted) {
      const found = before.get(`${existing.get(put.key)?.id} ${put.writeId}`)
      if (!found) continue
      const named = { bucket: bucket.name, key: put.key, version_id: found.version_id }
      results.set(put, (await requireVersion(tx, caller, named)).object)
    }
  }
  const fresh = caller.folders ? [] : sorted.filter((put) => put.cid !== EMPTY_CID && isNew(put))
  const byChecked = new Map(fresh.map((put) => [asChecked(put, folders), put]))
  const plain = await listPlain(context, tx, caller, [...byChecked.keys()], { areas: [], folderTrace })
  for (const [checked, refusal] of plain) {
    const put = byChecked.get(checked) as Put
    results.set(put, refusal ?? 0)
  }
  for (const put of sorted.filter((one) => !results.has(one)))
    results.set(put, await writeOne(context, tx, caller, bucket, { put, folders, folderTrace, versioning, at }))
  const listed = sorted.filter((put) => typeof results.get(put) === 'number')
  const entries = await findEntries(
    tx,
    userId,
    bucket,
    listed.map(({ key }) => key),
    folders,
  )
  const details = new Map<number, NewDetails>()
  for (const put of listed) {
    const id = entries.get(put.key)?.id
    if (id === undefined) throw new Error('an object that was just written is not there')
    results.set(put, id)
    const { etag, headers, metadata, checksums, tags, writeId } = put
    const upload = (versioning === 'Enabled' && writeId) || null
    details.set(id, { assetId: id, etag, headers, metadata, checksums, tags, upload })
  }
  if (listed.length > 0) {
    await putDetails(tx, userId, [...details.values()], at)
    if (versioning === 'Suspended')
      for (const { key } of listed) {
        const place = { folderId: folders.get(folderPathOf(key)) as number, part: partsOf(key).part }
        await endEarlierNull(tx, userId, place, at)
      }
    await afterListing(
      context,
      tx,
      userId,
      listed.flatMap(({ cid }) => (cid === EMPTY_CID ? [] : cid)),
    )
  }
  return results
}

const asChecked = (put: Put, folders: ReadonlyMap<string, number>): Checked => ({
  file: entryOf(put, folders.get(folderPathOf(put.key)) as number, partsOf(put.key).part),
  cid: put.cid,
  claims: put.receipt,
  proven: false,
})

const entryOf = (put: Put, folderId: number, name: string): ListedFile => ({
  item: 0,
  asset_name: name,
  asset_cid: put.cid,
  asset_size: put.size,
  group_id: folderId,
  extra_id: '',
  md5: put.md5,
  encrypted: false,
  on_conflict: 'replace',
})

/** @returns 0, or why it was refused */
async function writeOne(
  context: Context,
  tx: Db,
  caller: Member,
  bucket: Bucket,
  {
    put,
    folders,
    folderTrace,
    versioning,
    at,
  }: {
    put: Put
    folders: ReadonlyMap<string, number>
    folderTrace: string
    versioning: SettingsRow['versioning']
    at: Date
  },
): Promise<0 | AppError | ConditionFailed> {
  const { userId } = caller
  const folderId = folders.get(folderPathOf(put.key)) as number
  const { part } = partsOf(put.key)
  const written = await withSavepoint(tx, async () => {
    const entry = (await findEntries(tx, userId, bucket, [put.key])).get(put.key)
    const [object] = entry ? await findObjects(tx, userId, [entry.id]) : []
    if (put.if_none && object) return new ConditionFailed()
    if (put.if_match !== undefined && (!object || etagOf(object) !== put.if_match)) return new ConditionFailed()
    // It can push earlier versions out.
    if (object) requirePermission(caller, 'deleteFile')
    const { name, keyPart } = entry
      ? { name: entry.name, keyPart: null }
      : await nameFor(tx, userId, { folderId, part, isFolder: false })
    if (entry && object?.cid === put.cid && versioning === 'Enabled')
      await writeAgain(context, tx, userId, entry.id, at)
    else if (put.cid === EMPTY_CID) {
      const isKept = versioning !== null
      await writeEmpty(context, tx, caller, { put, folderId, name, entryId: entry?.id, isKept, at })
    } else {
      const creation = {
        ...entryOf(put, folderId, name),
        asset_type: 'file' as const,
        node_id: '',
        need_trace: false,
        on_conflict: entry ? ('replace' as const) : ('fail' as const),
        cid: put.cid,
        areas: [],
        proven: false,
        folderTrace,
        own: caller.folders ? put.receipt?.jti : undefined,
        ongoing: true as const,
      }
      const outcome = await createEntry(context, tx, caller, { ...creation, area_id: undefined, area_ids: undefined })
      if (outcome.state === 'announced') throw new AppError('proofFailed')
    }
    if (keyPart !== null) {
      const [made] = await assets.keys.findOfKeys(tx, userId, [{ folderId, part: name }])
      if (made) await assets.keys.setKeyPart(tx, made.id, keyPart)
    }
    return 0 as const
  })
  return written
}

/** Without versions, writing the same bytes changes nothing; with them, it makes another version. */
async function writeAgain(context: Context, tx: Db, userId: number, id: number, at: Date): Promise<void> {
  const entry = await assets.findAsset(tx, userId, { assetId: id })
  if (!entry) throw new AppError('assetUnknown')
  const { cid, kind, size, encrypted, areas, restricted_to: restrictedTo, receipt_id: receiptId } = entry
  const content = { cid, kind, size, md5: await assets.md5Of(tx, id), encrypted, areas, restrictedTo, receiptId }
  await setContent(context, tx, entry, { ...content, createdAt: at, expiresAt: assetExpiry(at) })
}

/** The objects that were written, and the refusals. */
export async function findWritten<P extends Put>(
  tx: Db,
  caller: Pick<Member, 'userId' | 'folders'>,
  bucket: Bucket,
  results: ReadonlyMap<P, Written>,
): Promise<Map<P, Outcome>> {
  const ids = [...results.values()].filter((result) => typeof result === 'number')
  const rows = new Map((await findObjects(tx, caller.userId, ids)).map((row) => [row.asset_id, row]))
  const rules = await rulesOf(tx, caller, bucket)
  const written = new Map<P, Outcome>()
  for (const [put, result] of results) {
    const row = typeof result === 'number' ? rows.get(result) : undefined
    if (typeof result !== 'number') written.set(put, result)
    else if (row) written.set(put, toObject(put.key, row, rules))
  }
  return written
}
