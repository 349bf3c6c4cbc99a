import { type AssetType, type ITEM_KINDS, SHARE, type SORTS } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { scopeOf } from '../folder-scope/scope.ts'
import { linksOfAsset, linksOfFolder } from '../links/short-links.ts'
import type { Cursor } from './cursors.ts'
import { columns, type FolderRow, withTotals } from './repository.ts'

export type Sort = (typeof SORTS)[number]
export type ItemKind = (typeof ITEM_KINDS)[number]

export interface Filter {
  kind?: ItemKind | undefined
  shared?: boolean | undefined
  encrypted?: boolean | undefined
  /** Only files with this content; and only the folder with this number. */
  cid?: string | undefined
  groupid?: number | undefined
}

const endings: Partial<Record<ItemKind, string[]>> = {
  image: 'jpg jpeg png gif webp avif svg bmp tif tiff heic ico'.split(' '),
  video: 'mp4 m4v mov mkv webm avi mpg mpeg ogv'.split(' '),
  audio: 'mp3 m4a aac flac ogg opus wav wma'.split(' '),
  document: 'pdf doc docx xls xlsx ppt pptx odt ods odp rtf txt md csv tex epub pages numbers key'.split(' '),
}

/** Whether folders can match the filter. */
export const includesFolders = ({ kind, encrypted, cid, groupid }: Filter): boolean =>
  (kind === undefined || kind === 'group') && encrypted !== true && (cid === undefined || groupid !== undefined)
export const includesFiles = ({ kind, cid, groupid }: Filter): boolean =>
  kind !== 'group' && (groupid === undefined || cid !== undefined)

/** An item is shared if any link opens it. */
const sharedFilter = (shared: boolean | undefined, status: Sql, links: Sql): Sql =>
  shared === undefined ? none : sql`and (${status} = ${SHARE.on} or ${links} > 0) = ${shared}`

function fileFilter({ kind, shared, encrypted, cid }: Filter): Sql {
  const ending = kind && endings[kind]
  return sql`
    ${kind === 'file' || kind === 'folder' ? sql`and a.kind = ${kind}` : ending ? sql`and a.kind = 'file' and a.ending = any(${ending})` : none}
    ${sharedFilter(shared, sql`a.share_status`, linksOfAsset)}
    ${cid === undefined ? none : sql`and a.cid = ${cid}`}
    ${encrypted === undefined ? none : sql`and a.encrypted = ${encrypted}`}`
}

const groupFilter = ({ shared, groupid }: Filter): Sql => sql`
  ${sharedFilter(shared, sql`f.share_status`, linksOfFolder)}
  ${groupid === undefined ? none : sql`and f.id = ${groupid}`}`

const descending = (down: boolean): Sql => (down ? sql`desc` : none)
const beyond = (down: boolean): Sql => (down ? sql`<` : sql`>`)

const fileKeys: Record<Sort, { key: Sql; cast: Sql }> = {
  name: { key: sql`a.name collate by_name`, cast: sql`text collate by_name` },
  size: { key: sql`a.size`, cast: sql`bigint` },
  date: { key: sql`a.created_at`, cast: sql`timestamptz` },
}
const groupKeys: Record<Sort, { key: Sql; cast: Sql }> = {
  name: { key: sql`f.name collate by_name`, cast: sql`text collate by_name` },
  size: { key: sql`coalesce(t.bytes, 0)::bigint`, cast: sql`bigint` },
  date: { key: sql`f.created_at`, cast: sql`timestamptz` },
}

export interface Order {
  sort: Sort
  down: boolean
  /** Start after this row; without it, start at the beginning and skip `offset` rows. */
  after?: Cursor | undefined
  offset: number
  limit: number
}

/** Ids of the files of a folder with their sort keys. Each order has an index. */
export function sortFiles(db: Db, userId: number, folderId: number, filter: Filter, order: Order) {
  const { key, cast } = fileKeys[order.sort]
  const { after, down } = order
  return db.rows<{ id: number; key: string }>(sql`
    select a.id, (${key})::text as key from assets a
    where a.user_id = ${userId} and a.folder_id = ${folderId} ${fileFilter(filter)}
      ${after ? sql`and (${key}, a.id) ${beyond(down)} (${after.key}::${cast}, ${after.id}::bigint)` : none}
    order by ${key} ${descending(down)}, a.id ${descending(down)} limit ${order.limit} offset ${order.offset}`)
}

/** Subfolders of a folder, sorted. No index: an account has at most ten thousand folders. */
export function sortGroups(db: Db, userId: number, parentId: number, filter: Filter, order: Order) {
  const { key, cast } = groupKeys[order.sort]
  const { after, down } = order
  return db.rows<FolderRow & { key: string }>(sql`
    select ${columns}, (${key})::text as key from ${withTotals}
    where f.user_id = ${userId} and f.parent_id = ${parentId} ${groupFilter(filter)}
      ${after ? sql`and (${key}, f.id) ${beyond(down)} (${after.key}::${cast}, ${after.id}::bigint)` : none}
    order by ${key} ${descending(down)}, f.id ${descending(down)} limit ${order.limit} offset ${order.offset}`)
}

export const countSorted = (db: Db, userId: number, folderId: number, filter: Filter) =>
  db.one<{ groups: number; files: number }>(sql`
    select ${
      includesFolders(filter)
        ? sql`(select count(*) from folders f where f.user_id = ${userId} and f.parent_id = ${folderId} ${groupFilter(filter)})`
        : sql`0::bigint`
    } as groups, ${
      includesFiles(filter)
        ? sql`(select count(*) from assets a where a.user_id = ${userId} and a.folder_id = ${folderId} ${fileFilter(filter)})`
        : sql`0::bigint`
    } as files`)

const words = (column: Sql, list: readonly string[]): Sql =>
  list.reduce((all, word) => sql`${all} and position(${word} in ${column}) > 0`, none)

/** Sorts after every text with this prefix, in byte order. */
const endOf = (start: string): string => `${start}\u{10ffff}`

export interface Wanted {
  /** The search text, normalized by `foldedText`; and its words. */
  text: string
  words: readonly string[]
  filter: Filter
  /** True: names that begin with the text; false: names that only contain it. */
  prefix: boolean
  /** Only below these folders; null: everywhere. */
  folders: readonly number[] | null
  after?: Cursor | undefined
  limit: number
}

/** Files of all folders with matching names. Prefixes use the index; other matches scan the names in the index, not the rows. */
export const searchFiles = (
  db: Db,
  userId: number,
  { text, words: list, filter, prefix, folders, after, limit }: Wanted,
) =>
  db.rows<{ id: number; key: string }>(sql`
    select a.id, a.folded as key from assets a
    where a.user_id = ${userId}
      ${prefix ? sql`and a.folded >= ${text} and a.folded < ${endOf(text)}` : sql`and not starts_with(a.folded, ${text}) ${words(sql`a.folded`, list)}`}
      ${fileFilter(filter)}
      ${folders ? sql`and a.folder_id in ${scopeOf(userId, folders)}` : none}
      ${after ? sql`and (a.folded, a.id) > (${after.key} collate "C", ${after.id}::bigint)` : none}
    order by a.folded, a.id limit ${limit}`)

export const searchGroups = (db: Db, userId: number, { text, words: list, filter, folders }: Wanted, limit: number) =>
  db.rows<FolderRow>(sql`
    select ${columns} from ${withTotals}
    where f.user_id = ${userId} ${words(sql`f.folded`, list)} ${groupFilter(filter)}
      ${folders ? sql`and f.parent_id in ${scopeOf(userId, folders)}` : none}
    order by not starts_with(f.folded, ${text}), f.folded, f.id limit ${limit}`)

/** These folders of the account, by name. */
export const findFoldersOfIds = (db: Db, userId: number, ids: readonly number[]) =>
  db.rows<FolderRow>(sql`
    select ${columns} from ${withTotals} where f.user_id = ${userId} and f.id = any(${ids}) order by f.name collate by_name, f.id`)

/** What is below a folder, with the files in it. Reads a row of each folder, of which an account has ten thousand at most. */
export const countBelow = (db: Db, userId: number, folderId: number) =>
  db.one<{ folders: number; files: number; bytes: number }>(sql`
    select count(*) - 1 as folders, coalesce(sum(t.files), 0)::bigint as files, coalesce(sum(t.bytes), 0)::bigint as bytes
    from ${scopeOf(userId, [folderId])} s left join folder_totals t on t.user_id = ${userId} and t.folder_id = s.id`)

/** The path of each folder from the root, including itself. */
export async function findPaths(
  db: Db,
  userId: number,
  folderIds: readonly number[],
): Promise<Map<number, { ID: number; Name: string }[]>> {
  if (folderIds.length === 0) return new Map()
  const rows = await db.rows<{ leaf: number; id: number; name: string }>(sql`
    with recursive up as (
      select id as leaf, id, parent_id, name, 0 as height from folders where user_id = ${userId} and id = any(${folderIds})
      union all
      select up.leaf, f.id, f.parent_id, f.name, up.height + 1
      from up join folders f on f.id = up.parent_id and f.user_id = ${userId}
    )
    select leaf, id, name from up order by leaf, height desc`)
  const paths = new Map<number, { ID: number; Name: string }[]>()
  for (const { leaf, id, name } of rows) paths.set(leaf, [...(paths.get(leaf) ?? []), { ID: id, Name: name }])
  return paths
}

/** What has one of these names in a folder. */
export const findNamed = (db: Db, userId: number, folderId: number, names: readonly string[]) =>
  db.rows<{
    name: string
    kind: AssetType | 'group'
    id: string
    asset_id: number
    size: number
    created_at: Date
  }>(sql`
    select name, kind, cid as id, id as asset_id, size, created_at from assets
    where user_id = ${userId} and folder_id = ${folderId} and name collate by_name = any(${names})
    union all
    select f.name, 'group', f.id::text, 0::bigint, coalesce(t.bytes, 0)::bigint, f.created_at from ${withTotals}
    where f.user_id = ${userId} and f.parent_id = ${folderId} and f.name = any(${names})`)

const treeOf = (userId: number, folderIds: readonly number[]): Sql => sql`
  tree as (
    select id, name::text as path from folders where user_id = ${userId} and id = any(${folderIds})
    union
    select f.id, tree.path || '/' || f.name from tree join folders f on f.user_id = ${userId} and f.parent_id = tree.id
  ), placed as (select distinct on (id) id, path from tree order by id, length(path) desc)`

/** These files, and all files below these folders, ordered by id, with their paths. Each folder is read by its index. */
export const findBelow = (
  db: Db,
  userId: number,
  assetIds: readonly number[],
  folderIds: readonly number[],
  after: number,
  limit: number,
) =>
  db.rows<{ asset_id: number; cid: string; kind: AssetType; path: string; size: number; encrypted: boolean }>(sql`
    with recursive ${treeOf(userId, folderIds)}, found as (
      select id from assets where user_id = ${userId} and id = any(${assetIds}) and id > ${after}
      union
      (select a.id from placed p cross join lateral (
        select id from assets where user_id = ${userId} and folder_id = p.id and id > ${after} order by id limit ${limit}
      ) a order by a.id limit ${limit})
    ), page as (
      select id from found order by id limit ${limit}
    )
    select a.id as asset_id, a.cid, a.kind, coalesce(p.path || '/', '') || a.name as path, a.size, a.encrypted
    from page join assets a on a.id = page.id left join placed p on p.id = a.folder_id
    order by a.id`)

/** Paths of empty folders among these and below them. */
export const findEmptyBelow = async (db: Db, userId: number, folderIds: readonly number[]): Promise<string[]> =>
  (
    await db.rows<{ path: string }>(sql`
      with recursive ${treeOf(userId, folderIds)}
      select p.path from placed p
      where not exists (select 1 from assets a where a.user_id = ${userId} and a.folder_id = p.id)
        and not exists (select 1 from folders f where f.user_id = ${userId} and f.parent_id = p.id)
      order by p.path`)
  ).map((row) => row.path)
