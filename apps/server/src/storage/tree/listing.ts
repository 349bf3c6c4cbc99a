import { AppError, type AssetOverview, type Group, type Lang, type ListItem, SHARE } from '@tidenet/contract'
import { type Owner, overviewsOf } from '../assets/overview.ts'
import type { Context } from '../context.ts'
import { countContents, type FolderRow, findFileIds, findFolder, findFolders } from './repository.ts'

type Deps = Pick<Context, 'db'>

export interface Paging {
  /** From 1. */
  page: number
  page_size: number
}

/** A folder in the format of the API. */
export const toWireGroup = (folder: FolderRow, uid: string): Group => ({
  ID: folder.id,
  UserID: uid,
  Name: folder.name,
  Parent: folder.parent_id,
  AssetCount: folder.files,
  AssetSize: folder.bytes,
  CreatedTime: folder.created_at.toISOString(),
  ShareStatus: folder.shared ? SHARE.on : SHARE.off,
  links: folder.links,
  VistitCount: folder.downloads,
  VisitCount: folder.downloads,
  Encrypted: folder.encrypted,
})

/** @throws AppError folderUnknown */
export async function requireFolder({ db }: Deps, userId: number, folderId: number): Promise<void> {
  if (folderId !== 0 && !(await findFolder(db, userId, folderId))) throw new AppError('folderUnknown')
}

/** Folders, then files of a folder, each newest first, as one list. @throws AppError folderUnknown */
export async function listContents(
  context: Deps,
  owner: Owner,
  lang: Lang,
  folderId: number,
  { page, page_size }: Paging,
): Promise<{ list: ListItem[]; total: number }> {
  await requireFolder(context, owner.userId, folderId)
  const count = await countContents(context.db, owner.userId, folderId)
  const offset = (page - 1) * page_size
  const groups = offset < count.folders ? await findFolders(context.db, owner.userId, folderId, page_size, offset) : []
  const files = await filePage(
    context,
    owner,
    lang,
    folderId,
    page_size - groups.length,
    Math.max(0, offset - count.folders),
  )
  return {
    list: [
      ...groups.map((folder) => ({ AssetOverview: null, Group: toWireGroup(folder, owner.uid) })),
      ...files.map((file) => ({ AssetOverview: file, Group: null })),
    ],
    total: count.folders + count.files,
  }
}

/** The folders directly below a folder, newest first. @throws AppError folderUnknown */
export async function listFolders(
  context: Deps,
  owner: Owner,
  folderId: number,
  { page, page_size }: Paging,
): Promise<{ list: Group[]; total: number }> {
  await requireFolder(context, owner.userId, folderId)
  const { folders } = await countContents(context.db, owner.userId, folderId)
  const rows = await findFolders(context.db, owner.userId, folderId, page_size, (page - 1) * page_size)
  return { list: rows.map((folder) => toWireGroup(folder, owner.uid)), total: folders }
}

/** The files of a folder, newest first. @throws AppError folderUnknown */
export async function listFiles(
  context: Deps,
  owner: Owner,
  lang: Lang,
  folderId: number,
  { page, page_size }: Paging,
): Promise<{ list: AssetOverview[]; total: number }> {
  await requireFolder(context, owner.userId, folderId)
  const { files } = await countContents(context.db, owner.userId, folderId)
  return { list: await filePage(context, owner, lang, folderId, page_size, (page - 1) * page_size), total: files }
}

async function filePage(
  { db }: Deps,
  owner: Owner,
  lang: Lang,
  folderId: number,
  limit: number,
  offset: number,
): Promise<AssetOverview[]> {
  if (limit === 0) return []
  return overviewsOf(db, owner, lang, await findFileIds(db, owner.userId, folderId, limit, offset))
}
