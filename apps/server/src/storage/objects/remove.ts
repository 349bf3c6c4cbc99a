import type { contract, Output, Parsed } from '@tidenet/contract'
import { lockAccountForUpdate } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Context, now } from '../context.ts'
import { type From, recordItems } from '../trash/record.ts'
import { enforceTrashLimit, trashFiles } from '../trash/service.ts'
import { recordStored } from '../usage/service.ts'
import { promote } from '../versions/replace.ts'
import * as deletions from './deletions-repository.ts'
import { type Bucket, etagOf, findEntries, findKeyFolders, folderPathOf, partsOf, requireBucket } from './objects.ts'
import { findObjects } from './repository.ts'
import { versioningOf } from './settings-repository.ts'
import { endEarlierNull } from './versions.ts'

type Operation = (typeof contract)['s3']['remove']

/**
 * Moves objects to the trash; keys without an object are ignored. In a bucket with versions, the key gets a delete marker, and what the trash
 * has is kept until it is deleted. Keys whose condition does not hold stay.
 * @throws AppError folderUnknown
 */
export async function removeObjects(
  context: Context,
  caller: Member,
  input: Parsed<Operation>,
  from: From,
): Promise<Output<Operation>> {
  return context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const bucket = await requireBucket(tx, caller, input.bucket)
    const failed = await failedKeys(tx, caller.userId, bucket, input.conditions)
    const keys = [...new Set(input.keys)].filter((key) => !failed.has(key))
    const { markers, removed } = await removeKeys(context, tx, caller.userId, bucket, keys)
    if (removed > 0) {
      await enforceTrashLimit(context, tx, caller)
      await recordStored(tx, caller.userId, now(context))
      await recordItems(tx, context, caller, from, 'file.trash', removed)
    }
    return { markers, failed: [...failed] }
  })
}

async function failedKeys(tx: Db, userId: number, bucket: Bucket, conditions: Parsed<Operation>['conditions']) {
  if (conditions.length === 0) return new Set<string>()
  const keys = conditions.map(({ key }) => key)
  const entries = await findEntries(tx, userId, bucket, keys)
  const ids = [...entries.values()].map(({ id }) => id)
  const objects = new Map((await findObjects(tx, userId, ids)).map((row) => [row.asset_id, row]))
  const failed = conditions.filter(({ key, etag }) => {
    const object = objects.get(entries.get(key)?.id ?? 0)
    return !object || (etag !== '*' && etagOf(object) !== etag)
  })
  return new Set(failed.map(({ key }) => key))
}

/** The same in a locked account; the caller enforces the limits of the trash. */
export async function removeKeys(
  context: Pick<Context, 'clock'>,
  tx: Db,
  userId: number,
  bucket: Bucket,
  keys: readonly string[],
): Promise<Pick<Output<Operation>, 'markers'> & { removed: number }> {
  const entries = await findEntries(tx, userId, bucket, keys)
  const versioning = await versioningOf(tx, userId, bucket.id)
  if (versioning === null) {
    await trashFiles(
      context,
      tx,
      userId,
      [...entries.values()].map(({ id }) => id),
    )
    return { markers: [], removed: entries.size }
  }
  const at = now(context)
  const isNamed = versioning === 'Enabled'
  const unnamed = new Set<number>()
  if (!isNamed) {
    const ids = [...entries.values()].map(({ id }) => id)
    for (const row of await findObjects(tx, userId, ids)) {
      if (row.version_id !== 'null') continue
      // The version "null" goes as if there were no versions; the others stay.
      const stays = await promote(tx, { id: row.asset_id, userId, isTrashed: false }, at, { demotes: true })
      if (!stays) unnamed.add(row.asset_id)
    }
  }
  const deleted = [...entries].map(([key, { id, folderId }]) => ({ key, id, folderId, part: partsOf(key).part }))
  if (!isNamed) for (const place of deleted) await endEarlierNull(tx, userId, place, at)
  const plain = deleted.filter(({ id }) => unnamed.has(id))
  const kept = deleted.filter(({ id }) => !unnamed.has(id))
  const idsOf = (list: typeof deleted) => list.map(({ id }) => id)
  await trashFiles(context, tx, userId, idsOf(plain))
  await trashFiles(context, tx, userId, idsOf(kept), { kept: true })
  const rows = await deletions.insertDeletions(
    tx,
    userId,
    deleted.map(({ id, folderId, part }) => ({ folderId, part, assetId: unnamed.has(id) ? null : id })),
    { named: isNamed, at },
  )
  const made = new Map(rows.map(({ folder_id, part, version_id }) => [`${folder_id}/${part}`, version_id ?? 'null']))
  const markers = deleted.flatMap(({ key, folderId, part }) => {
    const version_id = made.get(`${folderId}/${part}`)
    return version_id === undefined ? [] : { key, version_id }
  })
  const missing = keys.filter((key) => !entries.has(key))
  return { markers: [...markers, ...(await latestMarkers(tx, userId, bucket, missing))], removed: deleted.length }
}

/** Keys that have a marker already need no second one; keys that there never were get none. */
async function latestMarkers(tx: Db, userId: number, bucket: Bucket, keys: readonly string[]) {
  if (keys.length === 0) return []
  const folders = await findKeyFolders(tx, userId, bucket, keys)
  const places = keys.flatMap((key) => {
    const folderId = folders.get(folderPathOf(key))
    return folderId === undefined ? [] : { key, folderId, part: partsOf(key).part }
  })
  const markers: { key: string; version_id: string }[] = []
  for (const { key, ...place } of places) {
    const latest = await deletions.findLatest(tx, userId, place)
    if (latest?.is_marker) markers.push({ key, version_id: latest.version_id ?? 'null' })
  }
  return markers
}
