import { ASSET_TYPES } from '@tidenet/contract'
import { z } from 'zod'

/** The record of a content in its folder. */
export const heldRecord = z.object({
  cid: z.string(),
  kind: z.enum(ASSET_TYPES),
  /** Bytes of the file, or of the folder's archive. */
  size: z.number(),
  /** Blocks of the DAG. */
  blocks: z.number(),
  /** Unix ms. */
  stored: z.number(),
  /** Bytes on disk: in the record those of all other files, in memory those of the record too. */
  disk: z.number(),
})

/** A content that the node keeps. */
export type Held = z.infer<typeof heldRecord>
