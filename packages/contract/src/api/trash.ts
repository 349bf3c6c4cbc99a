import { z } from 'zod'
import { cid, folderId, int, page, pageSize } from '../fields.ts'
import { route } from '../route.ts'

/** So many things are put into the trash, taken out or moved at once; more is a second call. */
export const ITEMS_MAX = 1000

/** What one thing of several came to. `err` and `msg` say why it is as it was. */
export const itemResult = z.object({
  /** The CID of an asset or the number of a folder, as text; of something in the trash its number there. */
  id: z.string(),
  ok: z.boolean(),
  err: z.number().optional(),
  msg: z.string().optional(),
})
export type ItemResult = z.infer<typeof itemResult>

/** Assets by CID and folders by number; an empty list of both is no call. */
export const items = z.object({
  assets: z.array(cid).max(ITEMS_MAX).default([]),
  folders: z.array(folderId).max(ITEMS_MAX).default([]),
})

/** What was deleted at once: an asset, or a folder with all that lay below it. */
export const trashItem = z.object({
  id: z.number(),
  /** `group` is a folder of the account; `folder` one that was uploaded as a single asset. */
  kind: z.enum(['file', 'folder', 'group']),
  /** Empty for a group when the caller may not read folders, as is `path`. */
  name: z.string(),
  /** Empty for a group. */
  cid: z.string(),
  size: z.number(),
  /** Of a group: what lies below it. */
  files: z.number(),
  folders: z.number(),
  encrypted: z.boolean(),
  /** Names of the folders it lay in, from the root. */
  path: z.array(z.string()),
  deleted_at: z.string(),
  /** When it is deleted for good. */
  purge_at: z.string(),
})
export type TrashItem = z.infer<typeof trashItem>

const trashIds = z.object({ ids: z.array(int(1)).min(1).max(ITEMS_MAX) })

export const trash = {
  put: route({
    method: 'POST',
    path: '/api/v1/storage/trash_items',
    /** Assets need deleteFile, folders deleteFolder. */
    auth: 'any',
    input: items,
    output: z.object({
      results: z.array(itemResult),
      /** What takes all of this back, for `trash.restore`. */
      trash_ids: z.array(z.number()),
      folders: z.number(),
      assets: z.number(),
    }),
    errors: ['badCid'],
    summary: 'Puts files and folders into the trash, where they stay 30 days; one transaction, a result for each',
  }),
  list: route({
    method: 'GET',
    path: '/api/v1/storage/get_trash_list',
    auth: 'readFile',
    input: z.object({ page, page_size: pageSize }),
    output: z.object({
      list: z.array(trashItem),
      total: z.number(),
      /** Bytes of all that lies in the trash. */
      size: z.number(),
    }),
    errors: [],
    summary: 'What lies in the trash, deleted last first',
  }),
  restore: route({
    method: 'POST',
    path: '/api/v1/storage/restore_items',
    auth: 'any',
    input: trashIds,
    output: z.object({
      results: z.array(
        itemResult.extend({
          /** The name it has now: another one when its own was taken meanwhile. None of a group for whom may not read folders. */
          name: z.string().optional(),
          /** The folder it lies in now; 0, the root, when its own is gone. */
          folder: z.number().optional(),
        }),
      ),
    }),
    errors: [],
    summary: 'Puts things back where they lay; into the root when that folder is gone',
  }),
  remove: route({
    method: 'POST',
    path: '/api/v1/storage/delete_trash_items',
    auth: 'any',
    input: trashIds,
    output: z.object({ removed: z.number() }),
    errors: [],
    summary: 'Deletes things that lie in the trash for good',
  }),
  empty: route({
    method: 'POST',
    path: '/api/v1/storage/empty_trash',
    auth: 'any',
    input: z.object({}),
    output: z.object({ removed: z.number() }),
    errors: [],
    summary: 'Deletes everything that lies in the trash for good',
  }),
}
