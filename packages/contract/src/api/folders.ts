import { z } from 'zod'
import { assetName, bool, cid, folderId, msg, name, page, pageSize } from '../fields.ts'
import { assetOverview, group, listItem } from '../objects.ts'
import { route } from '../route.ts'

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
    input: z.object({ parent: folderId.default(0), page, page_size: pageSize }),
    output: z.object({ list: z.array(listItem), total: z.number() }),
    errors: ['folderUnknown'],
    summary: 'Folders, then files of `parent`, newest first, in one paging',
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
      /** From the root to the item's folder. */
      path: z.array(z.object({ ID: z.number(), Name: z.string() })),
    }),
    errors: ['badCid', 'assetUnknown', 'folderUnknown', 'forbidden'],
    summary: 'One file by `cid` or one folder by `groupid`',
  }),
  rename: route({
    method: 'POST',
    path: '/api/v1/storage/rename_group',
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
    input: z.object({ group_id: folderId, force: bool.default(true) }),
    output: z.object({ msg: z.string(), folders: z.number(), assets: z.number() }),
    errors: ['folderUnknown', 'folderNotEmpty', 'moveRoot'],
    summary: 'Deletes a folder with all below it; with `force=0` only when it is empty',
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
