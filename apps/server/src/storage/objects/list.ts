import type { contract, Output, Parsed } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'
import { groupOf, isGreater, isGroup, ROWS_PER_STATEMENT, STATEMENTS_MAX, skipGroup } from './groups.ts'
import { etagOf, findKeyFolders, folderPathOf, requireBucket } from './objects.ts'
import { type ListedRow, listKeys } from './repository.ts'
import { listBelow } from './versions-repository.ts'

type Operation = (typeof contract)['s3']['list']
type Page = Output<Operation>

/** A page of keys in the order of their bytes. @throws AppError folderUnknown */
export async function listObjects(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  input: Parsed<Operation>,
): Promise<Page> {
  const { prefix, delimiter, limit } = input
  const bucket = await requireBucket(db, caller, input.bucket)
  const path = folderPathOf(prefix)
  const folderId = (await findKeyFolders(db, caller.userId, bucket, [prefix])).get(path)
  if (folderId === undefined || limit === 0) return { objects: [], prefixes: [], next: '' }
  // All keys below the folder are smaller.
  if (!input.after.startsWith(path) && isGreater(input.after, path)) return { objects: [], prefixes: [], next: '' }
  const at = { folderId, path }
  const starting = prefix.slice(path.length)
  const read = (after: string, most: number, grouped: boolean) =>
    listKeys(db, caller.userId, at, { after: after.startsWith(path) ? after : '', starting, grouped, limit: most })
  if (delimiter === '' || delimiter === '/') {
    const rows = await read(input.after, limit + 1, delimiter !== '')
    const page = rows.slice(0, limit)
    return {
      objects: page.flatMap((row) => toListed(row)),
      prefixes: page.flatMap((row) => (row.asset_id === null ? row.key : [])),
      next: rows.length > limit ? (page.at(-1)?.key ?? '') : '',
    }
  }
  return groupedBy(delimiter, input, (after, most) => read(after, most, false))
}

/**
 * Groups keys by any text. Reading continues past a group that has more keys than were read. Each statement adds at least one row to the
 * page, and a page that took many statements ends early, as S3 allows.
 */
async function groupedBy(
  delimiter: string,
  { prefix, after, limit }: Parsed<Operation>,
  read: (after: string, most: number) => Promise<ListedRow[]>,
): Promise<Page> {
  const page: Page = { objects: [], prefixes: [], next: '' }
  // A page may end at a group.
  let group = isGroup(after, prefix, delimiter) ? after : undefined
  let last = group === undefined ? after : skipGroup(group, after)
  let shown = ''
  const most = Math.min(ROWS_PER_STATEMENT, limit + 1)
  for (let statements = 0; statements < STATEMENTS_MAX; statements++) {
    const rows = await read(last, most)
    for (const row of rows) {
      if (group !== undefined && row.key.startsWith(group)) continue
      if (page.objects.length + page.prefixes.length === limit) return { ...page, next: shown }
      group = groupOf(row.key, prefix, delimiter)
      if (group === undefined) page.objects.push(...toListed(row))
      else page.prefixes.push(group)
      shown = group ?? row.key
    }
    const end = rows.at(-1)
    if (!end || rows.length < most) return page
    last = group === undefined ? end.key : skipGroup(group, end.key)
  }
  return { ...page, next: shown || last }
}

function toListed(row: ListedRow): Page['objects'] {
  if (row.asset_id === null) return []
  return [
    { key: row.key, size: row.size, etag: etagOf(row), modified: (row.modified_at ?? row.created_at).toISOString() },
  ]
}

/** Whether a bucket has an object, a version of one, or a delete marker. */
export const hasObjects = async (db: Db, userId: number, bucketId: number): Promise<boolean> =>
  (await listBelow(db, userId, { folderId: bucketId, path: '' }, { after: '', starting: '', grouped: false, limit: 1 }))
    .length > 0
