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
import { createMissingFolders, nameFor } from './folders.ts'
import {
  type Bucket,
  etagOf,
  findEntries,
  findKeyFolders,
  folderPathOf,
  partsOf,
  requireBucket,
  rulesOf,
  toObject,
} from './objects.ts'
import { findObjects, findWrittenBefore, type NewDetails, type ObjectRow, putDetails } from './repository.ts'
import { findSettings, type SettingsRow } from './settings-repository.ts'
import { endCompleted, findEnded } from './uploads.ts'
import { endEarlierNull, requireVersion } from './versions.ts'
import { EMPTY_CID, writeEmpty } from './write-empty.ts'

type Operation = (typeof contract)['s3']['put']
type Result = Output<Operation>['results'][number]
type File = Parsed<Operation>['files'][number]

/** A condition of a write does not hold. */
class ConditionFailed extends Error {}

/** What is put under a key. */
export interface Put
  extends Pick<
    File,
    'key' | 'md5' | 'etag' | 'headers' | 'metadata' | 'checksums' | 'tags' | 'if_match' | 'if_none' | 'upload_id'
  > {
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
  const [bucket, read] = await Promise.all([
    requireBucket(context.db, caller, input.bucket),
    claimChecker(context.db, input.files),
  ])
  const refused = new Map<File, AppError | ConditionFailed>()
  const puts = new Map<File, Put>()
  for (const file of input.files)
    try {
      puts.set(file, check(caller, file, read(file)))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refused.set(file, error)
    }
  const { trace_id: traceId } = input
  const all = [...puts.values()]
  const completes = all.some(({ upload_id }) => upload_id !== undefined)
  const written = await context.db.transaction(async (tx) => {
    if (completes) await lockAccountForUpdate(tx, caller.userId)
    const ended = completes ? await findEnded(tx, caller, bucket.name, all) : new Map<Put, AppError>()
    const writes = all.filter((put) => !ended.has(put))
    const outcomes = await writeObjects(context, tx, { caller, bucket, traceId }, writes)
    const completed = writes.filter((put) => !(outcomes.get(put) instanceof Error))
    if (completes) await endCompleted(context, tx, caller, completed)
    return new Map([...outcomes, ...ended])
  })
  return input.files.map((file) => {
    const put = puts.get(file)
    const outcome = refused.get(file) ?? (put && written.get(put))
    return { item: file.item, ...resultOf(outcome, lang) }
  })
}

type Outcome = AppError | ConditionFailed | S3Object
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
 * Writes objects; locks the account.
 * @param to.traceId the trace of the upload; empty: there is none
 * @returns the objects that were written or that the same upload wrote before, and the refusals
 */
export async function writeObjects(
  context: Context,
  tx: Db,
  { caller, bucket, traceId }: { caller: Member; bucket: Bucket; traceId: string },
  puts: readonly Put[],
): Promise<Map<Put, Outcome>> {
  const { userId } = caller
  const at = now(context)
  // By all calls in this order, so that calls of two accounts cannot wait for each other.
  const sorted = [...puts].sort((a, b) => (a.cid < b.cid ? -1 : 1))
  const keys = sorted.map(({ key }) => key)
  const [account, trace, , settings, found] = await Promise.all([
    lockAccountForUpdate(tx, userId),
    traceId === '' ? undefined : lockOpenUpload(tx, userId, traceId),
    placement.lockAllContents(
      tx,
      sorted.map(({ cid }) => cid),
    ),
    findSettings(tx, userId, bucket.id),
    findKeyFolders(tx, userId, bucket, keys),
  ])
  // Receipts stay accepted if their objects are refused afterwards, for example by the quota.
  await storeReceipts(
    { ...context, db: tx },
    sorted.flatMap(({ receipt }) => receipt ?? []),
    account,
  )
  const versioning = settings?.versioning ?? null
  const folders = keys.every((key) => found.has(folderPathOf(key)))
    ? found
    : await withSavepoint(tx, () => createMissingFolders(tx, userId, found, keys, at))
  if (folders instanceof AppError) return new Map(puts.map((put) => [put, folders]))
  const existing = await findEntries(tx, userId, bucket, keys, folders)
  const isNew = ({ key, if_match }: Put) =>
    !existing.has(key) && if_match === undefined && keys.indexOf(key) === keys.lastIndexOf(key)
  const outcomes = versioning === 'Enabled' ? await findAgain(tx, { caller, bucket, existing }, sorted) : new Map()
  const fresh = caller.folders ? [] : sorted.filter((put) => put.cid !== EMPTY_CID && isNew(put))
  const byChecked = new Map(fresh.map((put) => [asChecked(put, folders), put]))
  const folderTrace = trace ? traceId : ''
  const ids = new Map<Put, number>()
  for (const [checked, listed] of await listPlain(context, tx, caller, [...byChecked.keys()], {
    areas: [],
    folderTrace,
  })) {
    const put = byChecked.get(checked) as Put
    if (typeof listed === 'number') ids.set(put, listed)
    else outcomes.set(put, listed)
  }
  const others = sorted.filter((put) => !ids.has(put) && !outcomes.has(put))
  for (const put of others) {
    const refusal = await writeOne(context, tx, caller, bucket, { put, folders, folderTrace, versioning, at })
    if (refusal) outcomes.set(put, refusal)
  }
  const written = others.filter((put) => !outcomes.has(put))
  if (written.length > 0) {
    const entries = await findEntries(
      tx,
      userId,
      bucket,
      written.map(({ key }) => key),
      folders,
    )
    for (const put of written) {
      const id = entries.get(put.key)?.id
      if (id === undefined) throw new Error('an object that was just written is not there')
      ids.set(put, id)
    }
  }
  if (ids.size === 0) return outcomes
  if (versioning === 'Suspended')
    for (const { key } of ids.keys()) {
      const place = { folderId: folders.get(folderPathOf(key)) as number, part: partsOf(key).part }
      await endEarlierNull(tx, userId, place, at)
    }
  const rows = await keepDetails(context, tx, userId, { ids, versioning, at })
  const rules = rulesOf(caller, settings)
  for (const [put, id] of ids) {
    const row = rows.get(id)
    if (row) outcomes.set(put, toObject(put.key, row, rules))
  }
  return outcomes
}

/** The versions that the same uploads wrote before. */
async function findAgain(
  tx: Db,
  to: { caller: Member; bucket: Bucket; existing: Awaited<ReturnType<typeof findEntries>> },
  puts: readonly Put[],
): Promise<Map<Put, Outcome>> {
  const { caller, bucket, existing } = to
  const again = puts.flatMap(({ key, writeId }) => {
    const assetId = existing.get(key)?.id
    return assetId === undefined || writeId === undefined ? [] : { assetId, upload: writeId }
  })
  const outcomes = new Map<Put, Outcome>()
  if (again.length === 0) return outcomes
  const before = new Map((await findWrittenBefore(tx, again)).map((row) => [`${row.asset_id} ${row.upload}`, row]))
  for (const put of puts) {
    const found = before.get(`${existing.get(put.key)?.id} ${put.writeId}`)
    if (!found) continue
    const named = { bucket: bucket.name, key: put.key, version_id: found.version_id }
    outcomes.set(put, (await requireVersion(tx, caller, named)).object)
  }
  return outcomes
}

/** Keeps what S3 sent with objects that were written. @returns their rows, by entry */
async function keepDetails(
  context: Context,
  tx: Db,
  userId: number,
  { ids, versioning, at }: { ids: ReadonlyMap<Put, number>; versioning: SettingsRow['versioning']; at: Date },
): Promise<Map<number, ObjectRow>> {
  const details = new Map<number, NewDetails>()
  for (const [{ etag, headers, metadata, checksums, tags, writeId }, assetId] of ids) {
    const upload = (versioning === 'Enabled' && writeId) || null
    details.set(assetId, { assetId, etag, headers, metadata, checksums, tags, upload })
  }
  const cids = [...ids.keys()].flatMap(({ cid }) => (cid === EMPTY_CID ? [] : cid))
  const [, rows] = await Promise.all([
    putDetails(tx, userId, [...details.values()], at),
    findObjects(tx, userId, [...details.keys()]),
    afterListing(context, tx, userId, cids),
  ])
  return new Map(rows.map((row) => [row.asset_id, row]))
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
