import { z } from 'zod'
import { cid, folderId, int, page, pageSize } from '../fields.ts'
import { route } from '../route.ts'

/** Maximum number of items of one call. */
export const ITEMS_MAX = 1000

/** The result of one item; `err` and `msg` tell why it was not changed. */
export const itemResult = z.object({
  /** The CID of an asset, or its id if it was named by id; the id of a folder, or of an item in the trash, as text. */
  id: z.string(),
  /** The id of an asset that was named by id. */
  asset_id: z.number().optional(),
  ok: z.boolean(),
  err: z.number().optional(),
  msg: z.string().optional(),
})
export type ItemResult = z.infer<typeof itemResult>

/** Assets by CID or by id, and folders by id. */
export const items = z.object({
  assets: z.array(cid).max(ITEMS_MAX).default([]),
  asset_ids: z.array(int(1)).max(ITEMS_MAX).default([]),
  folders: z.array(folderId).max(ITEMS_MAX).default([]),
})

/** A deleted asset, or a deleted folder with everything that was in it. */
export const trashItem = z.object({
  id: z.number(),
  /** `group`: a folder of the account; `folder`: an uploaded folder, which is one asset. */
  kind: z.enum(['file', 'folder', 'group']),
  /** Empty for a group without the permission readFolder, like `path`. */
  name: z.string(),
  /** Empty for a group. */
  cid: z.string(),
  /** The id that the asset had, and gets back; 0 for a group. */
  asset_id: z.number(),
  size: z.number(),
  /** Number of files and folders in a group. */
  files: z.number(),
  folders: z.number(),
  encrypted: z.boolean(),
  /** Names of its former parent folders, from the root. */
  path: z.array(z.string()),
  deleted_at: z.string(),
  /** When it is deleted permanently. */
  purge_at: z.string(),
  /** Deleted over S3 in a bucket with versions: kept until it is deleted for good, and counted as used storage. */
  kept: z.boolean(),
})
export type TrashItem = z.infer<typeof trashItem>

const trashIds = z.object({ ids: z.array(int(1)).min(1).max(ITEMS_MAX) })

export const trash = {
  put: route({
    method: 'POST',
    path: '/api/v1/storage/trash_items',
    /** Assets need deleteFile, folders deleteFolder. */
    auth: 'any',
    team: 'editor',
    input: items,
    output: z.object({
      results: z.array(itemResult),
      /** Ids for `trash.restore`. */
      trash_ids: z.array(z.number()),
      folders: z.number(),
      assets: z.number(),
    }),
    errors: ['badCid'],
    summary: 'Moves files and folders to the trash for 30 days, in one transaction, with a result for each',
  }),
  list: route({
    method: 'GET',
    path: '/api/v1/storage/get_trash_list',
    auth: 'readFile',
    input: z.object({ page, page_size: pageSize }),
    output: z.object({
      list: z.array(trashItem),
      total: z.number(),
      /** Total bytes in the trash. */
      size: z.number(),
    }),
    errors: [],
    summary: 'Lists the trash, most recently deleted first',
  }),
  restore: route({
    method: 'POST',
    path: '/api/v1/storage/restore_items',
    auth: 'any',
    team: 'editor',
    input: trashIds,
    output: z.object({
      results: z.array(
        itemResult.extend({
          /** Its name now; changed if the old name is in use. Absent for a group without the permission readFolder. */
          name: z.string().optional(),
          /** Its folder now; 0 (the root) if the old folder no longer exists. */
          folder: z.number().optional(),
        }),
      ),
    }),
    errors: [],
    summary: 'Restores items to their folders, or to the root if the folder no longer exists',
  }),
  remove: route({
    method: 'POST',
    path: '/api/v1/storage/delete_trash_items',
    auth: 'any',
    team: 'editor',
    input: trashIds,
    output: z.object({ removed: z.number() }),
    errors: [],
    summary: 'Deletes items of the trash permanently',
  }),
  empty: route({
    method: 'POST',
    path: '/api/v1/storage/empty_trash',
    auth: 'any',
    team: 'editor',
    input: z.object({}),
    output: z.object({ removed: z.number() }),
    errors: [],
    summary: 'Empties the trash permanently',
  }),
}
