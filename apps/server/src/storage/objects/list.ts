import type { contract, Output, Parsed } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'
import { etagOf, findKeyFolders, folderPathOf, requireBucket } from './objects.ts'
import { type ListedRow, listKeys } from './repository.ts'
import { listBelow } from './versions-repository.ts'

type Operation = (typeof contract)['s3']['list']
type Page = Output<Operation>

/** Greater than every key that begins with the prefix. */
const LAST = '\u{10ffff}'

const isGreater = (a: string, b: string): boolean => Buffer.compare(Buffer.from(a), Buffer.from(b)) > 0

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

/** Groups keys by any text: behind each group, reading continues after all keys of it. */
async function groupedBy(
  delimiter: string,
  { prefix, after, limit }: Parsed<Operation>,
  read: (after: string, most: number) => Promise<ListedRow[]>,
): Promise<Page> {
  const page: Page = { objects: [], prefixes: [], next: '' }
  let last = after
  let shown = ''
  // A page may end at a group.
  if (last.endsWith(delimiter) && last.startsWith(prefix) && last.length > prefix.length) last += LAST
  // Behind a group, most rows can be those of the next group: only as many are read as were needed.
  for (let most = limit + 1; ; ) {
    const rows = await read(last, most)
    let skips = false
    for (const row of rows) {
      if (page.objects.length + page.prefixes.length === limit) {
        page.next = shown
        return page
      }
      const end = row.key.indexOf(delimiter, prefix.length)
      if (end < 0) {
        page.objects.push(...toListed(row))
        last = shown = row.key
        continue
      }
      const group = row.key.slice(0, end + delimiter.length)
      page.prefixes.push(group)
      shown = group
      last = group + LAST
      skips = true
      break
    }
    if (!skips && rows.length < most) return page
    most = skips ? 1 : Math.min(2 * most, limit + 1)
  }
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
