import { AppError, type contract, type Output, type Parsed, type S3Object, TRASH_LIFE } from '@tidenet/contract'
import { lockAccountForUpdate } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import * as assets from '../assets/assets.ts'
import { releaseInBatches } from '../contents/release.ts'
import { type Context, now } from '../context.ts'
import { type From, recordItems } from '../trash/record.ts'
import { enforceTrashLimit, findTrashedIn, purge, restoreFile, stopKeeping, trashFiles } from '../trash/service.ts'
import { recordStored } from '../usage/service.ts'
import { promote } from '../versions/replace.ts'
import * as deletions from './deletions-repository.ts'
import { nameFor } from './folders.ts'
import {
  type Bucket,
  etagOf,
  findKeyFolders,
  folderPathOf,
  partsOf,
  requireBucket,
  tagsOf,
  textsOf,
} from './objects.ts'
import { deleteDetails, findDetails } from './repository.ts'
import { type SettingsRow, versioningOf } from './settings-repository.ts'
import * as repository from './versions-repository.ts'

/** Versions of objects in buckets that have them. */

/** How S3 names versions. @returns null for the version "null"; undefined for what names none */
export function readVersionId(text: string): string | null | undefined {
  if (text === 'null') return null
  return /^[0-9a-f]{32}$/.test(text) ? text : undefined
}

/** The place of a key; undefined: its folder does not exist. */
export async function placeOf(
  db: Db,
  userId: number,
  bucket: Bucket,
  key: string,
): Promise<deletions.KeyPlace | undefined> {
  const folderId = (await findKeyFolders(db, userId, bucket, [key])).get(folderPathOf(key))
  return folderId === undefined ? undefined : { folderId, part: partsOf(key).part }
}

/** One version of an object. @throws AppError folderUnknown, assetUnknown */
export async function requireVersion(
  db: Db,
  caller: Member,
  { bucket: name, key, version_id }: { bucket: string; key: string; version_id: string },
): Promise<{ object: S3Object; row: repository.VersionRow }> {
  const { userId } = caller
  const id = readVersionId(version_id)
  const place = await placeOf(db, userId, await requireBucket(db, caller, name), key)
  const row = place && id !== undefined ? await repository.findVersion(db, userId, place, id) : undefined
  if (!row) throw new AppError('assetUnknown')
  const details = row.asset_id === null ? undefined : await findDetails(db, row.asset_id, row.version)
  const { cid, kind, size, created_at } = row
  const object = {
    key,
    version_id: row.version_id ?? 'null',
    marker: row.asset_id === null,
    asset_id: row.asset_id ?? 0,
    version: row.version,
    cid,
    kind,
    size,
    etag: row.asset_id === null ? '' : etagOf({ ...row, etag: details?.etag ?? null }),
    modified: (details?.modified_at ?? created_at).toISOString(),
    headers: textsOf(details?.headers),
    metadata: textsOf(details?.metadata),
    checksums: textsOf(details?.checksums),
    tags: tagsOf(details?.tags),
    expiration: null,
  }
  return { object, row }
}

type RemoveVersions = (typeof contract)['s3']['removeVersions']

/** Deletes versions for good. What was hidden by a marker that is deleted comes back. @throws AppError folderUnknown */
export async function removeVersions(
  context: Context,
  caller: Member,
  { bucket: name, versions }: Parsed<RemoveVersions>,
  from: From,
): Promise<Output<RemoveVersions>> {
  const at = now(context)
  return context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const bucket = await requireBucket(tx, caller, name)
    const versioning = await versioningOf(tx, caller.userId, bucket.id)
    const markers: boolean[] = []
    const done = new Map<string, boolean>()
    const released: string[] = []
    let removed = 0
    for (const { key, version_id } of versions) {
      const name = `${version_id} ${key}`
      const before = done.get(name)
      if (before !== undefined) {
        markers.push(before)
        continue
      }
      const id = readVersionId(version_id)
      const place = id === undefined ? undefined : await placeOf(tx, caller.userId, bucket, key)
      const row = place && (await repository.findVersion(tx, caller.userId, place, id as string | null))
      const isMarker = row?.asset_id === null
      markers.push(isMarker)
      done.set(name, isMarker)
      if (!place || !row) continue
      removed += 1
      released.push(...(await removeVersion(context, tx, caller, row, { versioning, at })))
      await settle(tx, caller.userId, place)
    }
    await releaseInBatches(context, tx, caller, released)
    await recordStored(tx, caller.userId, at)
    await recordItems(tx, context, caller, from, 'file.delete', removed)
    return { markers }
  })
}

/** Deletes one version in a locked account. @returns the contents that it had, for the caller to release */
export async function removeVersion(
  context: Context,
  tx: Db,
  caller: Pick<Member, 'userId' | 'uid'>,
  { deletion, asset_id: id, row_id, cid, version, is_trashed: isTrashed }: repository.VersionRow,
  { versioning, at }: { versioning: SettingsRow['versioning']; at: Date },
): Promise<string[]> {
  const { userId } = caller
  if (id === null) {
    await deletions.dropMarker(tx, Number(deletion))
    return []
  }
  if (row_id === null && versioning === null && !isTrashed) {
    // As a delete without a version: the bucket never had any.
    if (await promote(tx, { id, userId, isTrashed }, at, { demotes: true })) return []
    await trashFiles(context, tx, userId, [id])
    await enforceTrashLimit(context, tx, caller)
    return []
  }
  await deleteDetails(tx, id, version)
  if (row_id !== null) return assets.versions.deleteVersions(tx, userId, [row_id])
  if (await promote(tx, { id, userId, isTrashed }, at, { demotes: false })) return [cid]
  if (!isTrashed) {
    const earlier = await assets.versions.deleteVersionsOf(tx, userId, [id])
    await assets.deleteAsset(tx, { id, user_id: userId })
    await assets.emitDeleted(tx, userId, [{ id, cid }], { trashed: false, at })
    return [cid, ...earlier]
  }
  const trashId = await findTrashedIn(tx, userId, id)
  if (trashId !== undefined) await purge(context, tx, caller, [trashId])
  return []
}

/** A key without an object whose latest deletion has no marker gets that object back. */
export async function settle(tx: Db, userId: number, place: deletions.KeyPlace): Promise<void> {
  const { folderId, part } = place
  if ((await assets.keys.findOfKeys(tx, userId, [place])).length > 0) return
  const latest = await deletions.findLatest(tx, userId, place)
  if (!latest || latest.is_marker || latest.asset_id === null) return
  const trashId = await findTrashedIn(tx, userId, latest.asset_id)
  if (trashId === undefined) return
  const { name, keyPart } = await nameFor(tx, userId, { folderId, part, isFolder: false })
  await restoreFile(tx, trashId, { folderId, name })
  if (keyPart !== null) await assets.keys.setKeyPart(tx, latest.asset_id, keyPart)
}

/** While versions are suspended, a key has one version "null": earlier ones are not kept any more. */
export async function endEarlierNull(tx: Db, userId: number, place: deletions.KeyPlace, at: Date): Promise<void> {
  const purgeAt = new Date(at.getTime() + TRASH_LIFE)
  const found = await deletions.findNull(tx, userId, place)
  for (const { id, is_marker, version_id, asset_id, is_null_object } of found) {
    if (asset_id !== null) {
      await assets.versions.stopKeepingNull(tx, asset_id, purgeAt)
      const goes =
        is_null_object && !(await promote(tx, { id: asset_id, userId, isTrashed: true }, at, { demotes: true }))
      const trashId = goes ? await findTrashedIn(tx, userId, asset_id) : undefined
      if (trashId !== undefined) {
        await stopKeeping(tx, trashId, purgeAt)
        await deletions.dropObject(tx, id)
      }
    }
    if (is_marker && version_id === null) await deletions.dropMarker(tx, id)
  }
  if (found.length > 0)
    await deletions.dropNull(
      tx,
      found.map(({ id }) => id),
    )
}
