import type { LifecycleRuleOfBucket as Rule } from '@tidenet/contract'
import { findAccountUsage, lockAccountForUpdate } from '../../identity/index.ts'
import { DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { releaseInBatches } from '../contents/release.ts'
import { type Context, now } from '../context.ts'
import { recordItems } from '../trash/record.ts'
import { enforceTrashLimit } from '../trash/service.ts'
import * as tree from '../tree/tree.ts'
import { recordStored } from '../usage/service.ts'
import { commonPrefix, isExpired, isMarkerExpired, isVersionExpired } from './lifecycle-rules.ts'
import { type Bucket, findEntries, findKeyFolders, folderPathOf, partsOf, tagsOf } from './objects.ts'
import { EMPTY_CID } from './put.ts'
import { removeKeys } from './remove.ts'
import { findObjects } from './repository.ts'
import * as settings from './settings-repository.ts'
import * as uploads from './uploads-repository.ts'
import { removeVersion, settle } from './versions.ts'
import * as versions from './versions-repository.ts'

/** Versions that are looked at in one step, and steps of a bucket before another one gets its turn. */
const BATCH = 500
const STEPS = 20
/** A server that stopped has not finished: another one goes on then. */
const LEASE = 10 * 60_000

/** Where an evaluation goes on. */
interface Cursor {
  key: string
  /** Its last version that was looked at; empty: all of them were. */
  version: string
  /** Versions of the key that are not current, and when the one in front of the next one came (Unix ms). */
  newer: number
  since: number
}

type Listed = Awaited<ReturnType<typeof versions.listOfKey>>[number] & { key: string; isFirst: boolean }
type Account = { userId: number; uid: string }
/** A bucket whose rules are in force for as long as it has the lease: changing them ends it. */
type Taken = Bucket & { lease: Date }

/** Does what the rules of buckets say. Several servers may run it at the same time. */
export async function expireObjects(context: Context, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const at = now(context)
    const lease = new Date(at.getTime() + LEASE)
    const due = await settings.takeDue(context.db, at, lease)
    if (!due) return
    try {
      await evaluate(context, due, { at, lease }, signal)
    } catch (error) {
      // Its lease ends, and it is tried again. Others do not wait for it.
      context.log.error({ err: error, bucket: due.folder_id }, 'the rules of a bucket could not be evaluated')
    }
  }
}

async function evaluate(
  context: Context,
  due: settings.DueRow,
  { at, lease }: { at: Date; lease: Date },
  signal: AbortSignal | undefined,
): Promise<void> {
  const rules = (due.lifecycle as Rule[]).filter(({ isEnabled }) => isEnabled)
  const { uid } = await findAccountUsage(context.db, due.user_id)
  const account = { userId: due.user_id, uid }
  const folder = await tree.findFolder(context.db, due.user_id, due.folder_id)
  const bucket = { id: due.folder_id, name: folder?.name ?? '', lease }
  let cursor = (due.checked_until ?? undefined) as Cursor | undefined
  let isDone = rules.length === 0
  for (let step = 0; step < STEPS && !isDone && !signal?.aborted; step++) {
    if (!cursor) await abortUploads(context, account, bucket, rules, at)
    const next = await expireSome(context, account, bucket, rules, cursor, at)
    isDone = next === undefined
    cursor = next
  }
  // The next evaluation is after midnight (UTC), when days end.
  const tomorrow = new Date((Math.floor(at.getTime() / DAY) + 1) * DAY)
  await settings.setChecked(context.db, due.folder_id, lease, {
    checkAt: isDone ? tomorrow : at,
    until: isDone ? undefined : cursor,
  })
}

/** @returns where to go on; undefined: the bucket was evaluated to its end */
async function expireSome(
  context: Context,
  account: Account,
  bucket: Taken,
  rules: readonly Rule[],
  cursor: Cursor | undefined,
  at: Date,
): Promise<Cursor | undefined> {
  const prefix = commonPrefix(rules)
  const { rows, from } = await read(context.db, account.userId, bucket, prefix, cursor)
  const isFull = rows.length === BATCH
  // Whether a marker has versions behind it is known only with the next row.
  if (isFull && rows.at(-1)?.isFirst && rows.at(-1)?.asset_id === null) rows.pop()
  const keys: string[] = []
  const ended: Listed[] = []
  let newer = from?.newer ?? 0
  let since = from?.since ?? 0
  for (const [index, row] of rows.entries()) {
    if (row.isFirst) newer = 0
    const came = (row.modified_at ?? row.created_at).getTime()
    const aged = { key: row.key, size: row.size, tags: tagsOf(row.tags) }
    const isMarker = row.asset_id === null
    const next = rows[index + 1]
    if (row.isFirst && !isMarker && isExpired(rules, { ...aged, modified: came }, at.getTime())) keys.push(row.key)
    if (row.isFirst && isMarker && next?.key !== row.key && isMarkerExpired(rules, row.key)) ended.push(row)
    if (!row.isFirst && !isMarker) {
      if (isVersionExpired(rules, { ...aged, since, newer }, at.getTime())) ended.push(row)
      newer += 1
    }
    since = came
  }
  const seen = new Map(rows.filter(({ isFirst }) => isFirst).map((row) => [row.key, row]))
  if (keys.length + ended.length > 0) await end(context, account, bucket, { keys, seen, ended }, at)
  const last = rows.at(-1)
  if (!last || !isFull) return undefined
  return { key: last.key, version: last.version_id ?? 'null', newer, since }
}

/** The next versions below the prefix, the newest of a key first. @returns `from`: what is known of the key that the first row is of */
async function read(
  db: Db,
  userId: number,
  bucket: Bucket,
  prefix: string,
  cursor: Cursor | undefined,
): Promise<{ rows: Listed[]; from: Cursor | undefined }> {
  const path = folderPathOf(prefix)
  const folders = await findKeyFolders(db, userId, bucket, cursor ? [prefix, cursor.key] : [prefix])
  const folderId = folders.get(path)
  if (folderId === undefined) return { rows: [], from: undefined }
  const rows: Listed[] = []
  let from: Cursor | undefined
  const ofKey = cursor && folders.get(folderPathOf(cursor.key))
  if (cursor && ofKey !== undefined) {
    const place = { folderId: ofKey, part: partsOf(cursor.key).part }
    // One that was deleted in the meantime says nothing of where to go on: the key is looked at again.
    const id = cursor.version === 'null' ? null : cursor.version
    const past = await versions.findVersion(db, userId, place, id)
    if (past) from = cursor
    const found = await versions.listOfKey(db, userId, place, past, BATCH)
    rows.push(...found.map((row, index) => ({ ...row, key: cursor.key, isFirst: !past && index === 0 })))
  }
  if (rows.length === BATCH) return { rows, from }
  const starting = prefix.slice(path.length)
  const limit = BATCH - rows.length
  const more = { after: cursor?.key ?? '', starting, grouped: false, limit }
  for (const row of await versions.listBelow(db, userId, { folderId, path }, more))
    if (!row.is_group) rows.push({ ...row, isFirst: row.nth === 1 })
  return { rows, from }
}

/** Deletes what has expired, unless it has changed since it was looked at. */
async function end(
  context: Context,
  account: Account,
  bucket: Taken,
  { keys, seen, ended }: { keys: readonly string[]; seen: ReadonlyMap<string, Listed>; ended: readonly Listed[] },
  at: Date,
): Promise<void> {
  const { userId } = account
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, userId)
    if (!(await settings.isTaken(tx, bucket.id, bucket.lease))) return
    const entries = await findEntries(tx, userId, bucket, keys)
    const ids = [...entries.values()].map(({ id }) => id)
    const current = new Map((await findObjects(tx, userId, ids)).map((row) => [row.asset_id, row]))
    const same = [...entries].flatMap(([key, { id }]) => {
      const [row, was] = [current.get(id), seen.get(key)]
      return row && was?.asset_id === id && row.version === was.version && isUnchanged(row, was) ? key : []
    })
    const { removed } = await removeKeys(context, tx, userId, bucket, same)
    const released: string[] = []
    let deleted = 0
    const versioning = await settings.versioningOf(tx, userId, bucket.id)
    const folders = await findKeyFolders(
      tx,
      userId,
      bucket,
      ended.map(({ key }) => key),
    )
    for (const was of ended) {
      const folderId = folders.get(folderPathOf(was.key))
      if (folderId === undefined) continue
      const place = { folderId, part: partsOf(was.key).part }
      const row = await versions.findVersion(tx, userId, place, was.version_id)
      const isSame = row && row.asset_id === was.asset_id && row.version === was.version && row.cid === was.cid
      // It may have become the current one.
      const isCurrent = row && row.asset_id !== null && row.row_id === null && !row.is_trashed
      if (!isSame || isCurrent) continue
      released.push(...(await removeVersion(context, tx, account, row, { versioning, at })))
      await settle(tx, userId, place)
      deleted += 1
    }
    await releaseInBatches(context, tx, account, released)
    await enforceTrashLimit(context, tx, account)
    await recordStored(tx, userId, at)
    await recordItems(tx, context, { uid: account.uid, isRule: true }, { ip: '' }, 'file.expire', removed + deleted)
  })
}

/** Rules can be about tags. */
const isUnchanged = (row: { cid: string; tags: unknown }, was: Listed) =>
  row.cid === was.cid && JSON.stringify(tagsOf(row.tags)) === JSON.stringify(tagsOf(was.tags))

const UPLOADS = 100

/** Ends uploads in parts that have taken longer than the rules allow. */
async function abortUploads(
  context: Context,
  account: Account,
  bucket: Taken,
  rules: readonly Rule[],
  at: Date,
): Promise<void> {
  for (const { abortMultipartAfterDays: days, filter } of rules) {
    if (days === undefined) continue
    const before = new Date(at.getTime() - days * DAY)
    const place = { userId: account.userId, folderId: bucket.id }
    for (let found = UPLOADS; found === UPLOADS; )
      found = await context.db.transaction(async (tx) => {
        await lockAccountForUpdate(tx, account.userId)
        if (!(await settings.isTaken(tx, bucket.id, bucket.lease))) return 0
        const ids = await uploads.findOld(tx, place, { prefix: filter.prefix ?? '', before, limit: UPLOADS })
        const cids: string[] = []
        for (const id of ids) cids.push(...(await uploads.deleteUpload(tx, id)))
        await releaseInBatches(
          context,
          tx,
          account,
          cids.filter((cid) => cid !== EMPTY_CID),
        )
        return ids.length
      })
  }
}
