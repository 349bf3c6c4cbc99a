import type { contract, Output, Parsed } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'
import { groupOf, isGreater, isGroup, ROWS_PER_STATEMENT, STATEMENTS_MAX, skipGroup } from './groups.ts'
import { etagOf, findKeyFolders, folderPathOf, partsOf, requireBucket } from './objects.ts'
import { placeOf, readVersionId } from './versions.ts'
import * as repository from './versions-repository.ts'

type Operation = (typeof contract)['s3']['versions']
type Page = Output<Operation>

type Row = { key: string; nth: number } & Awaited<ReturnType<typeof repository.listOfKey>>[number]

/** A page of versions: by key, the newest first. @throws AppError folderUnknown */
export async function listVersions(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  { prefix, delimiter, limit, after_key: afterKey, after_version: afterVersion, ...input }: Parsed<Operation>,
): Promise<Page> {
  const { userId } = caller
  const page: Page = { versions: [], prefixes: [], next_key: '', next_version: '' }
  const bucket = await requireBucket(db, caller, input.bucket)
  const path = folderPathOf(prefix)
  const folders = await findKeyFolders(db, userId, bucket, afterVersion === '' ? [prefix] : [prefix, afterKey])
  const folderId = folders.get(path)
  const isOver = !afterKey.startsWith(path) && isGreater(afterKey, path)
  if (folderId === undefined || limit === 0 || isOver) return page

  /** @returns false if the page is full */
  const add = (row: Row): boolean => {
    if (page.versions.length + page.prefixes.length === limit) return false
    page.versions.push(toListed(row))
    page.next_key = row.key
    page.next_version = row.version_id ?? 'null'
    return true
  }
  const whole = (): Page => ({ ...page, next_key: '', next_version: '' })

  const ofKey = folders.get(folderPathOf(afterKey))
  const end = delimiter === '' ? -1 : afterKey.indexOf(delimiter, prefix.length)
  if (afterVersion !== '' && ofKey !== undefined && afterKey.startsWith(prefix) && end < 0) {
    const place = { folderId: ofKey, part: partsOf(afterKey).part }
    const past = await positionOf(db, userId, place, afterVersion)
    const rows = await repository.listOfKey(db, userId, place, past, limit + 1)
    for (const [index, row] of rows.entries())
      if (!add({ ...row, key: afterKey, nth: past ? 2 : index + 1 })) return page
  }
  const isSlash = delimiter === '/'
  const starting = prefix.slice(path.length)
  const most = Math.min(ROWS_PER_STATEMENT, limit + 1)
  // A page may end at a group.
  let group = !isSlash && isGroup(afterKey, prefix, delimiter) ? afterKey : undefined
  let last = group === undefined ? afterKey : skipGroup(group, afterKey)
  for (let steps = 0; steps < STATEMENTS_MAX; steps++) {
    const after = last.startsWith(path) ? last : ''
    const below = { after, starting, grouped: isSlash, limit: most }
    const rows = await repository.listBelow(db, userId, { folderId, path }, below)
    for (const row of rows) {
      if (group !== undefined && row.key.startsWith(group)) continue
      group = row.is_group ? undefined : groupOf(row.key, prefix, delimiter)
      if (!row.is_group && group === undefined) {
        if (!add(row)) return page
        continue
      }
      if (page.versions.length + page.prefixes.length === limit) return page
      page.next_key = group ?? row.key
      page.next_version = ''
      page.prefixes.push(page.next_key)
    }
    const end = rows.at(-1)
    if (!end || rows.length < most) return whole()
    last = group === undefined ? end.key : skipGroup(group, end.key)
    if (end.is_group || group !== undefined) continue
    // The key may have more versions.
    const place = await placeOf(db, userId, bucket, end.key)
    const room = limit + 1 - page.versions.length - page.prefixes.length
    const more = place ? await repository.listOfKey(db, userId, place, end, room) : []
    for (const row of more) if (!add({ ...row, key: end.key, nth: 2 })) return page
  }
  return page.next_key === '' ? { ...page, next_key: last } : page
}

function toListed(row: Row): Page['versions'][number] {
  const isMarker = row.asset_id === null
  return {
    key: row.key,
    version_id: row.version_id ?? 'null',
    marker: isMarker,
    latest: row.nth === 1,
    size: row.size,
    etag: isMarker ? '' : etagOf({ ...row, etag: row.etag ?? null }),
    modified: (row.modified_at ?? row.created_at).toISOString(),
  }
}

/** @returns undefined if it was deleted in the meantime: then all versions that the key still has are behind it */
async function positionOf(
  db: Db,
  userId: number,
  place: { folderId: number; part: string },
  versionId: string,
): Promise<repository.Position | undefined> {
  const id = readVersionId(versionId)
  return id === undefined ? undefined : repository.findVersion(db, userId, place, id)
}
