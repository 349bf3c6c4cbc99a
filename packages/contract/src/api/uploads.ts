import { z } from 'zod'
import { assetId, assetName, bool, cid, folderId, int, msg, texts } from '../fields.ts'
import { expects } from '../input-hints.ts'
import { areaMap, nodeUpload } from '../objects.ts'
import { route } from '../route.ts'

/** A request for a proof of possession: the SHA-256 of `length` bytes at `offset`, and the CID. */
export const proofRequest = z.object({ id: z.string(), offset: z.number(), length: z.number() })

export const uploads = {
  areas: route({
    method: 'GET',
    path: '/api/v1/storage/get_area_id',
    auth: 'optional',
    team: 'viewer',
    input: z.object({
      cid: z.string().max(200).optional(),
      asset_id: assetId,
      user_id: z.string().max(254).optional(),
    }),
    output: z.object({ list: z.array(z.string()), area_maps: z.array(areaMap) }),
    errors: ['badCid'],
    summary: 'Lists the areas with online nodes; with `cid` only areas that have the file',
  }),
  info: route({
    method: 'GET',
    path: '/api/v1/storage/get_upload_info',
    auth: 'createFile',
    input: z.object({
      t: z.string().max(40).optional(),
      need_trace: bool.default(false),
      md5: z.string().max(64).optional(),
      area_id: texts,
      urlModel: bool.default(false),
      /** Bytes; node tokens are issued for exactly this size. */
      size: int(0).optional(),
      /** `TraceID` of an earlier answer, to repeat or resume that upload. */
      trace_id: z.string().max(80).optional(),
      /** Whether the client can send a proof of possession. */
      proof: bool.default(false),
      /** The folder that the file is for: what it would refuse is refused before bytes are sent. */
      group_id: folderId.default(0),
      encrypted: bool.default(false),
      /** The name that it will get, so that it is checked before bytes are sent. */
      asset_name: assetName.optional(),
      /** Accepts `size=0`, which is refused otherwise. */
      allow_empty: bool.default(false),
    }),
    output: z.object({
      AlreadyExists: z.boolean(),
      CID: z.string(),
      List: z.array(nodeUpload),
      AreaID: z.string(),
      TraceID: z.string(),
      available_nodes: z.number(),
      Log: z.string(),
      /** With `size`: whether the network has content of this size, so that an instant upload is possible. */
      SizeKnown: z.boolean(),
      Proof: proofRequest.nullable(),
    }),
    errors: [
      'nameMissing',
      'nameTooLong',
      'nameForbidden',
      'noArea',
      'noNode',
      'quotaExceeded',
      'keyTraffic',
      'tooManyUploads',
      'emptyFile',
      'folderEncrypted',
      'accountClosing',
    ],
    summary: 'Returns nodes to upload to, best first, or the CID if the content already exists',
  }),
  prove: route({
    method: 'POST',
    path: '/api/v1/storage/upload_proof',
    repeatable: true,
    auth: 'createFile',
    input: z.object({ id: z.string().max(80), cid, sha256: z.string().regex(/^[0-9a-f]{64}$/, expects('hex64')) }),
    output: z.object({ AlreadyExists: z.boolean(), CID: z.string(), proof: z.string() }),
    errors: ['badCid', 'proofFailed'],
    limit: 120,
    summary: 'Verifies a proof of possession; `create_asset` accepts the returned `proof`',
  }),
  cancel: route({
    method: 'POST',
    path: '/api/v1/storage/cancel_upload',
    repeatable: true,
    auth: 'createFile',
    input: z.object({ trace_id: z.string().max(80).default(''), asset_cid: z.string().max(200).default('') }),
    output: msg,
    errors: [],
    summary: 'Cancels an unfinished upload and releases its reserved quota',
  }),
}
