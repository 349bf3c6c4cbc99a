import { z } from 'zod'
import { cid, int, receiptKey } from '../fields.ts'
import { expects } from '../input-hints.ts'
import { downloadInfo } from '../objects.ts'
import { route } from '../route.ts'
import {
  bucket,
  conditions,
  details,
  key,
  OBJECT_KEY_MAX,
  objectHeaders,
  objectMetadata,
  objectTags,
  putResult,
  s3Object,
  versionId,
} from './s3-fields.ts'
import { s3Settings } from './s3-settings.ts'

export const PUT_OBJECTS_MAX = 100
export const REMOVE_OBJECTS_MAX = 1000

/**
 * Names a write that has no receipt, at random: repeating it, because its answer was lost, makes no second version. With a receipt, that names
 * the write.
 */
const writeId = z
  .string()
  .regex(/^[\w-]{16,64}$/, expects('base64url'))
  .optional()

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
  ...s3Settings,
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
    /** `size`: bytes that wait at the gateway. */
    input: z.object({ bucket, size: int(0).default(0) }),
    output: z.object({}),
    errors: ['folderUnknown', 'folderEncrypted', 'quotaExceeded'],
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
            /** The upload in parts that the object completes. The write ends it; if it has ended already, nothing is written (`notFound`). */
            upload_id: z.string().max(80).optional(),
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
    input: z.object({
      bucket,
      keys: z.array(key).min(1).max(REMOVE_OBJECTS_MAX),
      /** Deletes an object only if it has this ETag, without quotes; `*`: only if there is one. */
      conditions: z
        .array(z.object({ key, etag: z.string().max(80) }))
        .max(REMOVE_OBJECTS_MAX)
        .default([]),
    }),
    output: z.object({
      /** Keys whose condition does not hold; their objects stay. */
      failed: z.array(z.string()),
      /** Of each key that has a delete marker now: its version. */
      markers: z.array(z.object({ key: z.string(), version_id: z.string() })),
    }),
    errors: ['folderUnknown'],
    summary:
      'Moves objects to the trash; keys without an object are ignored. An object whose condition does not hold stays, and its key is in `failed`. In buckets with versions, the keys get delete markers',
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
