import type { contract, Lang, ListItem, Output, Parsed } from '@tidenet/contract'
import { isDataException } from '../../platform/db/db.ts'
import { hasPermission, type Member } from '../../platform/http/callers.ts'
import { type Owner, overviewsOf } from '../assets/overview.ts'
import type { Context } from '../context.ts'
import { badCursor, type Cursor, readCursor, writeCursor } from '../tree/cursors.ts'
import { demandFolder, groupOf } from '../tree/listing.ts'
import * as tree from '../tree/tree.ts'

type Needs = Pick<Context, 'db'>
type Folders = (typeof contract)['folders']
type Listing = Parsed<Folders['contents']>

/** Whether a listing is asked for in another way than newest first, by pages. */
export const isBrowsing = ({ sort, direction, kind, shared, encrypted, after }: Listing): boolean =>
  [sort, direction, kind, shared, encrypted, after].some((option) => option !== undefined)

const GROUPS = 0
const FILES = 1

/**
 * A folder in another order, or some of it: folders, then files. A page with `after` costs the same however far down it lies.
 * @throws AppError folderUnknown, invalidParams for a cursor that is none
 */
export async function browse(
  context: Needs,
  owner: Owner,
  lang: Lang,
  input: Listing,
): Promise<Output<Folders['contents']>> {
  const { db } = context
  const { parent, page, page_size } = input
  await demandFolder(context, owner.userId, parent)
  const sort = input.sort ?? 'date'
  const down = input.direction ? input.direction === 'desc' : sort !== 'name'
  const order = orderOf(input, sort, down)
  const after = readCursor(input.after, order)
  // Counted once, for the first page: what follows carries it along.
  const count = after ? { groups: 0, files: after.total } : await countOf(db, owner.userId, parent, input)
  const total = count.groups + count.files
  // Without a place to go on from, pages are counted off.
  let passed = after ? 0 : (page - 1) * page_size
  let left = page_size + 1
  let groups: (tree.FolderRow & { key: string })[] = []
  if (tree.showsGroups(input) && (!after || after.part === GROUPS)) {
    groups = await fitting(
      tree.sortGroups(db, owner.userId, parent, input, { sort, down, after, offset: passed, limit: left }),
    )
    passed = Math.max(0, passed - count.groups)
    left -= groups.length
  }
  const files =
    tree.showsFiles(input) && left > 0
      ? await fitting(
          tree.sortFiles(db, owner.userId, parent, input, {
            sort,
            down,
            after: after?.part === FILES ? after : undefined,
            offset: passed,
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

/** What a page has to have in common with the one before: the place it goes on from, and how much there is, mean nothing elsewhere. */
const orderOf = ({ parent, kind, shared, encrypted }: Listing, sort: tree.Sort, down: boolean): string =>
  [parent, sort, down ? 'desc' : 'asc', kind, shared, encrypted].join(' ')

/** A cursor may have been made up: what it was ordered by is then no size, or no date. */
const fitting = <T>(rows: Promise<T>): Promise<T> =>
  rows.catch((error: unknown) => {
    throw isDataException(error) ? badCursor() : error
  })

/** Without a filter the counters know. */
async function countOf(db: Context['db'], userId: number, parent: number, filter: tree.Filter) {
  if ([filter.kind, filter.shared, filter.encrypted].some((option) => option !== undefined))
    return tree.countSorted(db, userId, parent, filter)
  const { folders, files } = await tree.countContents(db, userId, parent)
  return { groups: folders, files }
}

const folderItem = (folder: tree.FolderRow, owner: Owner): ListItem => ({
  AssetOverview: null,
  Group: groupOf(folder, owner.uid),
})
const fileItem = (AssetOverview: ListItem['AssetOverview']): ListItem => ({ AssetOverview, Group: null })

/** The order of what was found. */
const SEARCH = 'search'
/** Folders shown above the files that a search finds. */
const GROUPS_MAX = 50

/** What is compared: compatible forms, case and the number of blanks make no difference. */
export const foldedText = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

/**
 * Files and folders of all folders whose names have every word; those that begin with what is looked for come first. A key that
 * may not read folders finds files alone, and is not told where they lie.
 */
export async function search(
  { db }: Needs,
  caller: Member,
  lang: Lang,
  input: Parsed<Folders['search']>,
): Promise<Output<Folders['search']>> {
  const text = foldedText(input.q)
  if (text === '') return { list: [] }
  const after = readCursor(input.after, SEARCH)
  const wanted = { text, words: text.split(' '), filter: input, first: true, limit: input.page_size + 1 }
  const groups =
    !after && tree.showsGroups(input) && hasPermission(caller, 'readFolder')
      ? await tree.searchGroups(db, caller.userId, wanted, GROUPS_MAX)
      : []
  const found: Cursor[] = []
  for (const part of [0, 1]) {
    if (!tree.showsFiles(input) || found.length > input.page_size || (after?.part ?? 0) > part) continue
    const rows = await tree.searchFiles(db, caller.userId, {
      ...wanted,
      first: part === 0,
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
  const homes = hasPermission(caller, 'readFolder')
    ? [...groups.map((folder) => folder.parent_id), ...files.map((file) => file.UserAssetDetail.GroupID)].filter(
        (id) => id !== 0,
      )
    : []
  const paths = await tree.findPaths(db, caller.userId, [...new Set(homes)])
  return {
    list: [
      ...groups.map((folder) => ({ ...folderItem(folder, caller), path: paths.get(folder.parent_id) ?? [] })),
      ...files.map((file) => ({ ...fileItem(file), path: paths.get(file.UserAssetDetail.GroupID) ?? [] })),
    ],
    ...(last && { next: writeCursor(last, SEARCH) }),
  }
}

/** Which of these names there are in a folder. @throws AppError folderUnknown */
export async function findNames(
  context: Needs,
  caller: Member,
  { parent, names }: Parsed<Folders['findNames']>,
): Promise<Output<Folders['findNames']>> {
  await demandFolder(context, caller.userId, parent)
  const rows = await tree.findNamed(context.db, caller.userId, parent, [...new Set(names)])
  return { list: rows.map(({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() })) }
}
