import { z } from 'zod'
import { bool, cid, int, receiptKey } from '../fields.ts'
import { expects } from '../input-hints.ts'
import { downloadInfo } from '../objects.ts'
import { route } from '../route.ts'

/** Buckets are the folders of the root, or those of a key that is limited to folders; the keys of objects are paths below them. */
export const bucket = z.string().min(1).max(255)
/** Longest key in bytes of UTF-8, as S3 limits it. */
export const OBJECT_KEY_MAX = 1024
export const key = z
  .string()
  .min(1)
  .max(OBJECT_KEY_MAX)
  .refine((text) => new TextEncoder().encode(text).length <= OBJECT_KEY_MAX && !text.includes('\0'))
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
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what values must not contain
      ([name, value]) => /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && !/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value),
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
const details = {
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
const versionId = z.string().max(100)

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

const corsTexts = z.array(z.string().max(2048)).max(500)
/** See `CorsRule` in packages/s3-wire. */
export const corsRule = z.object({
  id: z.string().max(255).optional(),
  allowedOrigins: corsTexts,
  allowedMethods: corsTexts,
  allowedHeaders: corsTexts,
  exposeHeaders: corsTexts,
  maxAgeSeconds: z.number().int().min(0).max(999_999_999_999_999).optional(),
})
export const corsRules = z.array(corsRule).max(100)

const days = z
  .number()
  .int()
  .min(1)
  .max(2 ** 31 - 1)
const size = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
/** See `LifecycleRule` in packages/s3-wire. */
export const lifecycleRule = z.object({
  id: z.string().max(255).optional(),
  isEnabled: z.boolean(),
  filter: z.object({
    prefix: z.string().max(OBJECT_KEY_MAX).optional(),
    tags: z.array(objectTag).max(OBJECT_TAGS_MAX),
    sizeAbove: size.optional(),
    sizeBelow: size.optional(),
  }),
  expiration: z
    .union([
      z.strictObject({ days }),
      z.strictObject({ date: z.number().int().min(0).max(8.64e15) }),
      z.strictObject({ deleteMarkers: z.boolean() }),
    ])
    .optional(),
  noncurrentExpiration: z.object({ days, keep: z.number().int().min(1).max(100).optional() }).optional(),
  abortMultipartAfterDays: days.optional(),
})
export type LifecycleRuleOfBucket = z.infer<typeof lifecycleRule>
export const lifecycleRules = z.array(lifecycleRule).max(1000)

/**
 * Names a write that has no receipt, at random: repeating it, because its answer was lost, makes no second version. With a receipt, that names
 * the write.
 */
const writeId = z
  .string()
  .regex(/^[\w-]{16,64}$/, expects('base64url'))
  .optional()

/** Conditions of a write on what the key has now. */
const conditions = {
  /** Only if the object has this ETag. */
  if_match: z.string().max(80).optional(),
  /** Only if there is no object. */
  if_none: bool.default(false),
}
/** `state`: `ok`; `failed` for a condition that does not hold; otherwise why, as the error of the same name. */
const putResult = z.object({
  item: z.number(),
  object: s3Object.nullable(),
  failed: z.boolean(),
  err: z.number().optional(),
  msg: z.string().optional(),
})

export const PUT_OBJECTS_MAX = 100
export const REMOVE_OBJECTS_MAX = 1000

/** For gateways that speak S3. */
export const s3 = {
  buckets: route({
    method: 'GET',
    path: '/api/v1/s3/buckets',
    auth: 'readFolder',
    input: z.object({}),
    output: z.object({ owner: z.string(), list: z.array(z.object({ name: z.string(), created: z.string() })) }),
    errors: [],
    summary: 'Lists the buckets of the account: the folders of its root',
  }),
  createBucket: route({
    method: 'POST',
    path: '/api/v1/s3/create_bucket',
    auth: 'createFolder',
    input: z.object({ bucket }),
    output: z.object({}),
    errors: ['nameTaken', 'nameForbidden', 'tooManyFolders', 'keyFolders', 'accountClosing'],
    summary: 'Creates a bucket',
  }),
  removeBucket: route({
    method: 'POST',
    path: '/api/v1/s3/remove_bucket',
    auth: 'deleteFolder',
    input: z.object({ bucket }),
    output: z.object({}),
    errors: ['folderUnknown', 'folderNotEmpty', 'keyFolders'],
    summary: 'Deletes a bucket without objects',
  }),
  settings: route({
    method: 'POST',
    path: '/api/v1/s3/settings',
    repeatable: true,
    auth: 'readFolder',
    input: z.object({ bucket }),
    output: z.object({
      versioning: z.enum(['', 'Enabled', 'Suspended']),
      cors: corsRules,
      /** None for a key that is limited to folders: prefixes begin at the bucket. */
      lifecycle: lifecycleRules,
    }),
    errors: ['folderUnknown'],
    summary: 'Returns the settings of a bucket',
  }),
  changeSettings: route({
    method: 'POST',
    path: '/api/v1/s3/change_settings',
    repeatable: true,
    auth: 'createFolder',
    input: z.object({
      bucket,
      /** Suspending needs the permission deleteFile, too. */
      versioning: z.enum(['Enabled', 'Suspended']).optional(),
      /** Empty: none. */
      cors: corsRules.optional(),
      /** Needs the permission deleteFile, too. */
      lifecycle: lifecycleRules.optional(),
    }),
    output: z.object({}),
    errors: ['folderUnknown', 'keyFolders', 'forbidden'],
    summary: 'Replaces settings of a bucket; those that are absent stay',
  }),
  cors: route({
    method: 'POST',
    path: '/api/v1/s3/cors',
    repeatable: true,
    auth: 'any',
    input: z.object({ bucket }),
    output: z.object({ rules: corsRules }),
    errors: [],
    summary: 'Returns the CORS rules of a bucket; none if there is no such bucket',
  }),
  corsOfKey: route({
    method: 'POST',
    path: '/api/v1/s3/cors_of_key',
    repeatable: true,
    auth: 'gateway',
    input: z.object({ bucket, access_key_id: z.string().max(128) }),
    output: z.object({ rules: corsRules }),
    errors: [],
    summary: 'For S3 gateways of the operator: the CORS rules of a bucket, as the account of an access key names it',
  }),
  list: route({
    method: 'POST',
    path: '/api/v1/s3/list',
    repeatable: true,
    auth: 'readFolder',
    input: z.object({
      bucket,
      prefix: z.string().max(OBJECT_KEY_MAX).default(''),
      delimiter: z.string().max(OBJECT_KEY_MAX).default(''),
      /** Only greater keys, in the order of their bytes. */
      after: z
        .string()
        .max(2 * OBJECT_KEY_MAX)
        .default(''),
      limit: int(0, 1000).default(1000),
    }),
    output: z.object({
      objects: z.array(s3Object.pick({ key: true, size: true, etag: true, modified: true })),
      prefixes: z.array(z.string()),
      /** `after` of the next page; empty: this is the last one. */
      next: z.string(),
    }),
    errors: ['folderUnknown'],
    summary: 'Lists objects of a bucket in the order of their keys',
  }),
  find: route({
    method: 'POST',
    path: '/api/v1/s3/find',
    repeatable: true,
    auth: 'readFile',
    input: z.object({ bucket, key, version_id: versionId.optional() }),
    output: s3Object,
    errors: ['folderUnknown', 'assetUnknown'],
    summary: 'Returns an object without its bytes',
  }),
  open: route({
    method: 'POST',
    path: '/api/v1/s3/open',
    repeatable: true,
    auth: 'readFile',
    input: z.object({ bucket, key, version_id: versionId.optional(), receipt_key: receiptKey }),
    output: z.object({ object: s3Object, sources: downloadInfo.nullable() }),
    errors: [
      'folderUnknown',
      'assetUnknown',
      'downloadQuotaExceeded',
      'keyTraffic',
      'contentBlocked',
      'nodesOffline',
      'contentRestoring',
      'fileExpired',
    ],
    summary: 'Returns an object with the nodes that have its bytes; none if it is empty',
  }),
  canPut: route({
    method: 'POST',
    path: '/api/v1/s3/can_put',
    repeatable: true,
    auth: 'createFile',
    input: z.object({ bucket }),
    output: z.object({}),
    errors: ['folderUnknown', 'folderEncrypted'],
    summary: 'Checks that a bucket accepts objects, before their bytes are sent',
  }),
  put: route({
    method: 'POST',
    path: '/api/v1/s3/put',
    repeatable: true,
    auth: 'createFile',
    input: z.object({
      bucket,
      /** `TraceID` of `folderUploads.info`. */
      trace_id: z.string().max(80).default(''),
      files: z
        .array(
          z.object({
            item: int(0, 2_147_483_647),
            key,
            cid,
            size: int(0),
            /** The receipt of the node; absent for an object without bytes. */
            receipt: z.string().max(4000).optional(),
            write_id: writeId,
            md5: z
              .string()
              .regex(/^([0-9a-f]{32})?$/)
              .default(''),
            ...details,
            ...conditions,
          }),
        )
        .min(1)
        .max(PUT_OBJECTS_MAX),
    }),
    output: z.object({ results: z.array(putResult) }),
    errors: ['folderUnknown', 'accountClosing'],
    summary: 'Adds uploaded objects to a bucket; one that is there is replaced, and stays as a version',
  }),
  copy: route({
    method: 'POST',
    path: '/api/v1/s3/copy',
    repeatable: true,
    auth: 'createFile',
    input: z.object({
      bucket,
      key,
      from_bucket: bucket,
      from_key: key,
      from_version: versionId.optional(),
      /** Only if the source has this ETag. */
      from_etag: z.string().max(80).optional(),
      /** Absent: those of the source. */
      headers: objectHeaders.optional(),
      metadata: objectMetadata.optional(),
      tags: objectTags.optional(),
      write_id: writeId,
      ...conditions,
    }),
    output: putResult.omit({ item: true }),
    errors: ['folderUnknown', 'assetUnknown', 'forbidden', 'contentBlocked', 'quotaExceeded'],
    summary: 'Copies an object without sending its bytes',
  }),
  setTags: route({
    method: 'POST',
    path: '/api/v1/s3/set_tags',
    repeatable: true,
    auth: 'createFile',
    input: z.object({ bucket, key, version_id: versionId.optional(), tags: objectTags }),
    output: z.object({}),
    errors: ['folderUnknown', 'assetUnknown', 'forbidden'],
    summary: 'Replaces the tags of an object; needs the permission deleteFile, too',
  }),
  remove: route({
    method: 'POST',
    path: '/api/v1/s3/remove',
    repeatable: true,
    auth: 'deleteFile',
    input: z.object({ bucket, keys: z.array(key).min(1).max(REMOVE_OBJECTS_MAX) }),
    output: z.object({
      /** Of each key that has a delete marker now: its version. */
      markers: z.array(z.object({ key: z.string(), version_id: z.string() })),
    }),
    errors: ['folderUnknown'],
    summary:
      'Moves objects to the trash; keys without an object are ignored. In buckets with versions, the keys get delete markers',
  }),
  versions: route({
    method: 'POST',
    path: '/api/v1/s3/versions',
    repeatable: true,
    auth: 'readFolder',
    input: z.object({
      bucket,
      prefix: z.string().max(OBJECT_KEY_MAX).default(''),
      delimiter: z.string().max(OBJECT_KEY_MAX).default(''),
      /** Only greater keys; with `after_version`, also the versions of this key behind that one. */
      after_key: z
        .string()
        .max(2 * OBJECT_KEY_MAX)
        .default(''),
      after_version: versionId.default(''),
      limit: int(0, 1000).default(1000),
    }),
    output: z.object({
      versions: z.array(
        s3Object
          .pick({ key: true, version_id: true, marker: true, size: true, etag: true, modified: true })
          .extend({ latest: z.boolean() }),
      ),
      prefixes: z.array(z.string()),
      /** Of the next page; empty: this is the last one. */
      next_key: z.string(),
      next_version: z.string(),
    }),
    errors: ['folderUnknown'],
    summary: 'Lists versions and delete markers of a bucket in the order of their keys, the newest of a key first',
  }),
  removeVersions: route({
    method: 'POST',
    path: '/api/v1/s3/remove_versions',
    repeatable: true,
    auth: 'deleteFile',
    input: z.object({
      bucket,
      versions: z
        .array(z.object({ key, version_id: versionId }))
        .min(1)
        .max(REMOVE_OBJECTS_MAX),
    }),
    output: z.object({
      /** In the order given: whether it was a delete marker. What there is not is no error. */
      markers: z.array(z.boolean()),
    }),
    errors: ['folderUnknown'],
    summary: 'Deletes versions of objects for good; without its delete marker, an object is there again',
  }),
}
