import { z } from 'zod'
import { assetId, cid, int, msg, page, pageSize, receiptId } from '../fields.ts'
import { route } from '../route.ts'
import { ASSET_TYPES } from '../storage-enums.ts'

/** What a file contained before it was replaced. */
export const assetVersion = z.object({
  id: z.number(),
  /** Counted per file, from 1. */
  version: z.number(),
  cid: z.string(),
  kind: z.enum(ASSET_TYPES),
  size: z.number(),
  encrypted: z.boolean(),
  /** When this content was added to the file, and when it was replaced. */
  created_at: z.string(),
  replaced_at: z.string(),
  /** When it is deleted permanently, at the latest. */
  purge_at: z.string(),
  /** In a bucket with versions: kept until it is deleted, and counted as used storage. */
  kept: z.boolean(),
  /** Deleted; can be undone until `purge_at`. */
  removed: z.boolean(),
  receipt_id: receiptId,
})
export type AssetVersion = z.infer<typeof assetVersion>

const versionId = z.object({ id: int(1) })

export const versions = {
  list: route({
    method: 'GET',
    path: '/api/v1/storage/get_versions',
    auth: 'readFile',
    input: z.object({ cid, asset_id: assetId, page, page_size: pageSize }),
    output: z.object({
      /** The newest first; without the current content. */
      list: z.array(assetVersion),
      total: z.number(),
      /** The entry, and the number of its current version. */
      asset_id: z.number(),
      version: z.number(),
      /** What the account’s plan keeps per file. */
      keep: z.object({ versions: z.number(), days: z.number() }),
    }),
    errors: ['badCid', 'assetUnknown'],
    summary: 'Lists the earlier versions of a file',
  }),
  restore: route({
    method: 'POST',
    path: '/api/v1/storage/restore_version',
    repeatable: true,
    /** Needs deleteFile too, because it replaces the current content. */
    auth: 'createFile',
    input: versionId,
    output: z.object({
      asset_id: z.number(),
      /** Of the file now. */
      cid: z.string(),
      version: z.number(),
    }),
    errors: ['notFound', 'forbidden', 'quotaExceeded', 'folderEncrypted'],
    summary:
      'Makes the content of an earlier version current, as a new version; the replaced content is kept as a version',
  }),
  remove: route({
    method: 'POST',
    path: '/api/v1/storage/delete_version',
    repeatable: true,
    auth: 'deleteFile',
    input: versionId,
    /** Until then, `undelete_version` undoes it. */
    output: z.object({ purge_at: z.string() }),
    errors: ['notFound'],
    summary: 'Deletes an earlier version; can be undone for a day',
  }),
  undelete: route({
    method: 'POST',
    path: '/api/v1/storage/undelete_version',
    repeatable: true,
    auth: 'deleteFile',
    input: versionId,
    output: msg,
    errors: ['notFound', 'quotaExceeded'],
    summary: 'Undoes the deletion of a version; one that is kept until it is deleted needs free storage',
  }),
}
