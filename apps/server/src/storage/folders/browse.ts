import type { contract, Group, Lang, ListItem, Output, Parsed } from '@tidenet/contract'
import { readCid } from '../../platform/cids.ts'
import { isDataException } from '../../platform/db/db.ts'
import { hasPermission, type Member } from '../../platform/http/callers.ts'
import { type Owner, overviewsOf } from '../assets/overview.ts'
import type { Context } from '../context.ts'
import { visiblePath } from '../folder-scope/visible-path.ts'
import { badCursor, type Cursor, readCursor, writeCursor } from '../tree/cursors.ts'
import { requireFolder, toWireGroup } from '../tree/listing.ts'
import * as tree from '../tree/tree.ts'

type Deps = Pick<Context, 'db'>
type Folders = (typeof contract)['folders']
type Listing = Parsed<Folders['contents']>

/** Whether a listing is requested in another way than newest first, by page number. */
export const isBrowsing = ({ sort, direction, kind, shared, encrypted, after, cid, groupid }: Listing): boolean =>
  [sort, direction, kind, shared, encrypted, after, cid, groupid].some((option) => option !== undefined)

const GROUPS = 0
const FILES = 1

/**
 * Lists a folder sorted or filtered: folders, then files. A page with `after` costs the same at any depth.
 * @throws AppError folderUnknown, badCid, invalidParams for a malformed cursor
 */
export async function browse(
  context: Deps,
  owner: Owner,
  lang: Lang,
  asked: Listing,
): Promise<Output<Folders['contents']>> {
  const { db } = context
  const { parent, page, page_size } = asked
  const input = { ...asked, cid: asked.cid && readCid(asked.cid).text }
  await requireFolder(context, owner.userId, parent)
  const sort = input.sort ?? 'date'
  const down = input.direction ? input.direction === 'desc' : sort !== 'name'
  const order = orderOf(input, sort, down)
  const after = readCursor(input.after, order)
  // Counted for the first page only; cursors carry the total.
  const count = after ? { groups: 0, files: after.total } : await countOf(db, owner.userId, parent, input)
  const total = count.groups + count.files
  // Without a cursor, rows of earlier pages are skipped.
  let offset = after ? 0 : (page - 1) * page_size
  let left = page_size + 1
  let groups: (tree.FolderRow & { key: string })[] = []
  if (tree.includesFolders(input) && (!after || after.part === GROUPS)) {
    groups = await rejectForgedCursor(
      tree.sortGroups(db, owner.userId, parent, input, { sort, down, after, offset, limit: left }),
    )
    offset = Math.max(0, offset - count.groups)
    left -= groups.length
  }
  const files =
    tree.includesFiles(input) && left > 0
      ? await rejectForgedCursor(
          tree.sortFiles(db, owner.userId, parent, input, {
            sort,
            down,
            after: after?.part === FILES ? after : undefined,
            offset,
            limit: left,
          }),
        )
      : []
  const rows: Cursor[] = [
    ...groups.map(({ key, id }) => ({ part: GROUPS, key, id })),
    ...files.map(({ key, id }) => ({ part: FILES, key, id })),
  ]
  const last = rows.length > page_size ? rows[page_size - 1] : undefined
  const shownGroups = groups.slice(0, page_size)
  const overviews = await overviewsOf(
    db,
    owner,
    lang,
    files.slice(0, page_size - shownGroups.length).map(({ id }) => id),
  )
  return {
    list: [...shownGroups.map((folder) => folderItem(folder, owner)), ...overviews.map(fileItem)],
    total,
    ...(last && { next: writeCursor(last, order, total) }),
  }
}

/** Identifies a listing: a cursor is valid only for the listing that it was made for. */
const orderOf = (listing: Listing, sort: tree.Sort, down: boolean): string => {
  const { parent, kind, shared, encrypted, cid, groupid } = listing
  const narrowed = cid === undefined && groupid === undefined ? [] : [cid, groupid]
  return [parent, sort, down ? 'desc' : 'asc', kind, shared, encrypted, ...narrowed].join(' ')
}

/** The key of a forged cursor may not be a valid size or date. @throws AppError invalidParams */
const rejectForgedCursor = <T>(rows: Promise<T>): Promise<T> =>
  rows.catch((error: unknown) => {
    throw isDataException(error) ? badCursor() : error
  })

/** Without a filter, the stored counters have the totals. */
async function countOf(db: Context['db'], userId: number, parent: number, filter: tree.Filter) {
  if ([filter.kind, filter.shared, filter.encrypted, filter.cid, filter.groupid].some((option) => option !== undefined))
    return tree.countSorted(db, userId, parent, filter)
  const { folders, files } = await tree.countContents(db, userId, parent)
  return { groups: folders, files }
}

const folderItem = (folder: tree.FolderRow, owner: Owner): ListItem => ({
  AssetOverview: null,
  Group: toWireGroup(folder, owner.uid),
})
const fileItem = (AssetOverview: ListItem['AssetOverview']): ListItem => ({ AssetOverview, Group: null })

/** The `order` of search cursors. */
const SEARCH = 'search'
/** Folders that a search returns at most. */
const GROUPS_MAX = 50

/** Normalizes text for search: Unicode compatibility forms, case and repeated blanks make no difference. */
export const foldedText = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

/**
 * Finds files and folders whose names contain every word; names that begin with the search text come first. An API key that may not
 * read folders finds only files, without their paths.
 */
export async function search(
  { db }: Deps,
  caller: Member,
  lang: Lang,
  input: Parsed<Folders['search']>,
): Promise<Output<Folders['search']>> {
  const text = foldedText(input.q)
  if (text === '') return { list: [] }
  const after = readCursor(input.after, SEARCH)
  const { folders } = caller
  const wanted = { text, words: text.split(' '), filter: input, prefix: true, folders, limit: input.page_size + 1 }
  const groups =
    !after && tree.includesFolders(input) && hasPermission(caller, 'readFolder')
      ? await tree.searchGroups(db, caller.userId, wanted, GROUPS_MAX)
      : []
  const found: Cursor[] = []
  for (const part of [0, 1]) {
    if (!tree.includesFiles(input) || found.length > input.page_size || (after?.part ?? 0) > part) continue
    const rows = await tree.searchFiles(db, caller.userId, {
      ...wanted,
      prefix: part === 0,
      after: after?.part === part ? after : undefined,
      limit: input.page_size + 1 - found.length,
    })
    found.push(...rows.map(({ key, id }) => ({ part, key, id })))
  }
  const shown = found.slice(0, input.page_size)
  const last = found.length > shown.length ? shown.at(-1) : undefined
  const files = await overviewsOf(
    db,
    caller,
    lang,
    shown.map(({ id }) => id),
  )
  const parents = hasPermission(caller, 'readFolder')
    ? [...groups.map((folder) => folder.parent_id), ...files.map((file) => file.UserAssetDetail.GroupID)].filter(
        (id) => id !== 0,
      )
    : []
  const paths = await tree.findPaths(db, caller.userId, [...new Set(parents)])
  return {
    list: [
      ...groups.map((folder) => ({
        ...folderItem(folder, caller),
        path: visiblePath(caller, paths.get(folder.parent_id) ?? []),
      })),
      ...files.map((file) => ({
        ...fileItem(file),
        path: visiblePath(caller, paths.get(file.UserAssetDetail.GroupID) ?? []),
      })),
    ],
    ...(last && { next: writeCursor(last, SEARCH) }),
  }
}

/** What a key that is limited to folders sees in the root: these folders, by name. */
export async function listKeyFolders({ db }: Deps, { userId, uid, folders }: Member): Promise<Group[]> {
  const rows = await tree.findFoldersOfIds(db, userId, folders ?? [])
  // Its parent is outside.
  return rows.map((folder) => ({ ...toWireGroup(folder, uid), Parent: 0 }))
}

/** Which of these names exist in a folder. @throws AppError folderUnknown */
export async function findNames(
  context: Deps,
  caller: Member,
  { parent, names }: Parsed<Folders['findNames']>,
): Promise<Output<Folders['findNames']>> {
  await requireFolder(context, caller.userId, parent)
  const rows = await tree.findNamed(context.db, caller.userId, parent, [...new Set(names)])
  return { list: rows.map(({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() })) }
}
