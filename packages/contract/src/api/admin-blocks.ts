import { z } from 'zod'
import { bool, int } from '../fields.ts'
import { route } from '../route.ts'
import { after, next, note, q, reason, size } from './admin-fields.ts'

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

export const REPORT_DECISIONS = ['blocked', 'kept'] as const

/** Reports of one target. All texts are of strangers: plain text only, and nothing in them is loaded. */
export const reportCase = z.object({
  id: z.number(),
  /** The target if it is a content, version 1, base32; empty: only the link is known. */
  cid: z.string(),
  /** What the first reporter entered, without tokens of nodes. */
  target: z.string(),
  /** Whether the network has the content. */
  known: z.boolean(),
  /** Whether it is blocked now. */
  blocked: z.boolean(),
  created_at: z.string(),
  closed_at: z.string().nullable(),
  /** The operator's uid. */
  closed_by: z.string(),
  /** Empty while the case is open. */
  decision: z.enum(REPORT_DECISIONS).or(z.literal('')),
  /** For operators. */
  note: z.string(),
  /** Earlier cases of the same target that ended without a block. */
  kept_before: z.number(),
  /** Stored reports; further ones of the same target are not stored. */
  count: z.number(),
  /** The newest of them. */
  reports: z.array(
    z.object({
      category: z.enum(BLOCK_CATEGORIES),
      text: z.string(),
      target: z.string(),
      /** Empty: none was given. */
      email: z.string(),
      at: z.string(),
    }),
  ),
})
export type ReportCase = z.infer<typeof reportCase>

/** An owner's objection to a block. Its text is the owner's: plain text only. */
export const blockObjection = z.object({
  id: z.number(),
  cid: z.string(),
  name: z.string(),
  category: z.enum(BLOCK_CATEGORIES),
  /** Of the owner. */
  uid: z.string(),
  text: z.string(),
  at: z.string(),
  answered_at: z.string().nullable(),
  answered_by: z.string(),
  answer: z.string(),
  blocked: z.boolean(),
})
export type BlockObjection = z.infer<typeof blockObjection>

/** What an account has published at the gateways of IPFS. */
export const publishedRoot = z.object({
  id: z.number(),
  /** Version 1, base32. Empty: a folder of single files whose CID is not known yet. */
  cid: z.string(),
  kind: z.enum(['file', 'folder']),
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  /** Of the account. */
  uid: z.string(),
  /** Everybody can read it if it is ready and not blocked. */
  state: z.enum(['preparing', 'ready', 'failed']),
  blocked: z.boolean(),
  published_at: z.string(),
})
export type PublishedRoot = z.infer<typeof publishedRoot>

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
  published: route({
    method: 'GET',
    path: '/api/v1/admin/published',
    auth: 'operator',
    /** `cid`: only what contains this block, as its root or below; a CID, or an address that names one. */
    input: z.object({ cid: z.string().max(400).optional(), after, size }),
    output: z.object({
      list: z.array(publishedRoot),
      /** What was asked for: version 1, base32. Empty: everything. */
      cid: z.string(),
      next,
    }),
    errors: ['operatorSecondFactor', 'badCid'],
    summary: 'Lists what accounts have published at the gateways of IPFS, newest first',
  }),
  reports: route({
    method: 'GET',
    path: '/api/v1/admin/reports',
    auth: 'operator',
    input: z.object({
      closed: bool.optional(),
      /** Part of a CID, link or text. */
      q,
      after,
      size,
    }),
    output: z.object({ list: z.array(reportCase), next }),
    errors: ['operatorSecondFactor'],
    summary: 'Lists reported contents with their reports, newest first',
  }),
  reportChange: route({
    method: 'POST',
    path: '/api/v1/admin/report',
    auth: 'operator',
    /** Absent fields keep their value. `closed` ends the case without a block, and tells the reporters; a block ends it by itself. */
    input: z.object({ id: int(1), closed: z.literal(true).optional(), note: note.optional() }),
    output: reportCase,
    errors: ['operatorSecondFactor', 'notFound', 'textTooLong'],
    summary: 'Closes a case of reports without a block, and sets its note',
  }),
  objections: route({
    method: 'GET',
    path: '/api/v1/admin/objections',
    auth: 'operator',
    input: z.object({ answered: bool.optional(), after, size }),
    output: z.object({ list: z.array(blockObjection), next }),
    errors: ['operatorSecondFactor'],
    summary: 'Lists objections of owners to blocks, newest first',
  }),
  objectionAnswer: route({
    method: 'POST',
    path: '/api/v1/admin/objection',
    auth: 'operator',
    /** The owner reads the answer. The block stays; `admin.unblock` lifts it. */
    input: z.object({ id: int(1), answer: reason }),
    output: blockObjection,
    errors: ['operatorSecondFactor', 'notFound', 'reasonMissing', 'textTooLong'],
    summary: 'Answers an objection of an owner; the block stays',
  }),
}
