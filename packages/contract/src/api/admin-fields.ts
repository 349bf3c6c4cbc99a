import { z } from 'zod'
import { int, plain, refuse } from '../fields.ts'

/** Fields of several operations of the operator area. */

export const ADMIN_PAGE = 50
export const ADMIN_NOTE_MAX = 1000
/** `next` of the previous page; opaque. */
export const after = plain(400).optional()
export const size = int(1, 200).default(ADMIN_PAGE)
export const next = z.string().nullable()
export const q = plain(254)
  .transform((text) => text.trim())
  .optional()

/** Recorded in the audit log. */
export const reason = z
  .string({ error: refuse('reasonMissing') })
  .trim()
  .min(1, refuse('reasonMissing'))
  .max(ADMIN_NOTE_MAX, refuse('textTooLong', { max: ADMIN_NOTE_MAX }))
export const note = z
  .string()
  .trim()
  .max(ADMIN_NOTE_MAX, refuse('textTooLong', { max: ADMIN_NOTE_MAX }))
