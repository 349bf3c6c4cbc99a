import { z } from 'zod'
import { bool } from '../fields.ts'
import { route } from '../route.ts'
import { after, next, reason, size } from './admin-fields.ts'

/** Why a content is blocked. */
export const BLOCK_CATEGORIES = [
  'malware',
  'phishing',
  'childAbuse',
  'violence',
  'copyright',
  'privacy',
  'other',
] as const
export type BlockCategory = (typeof BLOCK_CATEGORIES)[number]

/** A block of a content, or the end of one. */
export const contentBlock = z.object({
  id: z.number(),
  /** Version 1, base32. */
  cid: z.string(),
  blocked: z.boolean(),
  /** Empty where a block was lifted. */
  category: z.enum(BLOCK_CATEGORIES).or(z.literal('')),
  reason: z.string(),
  /** The operator's uid. */
  by: z.string(),
  at: z.string(),
})
export type ContentBlock = z.infer<typeof contentBlock>

const cid = z.string().max(200)

export const adminBlocks = {
  blocks: route({
    method: 'GET',
    path: '/api/v1/admin/blocks',
    auth: 'operator',
    input: z.object({
      /** The history of one content. */
      cid: cid.optional(),
      /** Only blocks that are in force. */
      current: bool.optional(),
      after,
      size,
    }),
    output: z.object({ list: z.array(contentBlock), next }),
    errors: ['operatorSecondFactor', 'badCid'],
    summary: 'Lists blocks of contents and their ends, newest first',
  }),
  block: route({
    method: 'POST',
    path: '/api/v1/admin/block',
    auth: 'operator',
    input: z.object({ cid, category: z.enum(BLOCK_CATEGORIES), reason }),
    output: contentBlock,
    errors: ['operatorSecondFactor', 'badCid', 'reasonMissing', 'textTooLong'],
    summary: 'Blocks a content: no node serves it, and running downloads end',
  }),
  unblock: route({
    method: 'POST',
    path: '/api/v1/admin/unblock',
    auth: 'operator',
    input: z.object({ cid, reason }),
    output: contentBlock,
    errors: ['operatorSecondFactor', 'badCid', 'notFound', 'reasonMissing', 'textTooLong'],
    summary: 'Lifts the block of a content',
  }),
}
