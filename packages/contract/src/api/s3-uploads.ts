import { z } from 'zod'
import { cid, int, receiptKey } from '../fields.ts'
import { downloadInfo } from '../objects.ts'
import { route } from '../route.ts'
import {
  bucket,
  CHECKSUM_NAMES,
  key,
  OBJECT_KEY_MAX,
  objectChecksums,
  objectHeaders,
  objectMetadata,
  objectTags,
  objectTexts,
} from './s3-fields.ts'

/** Of an upload; also the number of its last part. */
export const PARTS_MAX = 10_000
const number = int(1, PARTS_MAX)
const upload = { bucket, key, upload_id: z.string().min(1).max(64) }

export const objectPart = z.object({
  number: z.number(),
  cid: z.string(),
  size: z.number(),
  /** Its MD5. */
  etag: z.string(),
  /** The receipt of the node that stored it. */
  receipt: z.string(),
  checksums: objectTexts,
  modified: z.string(),
})
export type ObjectPart = z.infer<typeof objectPart>

/** Uploads in parts, for gateways that speak S3. */
export const s3Uploads = {
  begin: route({
    method: 'POST',
    path: '/api/v1/s3/begin_upload',
    auth: 'createFile',
    input: z.object({
      bucket,
      key,
      headers: objectHeaders.default({}),
      metadata: objectMetadata.default({}),
      tags: objectTags.default([]),
      /** Of the checksums of the parts; empty: none. */
      algorithm: z.enum(['', ...CHECKSUM_NAMES]).default(''),
      /** Of the checksum of the object; empty: the default of the algorithm. */
      checksum_type: z.enum(['', 'COMPOSITE', 'FULL_OBJECT']).default(''),
    }),
    output: z.object({ upload_id: z.string() }),
    errors: ['folderUnknown', 'folderEncrypted', 'tooManyUploads', 'accountClosing'],
    summary: 'Begins to upload an object in parts',
  }),
  find: route({
    method: 'POST',
    path: '/api/v1/s3/find_upload',
    repeatable: true,
    auth: 'createFile',
    input: z.object(upload),
    output: z.object({
      headers: objectTexts,
      metadata: objectTexts,
      tags: z.array(z.object({ key: z.string(), value: z.string() })),
      algorithm: z.string(),
      checksum_type: z.string(),
      created: z.string(),
    }),
    errors: ['folderUnknown', 'notFound'],
    summary: 'Returns what an upload in parts began with',
  }),
  putPart: route({
    method: 'POST',
    path: '/api/v1/s3/put_part',
    repeatable: true,
    auth: 'createFile',
    input: z.object({
      ...upload,
      number,
      cid,
      size: int(0),
      receipt: z.string().max(4000).default(''),
      md5: z.string().regex(/^[0-9a-f]{32}$/),
      checksums: objectChecksums.default({}),
    }),
    output: z.object({ modified: z.string() }),
    errors: ['folderUnknown', 'notFound', 'badCid', 'contentBlocked', 'nodeSignature', 'proofFailed', 'tooManyUploads'],
    summary: 'Adds a part that a node has stored; one with the same number is replaced',
  }),
  parts: route({
    method: 'POST',
    path: '/api/v1/s3/parts',
    repeatable: true,
    auth: 'createFile',
    input: z.object({ ...upload, after: int(0, PARTS_MAX).default(0), limit: int(0, PARTS_MAX).default(1000) }),
    output: z.object({ list: z.array(objectPart), more: z.boolean() }),
    errors: ['folderUnknown', 'notFound'],
    summary: 'Lists the parts of an upload by number',
  }),
  openPart: route({
    method: 'POST',
    path: '/api/v1/s3/open_part',
    repeatable: true,
    auth: 'createFile',
    input: z.object({ ...upload, number, receipt_key: receiptKey }),
    output: z.object({ sources: downloadInfo.nullable() }),
    errors: ['folderUnknown', 'notFound', 'contentBlocked', 'nodesOffline', 'keyTraffic', 'downloadQuotaExceeded'],
    summary: 'Returns the nodes that have the bytes of a part; none if it is empty',
  }),
  join: route({
    method: 'POST',
    path: '/api/v1/s3/join_parts',
    repeatable: true,
    auth: 'createFile',
    input: z.object({
      ...upload,
      /** Their numbers, in the order of their bytes. */
      parts: z.array(number).min(1).max(PARTS_MAX),
    }),
    output: z.object({
      TraceID: z.string(),
      /** The node that stored all of them; null: there is none, or it cannot be reached. */
      node: z.object({ NodeID: z.string(), JoinURL: z.string(), Token: z.string() }).nullable(),
    }),
    errors: ['folderUnknown', 'notFound', 'contentBlocked', 'quotaExceeded', 'tooManyUploads', 'accountClosing'],
    summary: 'Returns the node that can join the parts of an upload: it has all of them',
  }),
  list: route({
    method: 'POST',
    path: '/api/v1/s3/uploads',
    repeatable: true,
    auth: 'createFile',
    input: z.object({
      bucket,
      prefix: z.string().max(OBJECT_KEY_MAX).default(''),
      after_key: z.string().max(OBJECT_KEY_MAX).default(''),
      /** Of the uploads of `after_key`, only those behind this one; empty: none of them. */
      after_id: z.string().max(64).default(''),
      limit: int(0, 1000).default(1000),
    }),
    output: z.object({
      list: z.array(z.object({ key: z.string(), upload_id: z.string(), created: z.string() })),
      more: z.boolean(),
    }),
    errors: ['folderUnknown'],
    summary: 'Lists the uploads in parts that have not ended, by key',
  }),
  end: route({
    method: 'POST',
    path: '/api/v1/s3/end_upload',
    repeatable: true,
    auth: 'createFile',
    input: z.object(upload),
    output: z.object({}),
    errors: ['folderUnknown', 'notFound'],
    summary: 'Ends an upload in parts, and releases its parts',
  }),
}
