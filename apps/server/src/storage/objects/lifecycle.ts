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
import { type Bucket, findKeyFolders, folderPathOf, partsOf, tagsOf } from './objects.ts'
import { removeKeys } from './remove.ts'
import { findDetails } from './repository.ts'
import * as settings from './settings-repository.ts'
import * as uploads from './uploads-repository.ts'
import { removeVersion, settle } from './versions.ts'
import * as versions from './versions-repository.ts'
import { EMPTY_CID } from './write-empty.ts'

/**
 * Versions that are looked at in one step, and steps of a bucket before another one gets its turn. What has expired is deleted while the
 * account is locked, so a step is small.
 */
const BATCH = 50
const STEPS = 200
/** The greatest number of noncurrent versions that a rule keeps. */
const KEEP_MAX = 100
/** A server that stopped has not finished: another one goes on then. */
const LEASE = 10 * 60_000

/** Where an evaluation goes on. */
interface Cursor {
  key: string
  /** Its last version that was looked at. */
  version: string
}
/** No key is empty: everything is behind it. */
const START: Cursor = { key: '', version: 'null' }

type Listed = Awaited<ReturnType<typeof versions.listOfKey>>[number] & { key: string; isFirst: boolean }
type Account = { userId: number; uid: string }
/** A bucket whose rules are in force for as long as it has the lease: changing them ends it. */
type Taken = Bucket & { lease: Date }

/** Does what the rules of buckets say. Several servers may run it at the same time. */
export async function expireObjects(context: Context, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const at = now(context)
    const lease = new Date(at.getTime() + LEASE)
    const due = await settings.claimDueBucket(context.db, at, lease)
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
  const { uid, locked } = await findAccountUsage(context.db, due.user_id)
  const account = { userId: due.user_id, uid }
  const folder = await tree.findFolder(context.db, due.user_id, due.folder_id)
  const bucket = { id: due.folder_id, name: folder?.name ?? '', lease }
  let cursor = (due.checked_until ?? undefined) as Cursor | undefined
  // An owner who cannot sign in cannot stop a rule: nothing is deleted until the account is unlocked.
  let isDone = rules.length === 0 || locked
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
  const look = (db: Db) => lookAt(db, account.userId, bucket, rules, cursor, at)
  let seen = await look(context.db)
  let deleted = 0
  if (seen.keys.length + seen.ended.length > 0)
    await context.db.transaction(async (tx) => {
      await lockAccountForUpdate(tx, account.userId)
      deleted = 0
      if (!(await settings.isTaken(tx, bucket.id, bucket.lease))) return
      // Nothing is deleted for what it was before the account was locked: it may have other tags, and other versions in front of it.
      seen = await look(tx)
      deleted = await end(context, tx, account, bucket, seen, at)
    })
  const { rows, ended, isFull } = seen
  if (!isFull) return undefined
  // What was deleted says nothing any more of where to go on.
  const last = deleted === 0 ? rows.at(-1) : rows.findLast((row) => !ended.includes(row))
  return last ? { key: last.key, version: last.version_id ?? 'null' } : (cursor ?? START)
}

interface Seen {
  rows: readonly Listed[]
  /** Whether more may follow. */
  isFull: boolean
  /** Keys whose current object has expired. */
  keys: readonly string[]
  /** Versions and delete markers that have expired. */
  ended: readonly Listed[]
}

/** The next versions, and which of them have expired. */
async function lookAt(
  db: Db,
  userId: number,
  bucket: Bucket,
  rules: readonly Rule[],
  cursor: Cursor | undefined,
  at: Date,
): Promise<Seen> {
  const { rows, front } = await read(db, userId, bucket, commonPrefix(rules), cursor)
  const isFull = rows.length === BATCH
  // Whether a marker has versions behind it is known only with the next row.
  if (isFull && rows.at(-1)?.isFirst && rows.at(-1)?.asset_id === null) rows.pop()
  const keys: string[] = []
  const ended: Listed[] = []
  let { newer, since } = front
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
  return { rows, isFull, keys, ended }
}

/** What is in front of a version: noncurrent versions of its key, and when the next newer one came (Unix ms). */
interface Front {
  newer: number
  since: number
}

/** The next versions below the prefix, the newest of a key first. @returns `front`: what is in front of the first row */
async function read(
  db: Db,
  userId: number,
  bucket: Bucket,
  prefix: string,
  cursor: Cursor | undefined,
): Promise<{ rows: Listed[]; front: Front }> {
  const path = folderPathOf(prefix)
  const folders = await findKeyFolders(db, userId, bucket, cursor ? [prefix, cursor.key] : [prefix])
  const folderId = folders.get(path)
  const rows: Listed[] = []
  let front: Front = { newer: 0, since: 0 }
  if (folderId === undefined) return { rows, front }
  const ofKey = cursor && folders.get(folderPathOf(cursor.key))
  if (cursor && ofKey !== undefined) {
    const place = { folderId: ofKey, part: partsOf(cursor.key).part }
    // One that was deleted in the meantime says nothing of where to go on: the key is looked at again.
    const id = cursor.version === 'null' ? null : cursor.version
    const past = await versions.findVersion(db, userId, place, id)
    if (past) front = await frontBehind(db, userId, place, past)
    const found = await versions.listOfKey(db, userId, place, past, BATCH)
    rows.push(...found.map((row, index) => ({ ...row, key: cursor.key, isFirst: !past && index === 0 })))
  }
  if (rows.length === BATCH) return { rows, front }
  const starting = prefix.slice(path.length)
  const limit = BATCH - rows.length
  const more = { after: cursor?.key ?? '', starting, grouped: false, limit }
  for (const row of await versions.listBelow(db, userId, { folderId, path }, more))
    if (!row.is_group) rows.push({ ...row, isFirst: row.nth === 1 })
  return { rows, front }
}

/** What is in front of the version behind this one. Not counted beyond what rules can keep. */
async function frontBehind(
  db: Db,
  userId: number,
  place: { folderId: number; part: string },
  past: versions.VersionRow,
): Promise<Front> {
  const details = past.asset_id === null ? undefined : await findDetails(db, past.asset_id, past.version)
  const since = (details?.modified_at ?? past.created_at).getTime()
  let newer = 0
  // Markers are not counted, so any number of rows can be needed.
  let last: versions.Position | undefined
  for (let isFirst = true; newer <= KEEP_MAX; isFirst = false) {
    const rows = await versions.listOfKey(db, userId, place, last, KEEP_MAX)
    const until = rows.findIndex((row) => isSamePosition(row, past))
    const inFront = until < 0 ? rows : rows.slice(0, until + 1)
    newer += inFront.slice(isFirst ? 1 : 0).filter((row) => row.asset_id !== null).length
    last = rows.at(-1)
    if (until >= 0 || rows.length < KEEP_MAX) break
  }
  return { newer, since }
}

const isSamePosition = (a: versions.Position, b: versions.Position): boolean =>
  a.deletion === b.deletion && a.step === b.step && a.version === b.version

/** Deletes what has expired in a locked account. @returns how much that was */
async function end(
  context: Context,
  tx: Db,
  account: Account,
  bucket: Taken,
  { keys, ended }: Seen,
  at: Date,
): Promise<number> {
  const { userId } = account
  const { removed } = await removeKeys(context, tx, userId, bucket, keys)
  const released: string[] = []
  let deleted = 0
  const versioning = await settings.versioningOf(tx, userId, bucket.id)
  const folders = await findKeyFolders(
    tx,
    userId,
    bucket,
    ended.map(({ key }) => key),
  )
  for (const { key, version_id } of ended) {
    const folderId = folders.get(folderPathOf(key))
    if (folderId === undefined) continue
    const place = { folderId, part: partsOf(key).part }
    // Deleting those before may have moved it.
    const row = await versions.findVersion(tx, userId, place, version_id)
    const isCurrent = row && row.asset_id !== null && row.row_id === null && !row.is_trashed
    if (!row || isCurrent) continue
    released.push(...(await removeVersion(context, tx, account, row, { versioning, at })))
    await settle(tx, userId, place)
    deleted += 1
  }
  await releaseInBatches(context, tx, account, released)
  await enforceTrashLimit(context, tx, account)
  await recordStored(tx, userId, at)
  await recordItems(tx, context, { uid: account.uid, isRule: true }, { ip: '' }, 'file.expire', removed + deleted)
  return removed + deleted
}

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
