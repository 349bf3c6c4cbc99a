import { z } from 'zod'
import { assetName, bool, cid, folderId, int, msg, name, page, pageSize, plain } from '../fields.ts'
import { assetOverview, group, listItem } from '../objects.ts'
import { route } from '../route.ts'
import { ASSET_TYPES } from '../storage-words.ts'
import { itemResult, items } from './trash.ts'

export const SORTS = ['date', 'name', 'size'] as const
/** `group` is a folder of the account, `folder` one that was uploaded as a single asset; the last four go by the ending of a name. */
export const ITEM_KINDS = ['group', 'file', 'folder', 'image', 'video', 'audio', 'document'] as const
/** Where a listing goes on; opaque. */
const cursor = z.string().max(2000)
const folderName = z.object({ ID: z.number(), Name: z.string() })

export const folders = {
  create: route({
    method: 'GET',
    path: '/api/v1/storage/create_group',
    twin: true,
    auth: 'createFolder',
    input: z.object({ name, parent: folderId.default(0) }),
    output: z.object({ group }),
    errors: ['nameMissing', 'nameTooLong', 'nameForbidden', 'folderUnknown', 'tooManyFolders'],
    summary: 'Makes a folder below `parent` (0 is the root)',
  }),
  list: route({
    method: 'GET',
    path: '/api/v1/storage/get_groups',
    auth: 'readFolder',
    input: z.object({ parent: folderId.default(0), page, page_size: pageSize }),
    output: z.object({ list: z.array(group), total: z.number() }),
    errors: ['folderUnknown'],
    summary: 'The folders directly below `parent`, newest first',
  }),
  contents: route({
    method: 'GET',
    path: '/api/v1/storage/get_asset_group_list',
    auth: 'readFolder',
    input: z.object({
      parent: folderId.default(0),
      page,
      page_size: pageSize,
      /** Another order, or only some of it: any of these is answered from a place on, and `page` counts only without one. */
      sort: z.enum(SORTS).optional(),
      /** Default: names from A on, the largest and the newest first. */
      direction: z.enum(['asc', 'desc']).optional(),
      kind: z.enum(ITEM_KINDS).optional(),
      shared: bool.optional(),
      encrypted: bool.optional(),
      /** From `next` of the page before. */
      after: cursor.optional(),
    }),
    output: z.object({
      list: z.array(listItem),
      total: z.number(),
      /** Where the next page begins; absent on the last one, and in the usual order. */
      next: z.string().optional(),
    }),
    errors: ['folderUnknown'],
    summary: 'Folders, then files of `parent`, newest first, in one paging; or sorted and filtered',
  }),
  /** Names are compared without regard to case; every word has to occur. */
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
          /** The folders it lies in, from the root; empty for whoever may not read folders. */
          path: z.array(folderName),
        }),
      ),
      next: z.string().optional(),
    }),
    errors: [],
    summary: 'Files and folders of all folders by name; those that begin with it first',
  }),
  /** Asked before an upload or a move, so that people decide once for all. */
  findNames: route({
    method: 'POST',
    path: '/api/v1/storage/find_names',
    repeatable: true,
    auth: 'readFolder',
    input: z.object({ parent: folderId.default(0), names: z.array(z.string().max(200)).max(2000) }),
    output: z.object({
      list: z.array(
        z.object({
          name: z.string(),
          kind: z.enum(['file', 'folder', 'group']),
          /** The CID of an asset or the number of a folder, as text. */
          id: z.string(),
          size: z.number(),
          created_at: z.string(),
        }),
      ),
    }),
    errors: ['folderUnknown'],
    summary: 'Which of these names there are in a folder already',
  }),
  moveMany: route({
    method: 'POST',
    path: '/api/v1/storage/move_items',
    /** Assets need createFile, folders createFolder. */
    auth: 'any',
    input: items.extend({ target: folderId }),
    output: z.object({ results: z.array(itemResult) }),
    errors: ['badCid', 'folderUnknown'],
    summary: 'Moves files and folders into one folder; one transaction, a result for each',
  }),
  /** For an archive of several things at once: what is in it, and where. */
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
          kind: z.enum(ASSET_TYPES),
          /** From the outermost of what was asked for: `Holiday/Day 1/beach.jpg`. */
          path: z.string(),
          size: z.number(),
          encrypted: z.boolean(),
        }),
      ),
      /** Folders with nothing in them; with the first page. */
      empty: z.array(z.string()),
      next: z.number().optional(),
    }),
    errors: ['badCid'],
    summary: 'All files that lie in these folders and below, with their paths; a thousand at a time',
  }),
  item: route({
    method: 'GET',
    path: '/api/v1/storage/get_asset_group_info',
    /** A file needs readFile, a folder readFolder. */
    auth: 'any',
    shape: 'double',
    input: z.object({ cid: cid.optional(), groupid: folderId.optional() }),
    output: z.object({
      AssetOverview: assetOverview.nullable(),
      Group: group.nullable(),
      /** From the root to the item's folder; empty for whoever may not read folders. */
      path: z.array(z.object({ ID: z.number(), Name: z.string() })),
    }),
    errors: ['badCid', 'assetUnknown', 'folderUnknown', 'forbidden'],
    summary: 'One file by `cid` or one folder by `groupid`',
  }),
  rename: route({
    method: 'POST',
    path: '/api/v1/storage/rename_group',
    repeatable: true,
    auth: 'any',
    /** With `asset_cid` it renames a file, with `group_id` a folder. */
    input: z
      .object({
        new_name: z.string().optional(),
        group_id: folderId.optional(),
        asset_cid: z.string().max(200).optional(),
      })
      .superRefine(({ new_name, asset_cid }, check) => {
        const issue = (asset_cid ? assetName : name).safeParse(new_name).error?.issues[0]
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
      'twoTargets',
      'forbidden',
    ],
    summary: 'Renames a folder, or a file when `asset_cid` is given',
  }),
  remove: route({
    method: 'GET',
    path: '/api/v1/storage/delete_group',
    twin: true,
    auth: 'deleteFolder',
    /** `trash=0` deletes for good at once. */
    input: z.object({ group_id: folderId, force: bool.default(true), trash: bool.default(true) }),
    output: z.object({ msg: z.string(), folders: z.number(), assets: z.number() }),
    errors: ['folderUnknown', 'folderNotEmpty', 'moveRoot'],
    summary: 'Puts a folder with all below it into the trash; with `force=0` only when it is empty',
  }),
  move: route({
    method: 'GET',
    path: '/api/v1/storage/move_group_to_group',
    twin: true,
    auth: 'createFolder',
    input: z.object({ group_id: folderId, target_group_id: folderId }),
    output: msg,
    errors: ['folderUnknown', 'moveRoot', 'moveSame', 'moveIntoSelf'],
    summary: 'Moves a folder below another',
  }),
}
