import { z } from 'zod'
import { assetName, bool, cid, receiptKey, refuse, texts } from '../fields.ts'
import { candidateSlot, downloadInfo, mapPoint, nodeUpload } from '../objects.ts'
import { route } from '../route.ts'

const params = z.object({ cid, need_trace: bool.default(false), filename: z.string().max(255).optional() })

export const tempFiles = {
  uploadInfo: route({
    method: 'GET',
    path: '/api/v1/storage/temp_file/get_upload_file',
    auth: 'optional',
    input: z.object({
      t: z.string().max(40).optional(),
      need_trace: bool.default(false),
      area_id: texts,
      encrypted: bool.default(false),
      urlModel: bool.default(false),
      size: z.coerce.number().int().min(0).optional(),
      md5: z.string().max(64).optional(),
      /** As in `uploads.info`. */
      asset_name: assetName.optional(),
    }),
    output: z.object({
      AlreadyExists: z.boolean(),
      CID: z.string(),
      List: z.array(nodeUpload),
      AreaID: z.string(),
      TraceID: z.string(),
      available_nodes: z.number(),
      Log: z.string(),
    }),
    errors: [
      'nameMissing',
      'nameTooLong',
      'nameForbidden',
      'noArea',
      'noNode',
      'tempTooLarge',
      'tooManyAreas',
      'tooManyUploads',
      'emptyFile',
    ],
    limit: 60,
    summary: 'Returns nodes for an anonymous upload of at most 100 MiB',
  }),
  create: route({
    method: 'POST',
    path: '/api/v1/storage/temp_file/upload',
    repeatable: true,
    auth: 'optional',
    input: z.object({
      asset_name: assetName,
      asset_cid: cid,
      asset_size: z.coerce
        .number()
        .int()
        .min(0)
        .refine((size) => size > 0, refuse('emptyFile')),
      asset_type: z.unknown().optional(),
      node_id: z.string().max(80).default(''),
      area_id: texts,
      area_ids: texts,
      need_trace: bool.default(false),
      encrypted: bool.default(false),
      receipt: z.string().max(4000).optional(),
    }),
    output: z.array(candidateSlot),
    errors: [
      'nameMissing',
      'nameTooLong',
      'nameForbidden',
      'badCid',
      'contentBlocked',
      'emptyFile',
      'tempTooLarge',
      'tooManyUploads',
      'tooManyAreas',
      'tempUploads',
      'noArea',
      'noNode',
      'nodeSignature',
    ],
    limit: 60,
    summary: 'Creates an anonymous file, kept for 24 hours',
  }),
  download: route({
    method: 'GET',
    path: '/api/v1/storage/temp_file/download/:cid',
    auth: 'optional',
    /** Previews do not count as downloads, but have a limit of their own, and end with the last download. */
    input: params.extend({ preview: bool.default(false), receipt_key: receiptKey }),
    output: downloadInfo,
    errors: ['badCid', 'notFound', 'tempDownloads', 'contentBlocked', 'nodesOffline', 'noArea'],
    limit: 120,
    summary: 'Returns download sources for an anonymous file',
  }),
  info: route({
    method: 'GET',
    path: '/api/v1/storage/temp_file/info/:cid',
    auth: 'optional',
    input: params,
    output: z.object({
      total: z.number(),
      complete: z.number(),
      /** Number of replicas to create; 0 until decided. */
      wanted: z.number(),
      name: z.string(),
      size: z.number(),
      expires_at: z.string(),
      downloads_left: z.number(),
      share_url: z.string(),
      maplist: z.array(mapPoint),
      list: z.array(
        z.object({
          NodeID: z.string(),
          Status: z.number(),
          IsCandidate: z.boolean(),
          DoneSize: z.number(),
          TotalSize: z.number(),
        }),
      ),
    }),
    errors: ['badCid', 'notFound'],
    limit: 300,
    summary: 'Returns state, replicas and limits of an anonymous file',
  }),
  adopt: route({
    method: 'POST',
    path: '/api/v1/storage/temp_file/adopt',
    repeatable: true,
    auth: 'session',
    /** `trace_id`: of the upload (`TraceID` of `tempFiles.uploadInfo`); only whoever uploaded the file knows it. */
    input: z.object({ cid, trace_id: z.string().min(1).max(100) }),
    /** False: the account has the file already. */
    output: z.object({ adopted: z.boolean() }),
    errors: ['badCid', 'notFound', 'quotaExceeded'],
    limit: 60,
    summary: 'Adds an anonymous file that the caller uploaded to the account, in the top folder',
  }),
  share: route({
    method: 'GET',
    path: '/api/v1/storage/temp_file/share/:cid',
    auth: 'public',
    shape: 'raw',
    input: params,
    output: z.unknown(),
    errors: ['badCid', 'notFound', 'tempDownloads', 'contentBlocked', 'nodesOffline', 'noArea'],
    limit: 120,
    summary: 'Redirects (302) to a node that serves the anonymous file; on errors, browsers get a page with the reason',
  }),
}
