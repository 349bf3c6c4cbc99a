import { ASSET_TYPES } from '@tidenet/contract'
import { z } from 'zod'

/** File name of a file's bytes, in the folder of the content. */
export const DATA = 'data'

/** The record of a content in its folder. */
export const contentRecord = z.object({
  cid: z.string(),
  kind: z.enum(ASSET_TYPES),
  /** Bytes of the file, or of the folder's archive. */
  size: z.number(),
  /** Number of blocks. */
  blocks: z.number(),
  /** Unix ms. */
  stored: z.number(),
  /** Bytes on disk: in the record without the record itself, in memory including it. */
  disk: z.number(),
})

/** A stored content. */
export type ContentRecord = z.infer<typeof contentRecord>
