/** What the operations of S3 gateways have in common. */
import { z } from 'zod'
import { bool } from '../fields.ts'

/** Buckets are the folders of the root, or those of a key that is limited to folders; the keys of objects are paths below them. */
export const bucket = z.string().min(1).max(255)
/** Longest key in bytes of UTF-8, as S3 limits it. */
export const OBJECT_KEY_MAX = 1024
/** UTF-8 can hold it: PostgreSQL refuses half characters in JSON, and texts would replace them. */
export const isWhole = (text: string): boolean => !/\p{Surrogate}/u.test(text)
export const key = z
  .string()
  .min(1)
  .max(OBJECT_KEY_MAX)
  .refine((text) => new TextEncoder().encode(text).length <= OBJECT_KEY_MAX && !text.includes('\0') && isWhole(text))
export const objectTexts = z.record(z.string().max(200), z.string().max(4096))

/** Headers that are kept with an object. Gateways send them to readers, so no other header can be among them. */
export const OBJECT_HEADERS = [
  'content-type',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'expires',
] as const
/** All names and values of the metadata together, in bytes of UTF-8. */
export const OBJECT_METADATA_MAX = 2048
const OBJECT_HEADERS_MAX = 4096
export const CHECKSUM_NAMES = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const

const sizeOf = (texts: Record<string, string>) => new TextEncoder().encode(Object.entries(texts).flat().join('')).length
const isOneOf = (names: readonly string[], name: string) => names.includes(name)

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what values must not contain
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/

/** Values are bytes, as latin1. */
export const objectHeaders = objectTexts.refine(
  (texts) =>
    sizeOf(texts) <= OBJECT_HEADERS_MAX &&
    Object.entries(texts).every(
      ([name, value]) => isOneOf(OBJECT_HEADERS, name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
    ),
)
export const objectMetadata = objectTexts.refine(
  (texts) =>
    sizeOf(texts) <= OBJECT_METADATA_MAX &&
    Object.entries(texts).every(
      ([name, value]) => /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && !CONTROL.test(value) && isWhole(value),
    ),
)
/** By algorithm; base64, with the number of parts if it is a checksum of checksums. */
export const objectChecksums = objectTexts.refine((texts) =>
  Object.entries(texts).every(
    ([name, value]) => isOneOf(CHECKSUM_NAMES, name) && /^[A-Za-z0-9+/]{6,43}={0,2}(-\d{1,5})?$/.test(value),
  ),
)
/** Of an object. */
export const OBJECT_TAGS_MAX = 10
const TAG_TEXT = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u
export const objectTag = z.object({
  key: z
    .string()
    .min(1)
    .max(128)
    .refine((text) => TAG_TEXT.test(text) && !text.startsWith('aws:')),
  value: z
    .string()
    .max(256)
    .refine((text) => TAG_TEXT.test(text)),
})
export type ObjectTag = z.infer<typeof objectTag>
export const objectTags = z
  .array(objectTag)
  .max(OBJECT_TAGS_MAX)
  .refine((tags) => new Set(tags.map((tag) => tag.key)).size === tags.length)
/** What S3 keeps of an object beside its bytes. */
export const details = {
  /** Without quotes: the MD5 in hex, or `md5-parts`. */
  etag: z.string().regex(/^[0-9a-f]{32}(-\d{1,5})?$/),
  /** Content-Type, Cache-Control and the like, in lower case. */
  headers: objectHeaders.default({}),
  /** `x-amz-meta-*`, without that prefix. */
  metadata: objectMetadata.default({}),
  checksums: objectChecksums.default({}),
  tags: objectTags.default([]),
}

/** Names a version: `null`, or 32 hex digits. */
export const versionId = z.string().max(100)

export const s3Object = z.object({
  key: z.string(),
  /** Empty if versions were never enabled in the bucket. */
  version_id: z.string(),
  /** A delete marker, which has no content. Only versions that were asked for can be one. */
  marker: z.boolean(),
  asset_id: z.number(),
  version: z.number(),
  cid: z.string(),
  /** `folder`: sealed as one item; its bytes are not those of a file. */
  kind: z.enum(['file', 'folder']),
  size: z.number(),
  etag: z.string(),
  modified: z.string(),
  headers: objectTexts,
  metadata: objectTexts,
  checksums: objectTexts,
  tags: z.array(z.object({ key: z.string(), value: z.string() })),
  /**
   * When a lifecycle rule deletes it, and which. Null: none does; or it is not the current version; or the API key is limited to folders, and
   * does not see rules.
   */
  expiration: z.object({ at: z.string(), rule_id: z.string() }).nullable(),
})
export type S3Object = z.infer<typeof s3Object>

/** Conditions of a write on what the key has now. */
export const conditions = {
  /** Only if the object has this ETag. */
  if_match: z.string().max(80).optional(),
  /** Only if there is no object. */
  if_none: bool.default(false),
}
/** `state`: `ok`; `failed` for a condition that does not hold; otherwise why, as the error of the same name. */
export const putResult = z.object({
  item: z.number(),
  object: s3Object.nullable(),
  failed: z.boolean(),
  err: z.number().optional(),
  msg: z.string().optional(),
})
