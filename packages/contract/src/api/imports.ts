import { z } from 'zod'
import { assetName, cid, folderId, int, nothing, page, pageSize, plain } from '../fields.ts'
import { IMPORT_KINDS, IMPORT_PROBLEMS_MAX, IMPORT_REASON_NAMES, IMPORT_STATES } from '../imports.ts'
import { route } from '../route.ts'
import { OBJECT_KEY_MAX } from './s3-fields.ts'

const id = int(1)
/** Where to put it; 0: the root. */
const group_id = folderId.default(0)
/** Of the file or folder; empty: as the source calls it. */
const name = z.union([z.literal(''), assetName]).default('')
const secret = z.string().max(256)

/** An import, without anything secret of its source. */
export const importItem = z.object({
  id: z.number(),
  kind: z.enum(IMPORT_KINDS),
  /** The address without its query, the CID, or `endpoint/bucket/prefix`. */
  source: z.string(),
  name: z.string(),
  group_id: z.number(),
  state: z.enum(IMPORT_STATES),
  /** Bytes that arrived so far, and those that the source announced; null: unknown. */
  received: z.number(),
  total: z.number().nullable(),
  /** Of the objects of another S3: those that are done, that were there already, that failed, and all that were listed. */
  done: z.number(),
  skipped: z.number(),
  failed: z.number(),
  objects: z.number(),
  /** Objects that were skipped because they are in an archive of the other S3. */
  archived: z.number(),
  /** The first objects that were not copied, and why. */
  problems: z.array(z.object({ key: z.string(), reason: z.string(), error: z.string() })),
  /**
   * Of a failed import: why, for programs; and what to do, for people. Of a queued one: why the last try failed, and that it will be tried
   * again; empty before the first try.
   */
  reason: z.string(),
  error: z.string(),
  /** CID of the file or folder; empty before it is there, and for other S3. */
  cid: z.string(),
  created: z.string(),
  ended: z.string().nullable(),
})
export type ImportItem = z.infer<typeof importItem>

const lease = { id, lease: z.string().min(1).max(64) }
const counts = {
  received: int(),
  total: int().nullable().default(null),
  done: int().default(0),
  skipped: int().default(0),
  failed: int().default(0),
  objects: int().default(0),
  archived: int().default(0),
  problems: z
    .array(z.object({ key: z.string().max(OBJECT_KEY_MAX), reason: z.enum(IMPORT_REASON_NAMES) }))
    .max(IMPORT_PROBLEMS_MAX)
    .default([]),
  /** Of a file without raw leaves, which gets a folder of its own: bytes of all its blocks, from which the CID of the folder follows. */
  wrapped_bytes: int(0).default(0),
}

/** What a worker gets to do. Only gateways of the operator get it, because it has secrets of the source. */
export const importJob = z.object({
  id: z.number(),
  lease: z.string(),
  /** Ms after which another worker takes it, unless progress is reported. */
  lease_ms: z.number(),
  kind: z.enum(IMPORT_KINDS),
  /** Address, CID, or endpoint. */
  source: z.string(),
  name: z.string(),
  group_id: z.number(),
  region: z.string(),
  bucket: z.string(),
  prefix: z.string(),
  access_key_id: z.string(),
  secret_access_key: z.string(),
  /** The name of the destination as a bucket of ours; empty: the root. */
  to_bucket: z.string(),
  /** For the calls that store what arrives. It can do nothing else, and ends with the import. */
  token: z.string(),
  /** Bytes that the account may still store, and that one file may have. */
  free: z.number(),
  file_max: z.number(),
  /** Trustless gateways, in the order in which they are asked. */
  ipfs_sources: z.array(z.string()),
  /** Private addresses are allowed, for development. */
  private_too: z.boolean(),
})
export type ImportJob = z.infer<typeof importJob>

/** Why an import does not begin. */
const BEGIN_ERRORS = [
  'keyCapped',
  'importNotOffered',
  'tooManyImports',
  'folderUnknown',
  'folderEncrypted',
  'quotaExceeded',
  'accountClosing',
] as const

/** Imports from elsewhere: gateways fetch the bytes and store them in the account. */
export const imports = {
  options: route({
    method: 'GET',
    path: '/api/v1/storage/import_options',
    auth: 'createFile',
    input: z.object({}),
    output: z.object({ url: z.boolean(), cid: z.boolean(), s3: z.boolean() }),
    errors: [],
    summary: 'Returns which kinds of imports the operator offers',
  }),
  url: route({
    method: 'POST',
    path: '/api/v1/storage/import_url',
    auth: 'createFile',
    input: z.object({ url: plain(8192), name, group_id }),
    output: z.object({ id: z.number() }),
    errors: ['importUrl', ...BEGIN_ERRORS],
    summary: 'Imports a file from a public http or https address',
  }),
  cid: route({
    method: 'POST',
    path: '/api/v1/storage/import_cid',
    auth: 'createFile',
    input: z.object({ cid, name, group_id }),
    output: z.object({ id: z.number() }),
    errors: ['badCid', 'contentBlocked', ...BEGIN_ERRORS],
    summary: 'Imports a file or folder of IPFS by its CID, from gateways that the operator names',
  }),
  s3: route({
    method: 'POST',
    path: '/api/v1/storage/import_s3',
    auth: 'createFile',
    input: z.object({
      endpoint: plain(2048),
      region: z
        .string()
        .regex(/^[\w.-]{1,64}$/)
        .default('us-east-1'),
      bucket: z.string().regex(/^[a-zA-Z0-9._-]{1,255}$/),
      prefix: plain(OBJECT_KEY_MAX).default(''),
      access_key_id: z.string().regex(/^[\x21-\x7e]{1,128}$/),
      secret_access_key: secret.min(1),
      /** Objects become files of this folder, so it cannot be the root. */
      group_id: folderId.min(1),
    }),
    output: z.object({ id: z.number() }),
    errors: ['importUrl', ...BEGIN_ERRORS],
    summary: 'Copies the objects of a bucket of another S3 into a folder; the secret is forgotten when the import ends',
  }),
  list: route({
    method: 'GET',
    path: '/api/v1/storage/imports',
    auth: 'readFile',
    input: z.object({ page, page_size: pageSize }),
    output: z.object({ list: z.array(importItem), total: z.number() }),
    errors: [],
    summary: 'Lists the imports of the last 30 days, newest first',
  }),
  cancel: route({
    method: 'POST',
    path: '/api/v1/storage/cancel_import',
    repeatable: true,
    auth: 'createFile',
    input: z.object({ id }),
    output: nothing,
    errors: ['notFound'],
    summary: 'Cancels an import; what it has stored completely stays',
  }),
  retry: route({
    method: 'POST',
    path: '/api/v1/storage/retry_import',
    auth: 'createFile',
    input: z.object({
      id,
      /** Of another S3, because it was forgotten. */
      secret_access_key: secret.default(''),
    }),
    output: nothing,
    errors: ['notFound', 'importSecret', ...BEGIN_ERRORS],
    summary: 'Starts a failed or cancelled import again',
  }),
  claim: route({
    method: 'POST',
    path: '/api/v1/storage/claim_import',
    auth: 'gateway',
    input: z.object({}),
    output: z.object({ job: importJob.nullable() }),
    errors: [],
    summary: 'For S3 gateways of the operator: leases the next import',
  }),
  progress: route({
    method: 'POST',
    path: '/api/v1/storage/import_progress',
    repeatable: true,
    auth: 'gateway',
    input: z.object({ ...lease, ...counts }),
    /**
     * `go`: false if it was cancelled or is leased by another worker, which has to be obeyed at once; `awaited`: an import of another account
     * waits for a worker.
     */
    output: z.object({ go: z.boolean(), free: z.number(), awaited: z.boolean() }),
    errors: [],
    summary: 'For S3 gateways of the operator: reports the progress of an import and renews its lease',
  }),
  finish: route({
    method: 'POST',
    path: '/api/v1/storage/finish_import',
    repeatable: true,
    auth: 'gateway',
    input: z.object({
      ...lease,
      ...counts,
      /** Empty: it is done. */
      reason: z.enum(['', ...IMPORT_REASON_NAMES]),
      cid: z.string().max(200).default(''),
    }),
    output: nothing,
    errors: [],
    summary: 'For S3 gateways of the operator: ends an import',
  }),
}
