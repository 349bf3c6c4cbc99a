import { z } from 'zod'
import { FILES_END_DAYS, FREE_STORAGE_DAYS } from '../constants.ts'
import {
  assetId,
  assetName,
  assetType,
  bool,
  cid,
  folderId,
  int,
  msg,
  nothing,
  page,
  pageSize,
  texts,
  uid,
} from '../fields.ts'
import { expects } from '../input-hints.ts'
import { assetOverview, candidateSlot, mapPoint, NODE_STATUSES, shareTerms, thirdPartyCounts } from '../objects.ts'
import { route } from '../route.ts'
import { ASSET_TYPES, ON_CONFLICT } from '../storage-enums.ts'

export const assets = {
  create: route({
    method: 'POST',
    path: '/api/v1/storage/create_asset',
    repeatable: true,
    auth: 'createFile',
    input: z.object({
      asset_name: assetName,
      asset_type: assetType,
      /** The client's statement; the node's receipt is authoritative. */
      asset_size: int(0),
      /** Accepts a file of 0 bytes, which is refused otherwise. */
      allow_empty: bool.default(false),
      asset_cid: cid,
      node_id: z.string().max(80).default(''),
      group_id: int(-1, 2_147_483_647).default(0),
      extra_id: z.string().max(200).default(''),
      md5: z
        .string()
        .regex(/^[0-9a-fA-F]{32}$/, expects('hex32'))
        .or(z.literal(''))
        .default(''),
      area_id: texts,
      area_ids: texts,
      need_trace: bool.default(false),
      encrypted: bool.default(false),
      /** The node's signed receipt, if the client has it. */
      receipt: z.string().max(4000).optional(),
      /** `proof` of `uploads.prove`, for an instant upload. */
      proof: z.string().max(4000).optional(),
      /** `TraceID` of `uploads.info`, for an instant upload: this call names and closes the caller's trace if no bytes were sent for it. */
      trace_id: z.string().max(80).optional(),
      /**
       * What to do if the folder has the name already; then the account may list the same content several times. Absent: names may repeat,
       * and content that the account has anywhere is refused with `assetExists`. `replace` needs the permission deleteFile, and keeps the earlier
       * content as a version.
       */
      on_conflict: z.enum(ON_CONFLICT).optional(),
    }),
    /** Empty: the network already has the bytes. Otherwise: nodes to which the folder's archive can be sent. */
    output: z.array(candidateSlot),
    errors: [
      'nameMissing',
      'nameTooLong',
      'nameForbidden',
      'badCid',
      'contentBlocked',
      'emptyFile',
      'assetExists',
      'nameTaken',
      'forbidden',
      'quotaExceeded',
      'keyTraffic',
      'accountClosing',
      'tooManyUploads',
      'folderUnknown',
      'folderEncrypted',
      'noArea',
      'noNode',
      'proofFailed',
      'nodeSignature',
      'tempTooLarge',
      'tempUploads',
      'tooManyAreas',
    ],
    summary: 'Adds uploaded content to the account, or reserves quota for a folder and returns the nodes to send it to',
  }),
  rename: route({
    method: 'POST',
    path: '/api/v1/storage/rename_asset',
    repeatable: true,
    auth: 'createFile',
    input: z.object({ asset_cid: cid, asset_id: assetId, new_name: assetName }),
    output: msg,
    errors: ['nameMissing', 'nameTooLong', 'nameForbidden', 'badCid', 'assetUnknown'],
    summary: 'Renames a file',
  }),
  remove: route({
    method: 'GET',
    path: '/api/v1/storage/delete_asset',
    alsoPost: true,
    auth: 'deleteFile',
    /** `trash=1` moves a completely deleted file to the trash for 30 days. */
    input: z.object({ asset_cid: cid, asset_id: assetId, area_id: texts, trash: bool.default(false) }),
    output: z.object({ msg: z.string(), complete: z.boolean() }),
    errors: ['badCid', 'assetUnknown'],
    summary: 'Deletes a file, or only its replicas in the given areas',
  }),
  move: route({
    method: 'GET',
    path: '/api/v1/storage/move_asset_to_group',
    alsoPost: true,
    auth: 'createFile',
    input: z.object({ asset_cid: cid, asset_id: assetId, group_id: folderId }),
    output: msg,
    errors: ['badCid', 'assetUnknown', 'folderUnknown', 'moveSame', 'folderEncrypted'],
    summary: 'Moves a file into a folder',
  }),
  list: route({
    method: 'GET',
    path: '/api/v1/storage/get_asset_list',
    auth: 'readFile',
    input: z.object({ group_id: folderId.default(0), page, page_size: pageSize }),
    output: z.object({ list: z.array(assetOverview), total: z.number() }),
    errors: ['folderUnknown'],
    summary: 'Lists the files of a folder, newest first',
  }),
  ending: route({
    method: 'GET',
    path: '/api/v1/storage/ending_files',
    auth: 'readFile',
    input: z.object({ days: int(1, FREE_STORAGE_DAYS).default(FILES_END_DAYS), page, page_size: pageSize }),
    output: z.object({
      list: z.array(
        z.object({
          asset_id: z.number(),
          cid: z.string(),
          name: z.string(),
          size: z.number(),
          folder_id: z.number(),
          /** When it is deleted. */
          expires_at: z.string(),
        }),
      ),
      total: z.number(),
      /** Until when files are kept that are extended now. */
      extended_until: z.string(),
      /** Whether the plan of the account extends files by itself, as long as it is active. */
      kept: z.boolean(),
    }),
    errors: [],
    summary: 'Lists the files that expire within some days, the earliest first',
  }),
  extend: route({
    method: 'POST',
    path: '/api/v1/storage/extend_files',
    repeatable: true,
    auth: 'createFile',
    /** Absent: all files that end within 30 days. */
    input: z.object({ asset_ids: z.array(int(1)).min(1).max(1000).optional() }),
    output: z.object({ extended: z.number(), expires_at: z.string() }),
    errors: ['assetUnknown', 'quotaExceeded'],
    summary: 'Keeps files that expire within 30 days as long as new files',
  }),
  count: route({
    method: 'GET',
    path: '/api/v1/storage/get_asset_count',
    auth: 'any',
    team: 'viewer',
    input: nothing,
    output: z.object({ area_count: z.number(), candidate_count: z.number(), edge_count: z.number() }),
    errors: [],
    summary: 'Counts the areas, L1 nodes and L2 nodes that hold files of the account',
  }),
  areas: route({
    method: 'GET',
    path: '/api/v1/storage/get_asset_areas',
    auth: 'any',
    team: 'viewer',
    input: nothing,
    output: z.object({
      /** The area with the most copies first. */
      list: z.array(
        z.object({
          area: z.string(),
          /** In the caller's language. */
          name: z.string(),
          copies: z.number(),
          /** Files of the account with a copy there. */
          files: z.number(),
          nodes: z.number(),
          nodes_online: z.number(),
        }),
      ),
      copies: z.number(),
    }),
    errors: [],
    summary: 'Counts the replicas of the account’s files by area',
  }),
  /** Public if the file is shared, otherwise for its owner only. */
  detail: route({
    method: 'GET',
    path: '/api/v1/storage/get_asset_detail',
    auth: 'optional',
    team: 'viewer',
    input: z.object({
      user_id: uid.optional(),
      cid,
      asset_id: assetId,
      group_id: folderId.optional(),
      ticket: z.string().max(2000).optional(),
    }),
    output: z.object({
      cid: z.string(),
      cid_name: z.string(),
      ReplicaInfo_count: z.number(),
      area_count: z.number(),
      titan_count: z.number(),
      /** Replicas on this network; equals `titan_count`. */
      network_count: z.number(),
      /** Stored third-party replicas, simulated ones included; see `third_party`. */
      fileCoin_count: z.number(),
      third_party: thirdPartyCounts,
      wanted_count: z.number(),
      list: z.array(mapPoint),
      total: z.number(),
      terms: shareTerms,
    }),
    errors: ['badCid', 'assetUnknown', 'shareExpired', 'sharePassRequired'],
    limit: 600,
    summary: 'Returns the locations of the replicas of a file',
  }),
  location: route({
    method: 'GET',
    path: '/api/v1/storage/get_asset_location',
    auth: 'optional',
    team: 'viewer',
    input: z.object({
      user_id: uid.optional(),
      cid,
      asset_id: assetId,
      group_id: folderId.optional(),
      page,
      page_size: pageSize,
      ticket: z.string().max(2000).optional(),
    }),
    output: z.object({
      total: z.number(),
      node_list: z.array(z.object({ DeviceId: z.string(), IpLocation: z.string(), Status: z.number() })),
    }),
    errors: ['badCid', 'assetUnknown', 'shareExpired', 'sharePassRequired'],
    limit: 600,
    summary: 'Lists the nodes that hold a file; status 0 waiting, 1 pulling, 2 failed, 3 stored',
  }),
  mapOfCid: route({
    method: 'GET',
    path: '/api/v1/storage/get_map_cid',
    auth: 'optional',
    team: 'viewer',
    input: z.object({
      user_id: uid.optional(),
      cid,
      asset_id: assetId,
      group_id: folderId.optional(),
      area_id: texts,
      ticket: z.string().max(2000).optional(),
    }),
    output: z.object({ list: z.array(mapPoint), total: z.number() }),
    errors: ['badCid', 'assetUnknown', 'shareExpired', 'sharePassRequired'],
    limit: 600,
    summary: 'Lists the map points of the replicas of a file',
  }),
  replicas: route({
    method: 'GET',
    path: '/api/v1/storage/get_asset_replicas',
    auth: 'readFile',
    input: z.object({ cid, asset_id: assetId }),
    output: z.object({
      wanted: z.number(),
      list: z.array(
        z.object({
          node_id: z.string(),
          name: z.string(),
          area_id: z.string(),
          /** [latitude, longitude]; nodes at the same place are moved apart slightly. */
          value: z.tuple([z.number(), z.number()]),
          /** 1 L2 edge, 2 L1 candidate, 3 L1 validator. */
          nodeType: z.number(),
          status: z.enum(NODE_STATUSES),
          state: z.enum(['wanted', 'pulling', 'stored', 'lost']),
          changed_at: z.string(),
          /** Whether a browser can connect to this node. */
          reachable: z.boolean(),
          /** The last audit of this replica by another node. */
          audit: z.object({ at: z.string(), passed: z.boolean() }).nullable(),
          /** Whether `challenge_replica` gives its address: the node has, or recently had, these bytes. */
          checkable: z.boolean(),
        }),
      ),
    }),
    errors: ['badCid', 'assetUnknown'],
    limit: 600,
    summary: 'Lists the replicas of a file with node, location, state and last audit',
  }),
  challenge: route({
    method: 'POST',
    path: '/api/v1/storage/challenge_replica',
    repeatable: true,
    auth: 'readFile',
    input: z.object({ cid, asset_id: assetId, node_id: z.string().min(1).max(80) }),
    output: z.object({
      url: z.string(),
      node_id: z.string(),
      size: z.number(),
      kind: z.enum(ASSET_TYPES),
    }),
    errors: ['badCid', 'assetUnknown', 'contentBlocked', 'nodesOffline', 'downloadQuotaExceeded', 'keyTraffic'],
    limit: 30,
    summary: 'Returns the URL of one replica, so that the caller can verify a block of it',
  }),
  challengeFailed: route({
    method: 'POST',
    path: '/api/v1/storage/report_challenge',
    repeatable: true,
    auth: 'readFile',
    input: z.object({
      cid,
      asset_id: assetId,
      node_id: z.string().min(1).max(80),
      error: z.string().max(80).default(''),
    }),
    output: z.object({
      /** A validator will audit this replica, or has just done so. */
      audit: z.boolean(),
      /** The server had the node delete this replica, for another reason than a failed audit. */
      removed: z.boolean(),
    }),
    errors: ['badCid', 'assetUnknown'],
    limit: 30,
    summary: 'Reports that a replica failed the caller’s check; it is audited, at most once a minute',
  }),
  status: route({
    method: 'GET',
    path: '/api/v1/storage/get_asset_status',
    auth: 'public',
    shape: 'double',
    input: z.object({ username: uid, cid: z.string().min(1).max(200), asset_id: assetId }),
    output: z.object({ IsExist: z.boolean(), IsExpiration: z.boolean(), IsVisitOutOfLimit: z.boolean() }),
    errors: [],
    limit: 600,
    summary: 'Returns whether a shared file or folder exists, has expired, or has used up its downloads',
  }),
  openStatus: route({
    method: 'GET',
    path: '/api/v1/storage/get_open_asset_status',
    auth: 'public',
    shape: 'double',
    input: z.object({ username: uid, cid: z.string().min(1).max(200), asset_id: assetId }),
    output: z.object({ IsExist: z.boolean(), IsExpiration: z.boolean(), IsVisitOutOfLimit: z.boolean() }),
    errors: [],
    limit: 600,
    summary: 'The same as `assets.status`',
  }),
}
