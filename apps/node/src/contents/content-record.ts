import { join } from 'node:path'
import { ASSET_TYPES } from '@tidenet/contract'
import { z } from 'zod'

/** File name of a file's bytes, in the folder of the content. */
export const DATA = 'data'
/** The record of a content, in its folder. */
export const RECORD = 'meta.json'

/** Folders of a data folder: of contents that are folders, and of those that are one file. */
export const CONTENTS = 'contents'
export const LEAVES = 'leaves'

/** Folder of a content, relative to the data folder. */
export const folderOf = (cid: string): string => join(CONTENTS, cid.slice(-2), cid)

/**
 * The file of a content that came in one piece and is one leaf, relative to the data folder. Its name replaces the record: the size tells
 * whether the file is complete.
 */
export const leafOf = ({ cid, size }: { cid: string; size: number }): string =>
  join(LEAVES, cid.slice(-2), `${cid}.${size}`)

/** @param name of the file of a leaf. @returns undefined if it is no such name */
export function readLeafName(name: string): { cid: string; size: number } | undefined {
  const [, cid, size] = /^(\w+)\.(\d+)$/.exec(name) ?? []
  return cid === undefined ? undefined : { cid, size: Number(size) }
}

/** The record of a leaf. @param stored unix ms */
export const leafRecord = ({ cid, size }: { cid: string; size: number }, stored: number): ContentRecord => ({
  cid,
  kind: 'file',
  size,
  blocks: 1,
  stored,
  disk: size,
  leaf: true,
})

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
  /** Stored as one file in `leaves/`, without a record. */
  leaf: z.literal(true).optional(),
})

/** A stored content. */
export type ContentRecord = z.infer<typeof contentRecord>
