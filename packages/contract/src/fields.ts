import { z } from 'zod'
import { ASSET_NAME_MAX, FOLDER_PATH_MAX, NAME_MAX, PAGE_SIZE, PAGE_SIZE_MAX, SHORT_PASS } from './constants.ts'
import type { ErrorFacts, ErrorKey } from './errors.ts'
import { expects } from './input-hints.ts'
import { ASSET_TYPES, assetTypeOf } from './storage-enums.ts'

/** A schema message that names an error of the catalogue: the caller gets that error instead of `invalidParams`. */
export const refuse = <K extends ErrorKey>(key: K, ...facts: ErrorFacts<K>): string =>
  facts.length === 0 ? key : `${key} ${JSON.stringify(facts[0])}`

/** An integer, sent as text (query) or number (JSON). */
export const int = (min = 0, max = Number.MAX_SAFE_INTEGER) => z.coerce.number().int().min(min).max(max)

export const bool = z.preprocess(
  (value) => (typeof value === 'string' ? value === 'true' || value === '1' : value),
  z.boolean(),
)

/** One or several texts: `a=1&a=2`, `a=1,2`, `["1","2"]`. */
export const texts = z.preprocess((value) => {
  if (value === undefined || value === null || value === '') return undefined
  const list = Array.isArray(value) ? value : [value]
  return list
    .flatMap((item) => String(item).split(','))
    .map((item) => item.trim())
    .filter((item) => item !== '')
}, z.array(z.string().max(200)).max(60).optional())

// biome-ignore lint/suspicious/noControlCharactersInRegex: names must not contain them
const plainName = /^(?!\.{1,2}$)[^/\\\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]*$/
const counted = (max: number) => (text: string) => [...text].length <= max

/** The name of a folder or an API key: 1 to 50 characters. */
export const name = z
  .string({ error: refuse('nameMissing') })
  .trim()
  .min(1, refuse('nameMissing'))
  .regex(plainName, refuse('nameForbidden'))
  .refine(counted(NAME_MAX), refuse('nameTooLong', { max: NAME_MAX }))

export const assetName = z
  .string({ error: refuse('nameMissing') })
  .trim()
  .min(1, refuse('nameMissing'))
  .regex(plainName, refuse('nameForbidden'))
  .refine(counted(ASSET_NAME_MAX), refuse('nameTooLong', { max: ASSET_NAME_MAX }))

/**
 * Names of folders, from the outermost to the innermost, separated by `/`. Folders that are uploaded keep the names that they have on disk,
 * which may be longer than those that people type.
 */
export const folderPath = z
  .string({ error: refuse('nameMissing') })
  .max(FOLDER_PATH_MAX)
  .superRefine((path, check) => {
    for (const part of path.split('/')) {
      const issue = assetName.safeParse(part).error?.issues[0]
      if (issue) return check.addIssue({ code: 'custom', message: issue.message })
      if (/\p{Surrogate}/u.test(part)) return check.addIssue({ code: 'custom', message: refuse('nameForbidden') })
      // A trimmed name would be another folder than the one that the client asked for.
      if (part !== part.trim()) return check.addIssue({ code: 'custom', message: refuse('nameForbidden') })
    }
  })

/** A CID as text; `packages/content` parses it. */
export const cid = z.string().min(1, refuse('badCid')).max(200, refuse('badCid'))

/** The id of an entry. Without it, a CID names the earliest entry of the content in the account. */
export const assetId = int(1).optional()

export const folderId = int(0, 2_147_483_647)
export const page = int(1, 10_000_000).default(1)
export const pageSize = int(1, PAGE_SIZE_MAX).default(PAGE_SIZE)

const unlessZero = (value: unknown) => (value === 0 || value === '0' ? undefined : value)
/** As `page` and `pageSize`; 0 stands for the default, as clients of the first API send it. */
export const pageOrZero = z.preprocess(unlessZero, page)
export const pageSizeOrZero = z.preprocess(unlessZero, pageSize)

/** Empty: removes it; absent: unchanged; otherwise six letters or digits. */
export const shortPass = z.union([z.literal(''), z.string().regex(SHORT_PASS, refuse('shortPassFormat'))])

/**
 * A raw Ed25519 public key, base64url. The client signs with its private part what it received from each node; see `receivedText`. Without
 * it, the download works in the same way, but no traffic of it is signed.
 */
export const receiptKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, expects('publicKey'))
  .optional()

/** 0 or `file`, 1 or `folder`. */
export const assetType = z.preprocess((value) => assetTypeOf(value) ?? value, z.enum(ASSET_TYPES))

export const email = z
  .string({ error: refuse('emailMissing') })
  .trim()
  .toLowerCase()
  .min(1, refuse('emailMissing'))
  .max(254, refuse('emailInvalid'))
  .regex(/^\P{Cc}*$/u, refuse('emailInvalid'))
  .regex(/^[^\s@<>()[\],;:"\\]+@[^\s@.<>()[\],;:"\\]+(\.[^\s@.<>()[\],;:"\\]+)+$/, refuse('emailInvalid'))

/** A six-digit code from an e-mail. */
export const emailedCode = z
  .string({ error: refuse('invalidCode') })
  .trim()
  .regex(/^\d{6}$/, refuse('invalidCode'))

/** Text for a lookup. PostgreSQL text cannot contain NUL. */
export const plain = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !text.includes('\u0000'))
/** The public name of an account. */
export const uid = plain(254)

export const msg = z.object({ msg: z.string() })
/** For `receipts.get`; null before the event, and for events before receipts were introduced. */
export const receiptId = z.number().nullable()
export const nothing = z.object({})
