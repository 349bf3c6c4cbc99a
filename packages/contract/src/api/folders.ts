import { z } from 'zod'
import { ASSET_NAME_MAX } from '../constants.ts'
import {
  assetId,
  assetName,
  bool,
  cid,
  folderId,
  int,
  msg,
  name,
  page,
  pageOrZero,
  pageSize,
  pageSizeOrZero,
  plain,
} from '../fields.ts'
import { assetOverview, group, listItem } from '../objects.ts'
import { route } from '../route.ts'
import { ASSET_TYPES } from '../storage-enums.ts'
import { itemResult, items } from './trash.ts'

export const SORTS = ['date', 'name', 'size'] as const
/** `group`: a folder of the account; `folder`: an uploaded folder, which is one asset; the last four are detected by file extension. */
export const ITEM_KINDS = ['group', 'file', 'folder', 'image', 'video', 'audio', 'document'] as const
/** Opaque position in a listing. */
const cursor = z.string().max(2000)
const folderName = z.object({ ID: z.number(), Name: z.string() })

export const folders = {
  create: route({
    method: 'GET',
    path: '/api/v1/storage/create_group',
    alsoPost: true,
    auth: 'createFolder',
    /** `encrypted`: only encrypted files can be put into it. Folders in an encrypted folder always are. */
    input: z.object({ name, parent: folderId.default(0), encrypted: bool.default(false) }),
    output: z.object({ group }),
    errors: ['nameMissing', 'nameTooLong', 'nameForbidden', 'folderUnknown', 'tooManyFolders', 'vaultMissing'],
    summary: 'Creates a folder in `parent` (0 is the root)',
  }),
  encrypt: route({
    method: 'POST',
    path: '/api/v1/storage/encrypt_group',
    repeatable: true,
    auth: 'createFolder',
    input: z.object({ group_id: folderId }),
    output: z.object({ group }),
    errors: ['folderUnknown', 'folderNotEmpty', 'vaultMissing'],
    summary: 'Makes an empty folder one that only accepts encrypted files',
  }),
  list: route({
    method: 'GET',
    path: '/api/v1/storage/get_groups',
    auth: 'readFolder',
    input: z.object({ parent: folderId.default(0), page, page_size: pageSize }),
    output: z.object({ list: z.array(group), total: z.number() }),
    errors: ['folderUnknown'],
    summary: 'Lists the folders in `parent`, newest first',
  }),
  contents: route({
    method: 'GET',
    path: '/api/v1/storage/get_asset_group_list',
    auth: 'readFolder',
    input: z.object({
      parent: folderId.default(0),
      page: pageOrZero,
      page_size: pageSizeOrZero,
      /** Only the files with this content, or the folder with this number. */
      cid: cid.optional(),
      groupid: folderId.optional(),
      /** With sorting or a filter, use `after` instead of `page`. */
      sort: z.enum(SORTS).optional(),
      /** Default: `asc` for names, `desc` for date and size. */
      direction: z.enum(['asc', 'desc']).optional(),
      kind: z.enum(ITEM_KINDS).optional(),
      shared: bool.optional(),
      encrypted: bool.optional(),
      /** `next` of the previous page. */
      after: cursor.optional(),
    }),
    output: z.object({
      list: z.array(listItem),
      total: z.number(),
      /** Position of the next page; absent on the last page, and without sorting or filter. */
      next: z.string().optional(),
    }),
    errors: ['folderUnknown', 'badCid'],
    summary: 'Lists the folders and then the files in `parent`, newest first; optionally sorted and filtered',
  }),
  /** Case-insensitive; a name must contain every word. */
  search: route({
    method: 'GET',
    path: '/api/v1/storage/search_items',
    auth: 'readFile',
    input: z.object({
      q: plain(200),
      kind: z.enum(ITEM_KINDS).optional(),
      shared: bool.optional(),
      encrypted: bool.optional(),
      page_size: pageSize,
      after: cursor.optional(),
    }),
    output: z.object({
      list: z.array(
        listItem.extend({
          /** Its parent folders, from the root; empty without the permission readFolder. */
          path: z.array(folderName),
        }),
      ),
      next: z.string().optional(),
    }),
    errors: [],
    summary: 'Searches files and folders by name; names that begin with the query come first',
  }),
  /** Called before an upload or a move, so that users decide about name conflicts once. */
  findNames: route({
    method: 'POST',
    path: '/api/v1/storage/find_names',
    repeatable: true,
    auth: 'readFolder',
    input: z.object({ parent: folderId.default(0), names: z.array(plain(ASSET_NAME_MAX)).max(2000) }),
    output: z.object({
      list: z.array(
        z.object({
          name: z.string(),
          kind: z.enum(['file', 'folder', 'group']),
          /** The CID of an asset or the id of a folder, as text. */
          id: z.string(),
          /** 0 for a folder. */
          asset_id: z.number(),
          size: z.number(),
          created_at: z.string(),
        }),
      ),
    }),
    errors: ['folderUnknown'],
    summary: 'Returns which of these names already exist in a folder',
  }),
  moveMany: route({
    method: 'POST',
    path: '/api/v1/storage/move_items',
    /** Assets need createFile, folders createFolder. */
    auth: 'any',
    team: 'editor',
    input: items.extend({ target: folderId }),
    output: z.object({ results: z.array(itemResult) }),
    errors: ['badCid', 'folderUnknown'],
    summary: 'Moves files and folders into a folder, in one transaction, with a result for each',
  }),
  /** For an archive of several items. */
  manifest: route({
    method: 'POST',
    path: '/api/v1/storage/get_manifest',
    repeatable: true,
    auth: 'readFile',
    input: items.extend({ after: int().default(0) }),
    output: z.object({
      list: z.array(
        z.object({
          cid: z.string(),
          asset_id: z.number(),
          kind: z.enum(ASSET_TYPES),
          /** Relative to the requested item's parent: `Holiday/Day 1/beach.jpg`. */
          path: z.string(),
          size: z.number(),
          encrypted: z.boolean(),
        }),
      ),
      /** Paths of empty folders; on the first page only. */
      empty: z.array(z.string()),
      next: z.number().optional(),
    }),
    errors: ['badCid'],
    summary: 'Lists all files in these folders and their subfolders with their paths, 1,000 per page',
  }),
  item: route({
    method: 'GET',
    path: '/api/v1/storage/get_asset_group_info',
    /** A file needs readFile, a folder readFolder. */
    auth: 'any',
    team: 'viewer',
    shape: 'double',
    /** `total`: also count everything below the folder. */
    input: z.object({
      cid: cid.optional(),
      asset_id: assetId,
      groupid: folderId.optional(),
      total: bool.optional(),
    }),
    output: z.object({
      AssetOverview: assetOverview.nullable(),
      Group: group.nullable(),
      /** If asked for: the folders below the folder, and the number and bytes of all files in it and in these. */
      total: z.object({ folders: z.number(), files: z.number(), bytes: z.number() }).optional(),
      /** From the root to the item's folder; empty without the permission readFolder. */
      path: z.array(z.object({ ID: z.number(), Name: z.string() })),
    }),
    errors: ['badCid', 'assetUnknown', 'folderUnknown', 'forbidden'],
    summary: 'Returns a file by `cid` or `asset_id`, or a folder by `groupid`',
  }),
  rename: route({
    method: 'POST',
    path: '/api/v1/storage/rename_group',
    repeatable: true,
    auth: 'any',
    team: 'editor',
    input: z
      .object({
        new_name: z.string().optional(),
        group_id: folderId.optional(),
        asset_cid: z.string().max(200).optional(),
        asset_id: assetId,
      })
      // Folders that were uploaded have names as long as those of files.
      .superRefine(({ new_name }, check) => {
        const issue = assetName.safeParse(new_name).error?.issues[0]
        if (issue) check.addIssue({ code: 'custom', message: issue.message, path: ['new_name'] })
      }),
    output: msg,
    errors: [
      'nameMissing',
      'nameTooLong',
      'nameForbidden',
      'folderUnknown',
      'assetUnknown',
      'badCid',
      'fileAndFolder',
      'forbidden',
    ],
    summary: 'Renames a folder, or a file if `asset_cid` is given',
  }),
  remove: route({
    method: 'GET',
    path: '/api/v1/storage/delete_group',
    alsoPost: true,
    auth: 'deleteFolder',
    /** `trash=0` deletes permanently. */
    input: z.object({ group_id: folderId, force: bool.default(true), trash: bool.default(true) }),
    output: z.object({ msg: z.string(), folders: z.number(), assets: z.number() }),
    errors: ['folderUnknown', 'folderNotEmpty', 'moveRoot'],
    summary: 'Moves a folder and everything in it to the trash; with `force=0` only if it is empty',
  }),
  move: route({
    method: 'GET',
    path: '/api/v1/storage/move_group_to_group',
    alsoPost: true,
    auth: 'createFolder',
    input: z.object({ group_id: folderId, target_group_id: folderId }),
    output: msg,
    errors: ['folderUnknown', 'moveRoot', 'moveSame', 'moveIntoSelf', 'folderEncrypted'],
    summary: 'Moves a folder into another folder',
  }),
}
