import { z } from 'zod'
import { cid, email, page, pageSize, plain, refuse } from '../fields.ts'
import { route } from '../route.ts'
import { BLOCK_CATEGORIES } from './admin-blocks.ts'

/** Reports of contents, and what owners of blocked contents can do. */

export const REPORT_TARGET_MAX = 2000
export const REPORT_TEXT_MAX = 4000

const words = z
  .string({ error: refuse('textMissing') })
  .trim()
  .min(1, refuse('textMissing'))
  .max(REPORT_TEXT_MAX, refuse('textTooLong', { max: REPORT_TEXT_MAX }))

/** An own content that was blocked, while the block lasts. */
export const blockedFile = z.object({
  /** Version 1, base32. */
  cid: z.string(),
  /** The name that it had in the account when it was blocked. */
  name: z.string(),
  category: z.enum(BLOCK_CATEGORIES),
  blocked_at: z.string(),
  /** Empty: the account has not objected. */
  objection: z.string(),
  objected_at: z.string().nullable(),
  /** Null: the operators have not answered yet. */
  answered_at: z.string().nullable(),
  answer: z.string(),
})
export type BlockedFile = z.infer<typeof blockedFile>

export const abuse = {
  report: route({
    method: 'POST',
    path: '/api/v1/portal/report',
    auth: 'public',
    input: z.object({
      /** A link, or a CID. */
      target: z
        .string({ error: refuse('reportTarget') })
        .trim()
        .min(1, refuse('reportTarget'))
        .max(REPORT_TARGET_MAX, refuse('reportTarget')),
      category: z.enum(BLOCK_CATEGORIES),
      text: words,
      /** Where to write what was decided; empty: nowhere. */
      email: z.union([z.literal(''), email]).default(''),
      /** Of that e-mail, `zh`, `cn` or `en`; default: the language of the request. */
      lang: plain(10).optional(),
    }),
    /** The same whatever the target is, so that it tells nothing about it. */
    output: z.object({ msg: z.string() }),
    errors: ['reportTarget', 'textMissing', 'textTooLong', 'emailInvalid', 'tooManyRequests'],
    limit: 5,
    summary: 'Reports a content to the operators, by link or CID; no account is needed',
  }),
  blockedFiles: route({
    method: 'GET',
    path: '/api/v1/storage/blocked_files',
    auth: 'session',
    team: 'viewer',
    input: z.object({ page, page_size: pageSize }),
    output: z.object({ list: z.array(blockedFile), total: z.number() }),
    errors: [],
    summary: 'Lists own files that the operators have blocked, newest first, with objections and their answers',
  }),
  object: route({
    method: 'POST',
    path: '/api/v1/storage/blocked_files/object',
    auth: 'session',
    team: 'editor',
    /** Until it is answered, an objection can be replaced. */
    input: z.object({ cid, text: words }),
    output: blockedFile,
    errors: ['badCid', 'notFound', 'textMissing', 'textTooLong', 'objectionAnswered'],
    limit: 10,
    summary: 'Objects to the block of an own file; the operators answer',
  }),
}
