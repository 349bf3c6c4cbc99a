import { z } from 'zod'
import { FOLDER_BATCH_MAX, UPLOAD_BATCH_MAX } from '../constants.ts'
import { assetName, bool, cid, folderId, folderPath, int, texts } from '../fields.ts'
import { expects } from '../input-hints.ts'
import { route } from '../route.ts'
import { ON_CONFLICT } from '../storage-enums.ts'
import { itemResult } from './trash.ts'
import { proofRequest } from './uploads.ts'

const md5 = z.string().regex(/^[0-9a-fA-F]{32}$/, expects('hex32'))
/** Why this file was refused; the others of the call are not affected. */
const refusal = { err: z.number().optional(), msg: z.string().optional() }

/** Uploads of many files at once: as `folders.create`, `uploads.info` and `assets.create`, with few calls. */
export const folderUploads = {
  /** Idempotent, so that an interrupted upload continues in the same folders. */
  folders: route({
    method: 'POST',
    path: '/api/v1/storage/create_groups',
    repeatable: true,
    auth: 'createFolder',
    input: z.object({
      parent: folderId.default(0),
      /** `Holiday/Day 1`: each name of the path is a folder. All paths together name at most 1,000 folders. */
      paths: z.array(folderPath).min(1).max(FOLDER_BATCH_MAX),
    }),
    output: z.object({
      /** In the order of `paths`; of several folders with the same name, the oldest. */
      list: z.array(z.object({ path: z.string(), id: z.number(), created: z.boolean() })),
    }),
    errors: ['nameMissing', 'nameTooLong', 'nameForbidden', 'folderUnknown', 'tooManyFolders'],
    summary: 'Returns the folders with these paths below `parent`, and creates those that do not exist',
  }),
  info: route({
    method: 'POST',
    path: '/api/v1/storage/get_upload_infos',
    repeatable: true,
    auth: 'createFile',
    input: z.object({
      /** The name of the uploaded folder in the list of transfers: all files of a folder have one trace. */
      name: assetName,
      /** `TraceID` of an earlier answer for the same folder. */
      trace_id: z.string().max(80).optional(),
      area_id: texts,
      /** Whether the client can send proofs of possession. */
      proof: bool.default(false),
      /** Uploads with the same word go to the same nodes, as far as these can take them. */
      gather: z.string().max(64).default(''),
      /** Accepts files of 0 bytes, which are refused otherwise. */
      allow_empty: bool.default(false),
      files: z
        .array(
          z.object({
            /** A number that the client gives this file. A call that repeats it, with the same trace, renews its upload. */
            item: int(0, 2_147_483_647),
            /** Bytes; node tokens are issued for exactly this size. */
            size: int(0),
            /**
             * The file may be smaller than `size`, for programs that ask before they have it. Granted while `size` bytes of all these files
             * are at most a hundredth of the free quota, and not to keys with a cap of traffic.
             */
            up_to: bool.default(false),
            md5: md5.optional(),
          }),
        )
        .min(1)
        .max(UPLOAD_BATCH_MAX),
    }),
    output: z.object({
      TraceID: z.string(),
      AreaID: z.string(),
      /** `BundleURL` takes many small files in one request. */
      nodes: z.array(
        z.object({ NodeID: z.string(), UploadURL: z.string(), ResumeURL: z.string(), BundleURL: z.string() }),
      ),
      /** One for each of `files`. */
      list: z.array(
        z.object({
          item: z.number(),
          ok: z.boolean(),
          ...refusal,
          /** The account has these bytes already; then there are no tokens. */
          AlreadyExists: z.boolean(),
          CID: z.string(),
          /** Whether the network has content of this size, so that an instant upload is possible. */
          SizeKnown: z.boolean(),
          Proof: proofRequest.nullable(),
          /** Tokens of this file, the best node first; `node`: its place in `nodes`. */
          tokens: z.array(z.object({ node: z.number(), Token: z.string() })),
        }),
      ),
    }),
    errors: ['nameMissing', 'nameTooLong', 'nameForbidden', 'noArea', 'noNode', 'keyTraffic', 'accountClosing'],
    summary: 'Returns nodes for up to 100 files of a folder, with a token for each file, and checks the quota for each',
  }),
  create: route({
    method: 'POST',
    path: '/api/v1/storage/create_assets',
    repeatable: true,
    auth: 'createFile',
    input: z.object({
      /** `TraceID` of `folderUploads.info`. */
      trace_id: z.string().max(80).default(''),
      area_id: texts,
      /** As in `folderUploads.info`. */
      allow_empty: bool.default(false),
      files: z
        .array(
          z.object({
            /** Identifies the file in the answer. */
            item: int(0, 2_147_483_647),
            asset_name: assetName,
            asset_cid: cid,
            /** The client's statement; the node's receipt is authoritative. */
            asset_size: int(0),
            group_id: folderId.default(0),
            extra_id: z.string().max(200).default(''),
            md5: md5.or(z.literal('')).default(''),
            encrypted: bool.default(false),
            /** As in `assets.create`. */
            on_conflict: z.enum(ON_CONFLICT).default('keep_both'),
            /** The node's signed receipt. */
            receipt: z.string().max(4000).optional(),
            /** `proof` of `uploads.prove`, for an instant upload. */
            proof: z.string().max(4000).optional(),
          }),
        )
        .min(1)
        .max(UPLOAD_BATCH_MAX),
    }),
    output: z.object({
      /** One for each of `files`; `id` is the CID. */
      results: z.array(itemResult.extend({ item: z.number() })),
    }),
    errors: [],
    summary: 'Adds up to 100 uploaded files to the account, with a result for each',
  }),
}
