import { z } from 'zod'
import { receiptId } from './fields.ts'
import { ASSET_TYPES, TRACE } from './storage-enums.ts'

/** Objects of the wire. Sizes in bytes; times RFC 3339 in UTC unless named. */

/** `abnormal`: online, but its clock is wrong or its audits fail. */
export const NODE_STATUSES = ['online', 'offline', 'abnormal'] as const
export type NodeStatus = (typeof NODE_STATUSES)[number]
/** `invited`: a candidate or validator. Edges are `new` until they have passed enough audits for long enough. */
export const NODE_STANDINGS = ['invited', 'vetted', 'new'] as const
export type NodeStanding = (typeof NODE_STANDINGS)[number]

/** A node for an upload. `ResumeURL` is its tus endpoint; clients without tus use `UploadURL`. */
export const nodeUpload = z.object({
  NodeID: z.string(),
  UploadURL: z.string(),
  ResumeURL: z.string(),
  Token: z.string(),
})
export type NodeUpload = z.infer<typeof nodeUpload>

/** A node for the archive of a folder. */
export const candidateSlot = z.object({
  CandidateAddr: z.string(),
  ResumeURL: z.string(),
  NodeID: z.string(),
  Token: z.string(),
  TraceID: z.string(),
})
export type CandidateSlot = z.infer<typeof candidateSlot>

/** Where the area of a node comes from: an operator, its address, or, in development, the node itself. */
export const AREA_SOURCES = ['operator', 'address', 'node', 'nothing'] as const
export type AreaSource = (typeof AREA_SOURCES)[number]

export const areaMap = z.object({ key: z.string(), value: z.string() })

export const assetRecord = z.object({
  CID: z.string(),
  Hash: z.string(),
  TotalSize: z.number(),
  TotalBlocks: z.number(),
  CreatedTime: z.string(),
  Expiration: z.string(),
  EndTime: z.string(),
  State: z.string(),
  /** Replicas stored now. */
  replica_num: z.number(),
  /** Replicas wanted: min(50, eligible nodes). */
  NeedEdgeReplica: z.number(),
  NeedCandidateReplicas: z.number(),
  SPCount: z.number(),
  Source: z.number(),
  Note: z.string(),
  ServerID: z.string(),
})

export const userAssetDetail = z.object({
  UserID: z.string(),
  Hash: z.string(),
  Cid: z.string(),
  /** The id of the entry: it stays when the file is renamed, moved, or restored from the trash. */
  AssetID: z.number(),
  /** How many contents the entry has had. */
  Version: z.number(),
  area_ids: z.array(z.string()),
  area_maps: z.array(areaMap),
  AssetName: z.string(),
  AssetType: z.enum(ASSET_TYPES),
  /** One of `SHARE`: 0 not shared, 1 shared, 2 shared with its downloads used up. */
  ShareStatus: z.number(),
  /** Short links that open it. */
  links: z.number(),
  Expiration: z.string(),
  CreatedTime: z.string(),
  TotalSize: z.number(),
  Encrypted: z.boolean(),
  GroupID: z.number(),
  VisitCount: z.number(),
  receipt_id: receiptId,
})

/** Numbers of third-party replicas of a content; `stored` includes the simulated ones. */
export const thirdPartyCounts = z.object({
  stored: z.number(),
  in_progress: z.number(),
  /** Those of `stored` that exist in a simulation only. */
  simulated: z.number(),
})

export const assetOverview = z.object({
  AssetRecord: assetRecord,
  UserAssetDetail: userAssetDetail,
  VisitCount: z.number(),
  RemainVisitCount: z.number(),
  /** Stored third-party replicas, simulated ones included; see `third_party`. */
  FilcoinCount: z.number(),
  third_party: thirdPartyCounts,
})
export type AssetOverview = z.infer<typeof assetOverview>

export const group = z.object({
  ID: z.number(),
  UserID: z.string(),
  Name: z.string(),
  Parent: z.number(),
  /** Number and size of the files directly in the folder. */
  AssetCount: z.number(),
  AssetSize: z.number(),
  CreatedTime: z.string(),
  ShareStatus: z.number(),
  /** Short links that open it. */
  links: z.number(),
  VistitCount: z.number(),
  VisitCount: z.number(),
  /** Only files that were encrypted before the upload can be in it. */
  Encrypted: z.boolean(),
})
export type Group = z.infer<typeof group>

/** An entry of a folder; one of the two is null. */
export const listItem = z.object({ AssetOverview: assetOverview.nullable(), Group: group.nullable() })
export type ListItem = z.infer<typeof listItem>

/** `value` is [latitude, longitude]; the IP address is masked. */
export const mapPoint = z.object({
  node_id: z.string(),
  name: z.string(),
  nodeType: z.number(),
  ip: z.string(),
  area_id: z.string(),
  status: z.enum(NODE_STATUSES),
  value: z.tuple([z.number(), z.number()]),
})
export type MapPoint = z.infer<typeof mapPoint>

/** The conditions of a share, as visitors see them. */
export const shareTerms = z.object({
  shared: z.boolean(),
  /** Unix seconds; 4101509461 is permanent. */
  expire_time: z.number(),
  has_password: z.boolean(),
  /** Remaining share downloads, in a folder per file; -1: unlimited. */
  downloads_left: z.number(),
  /** Only for short links: what their own limit leaves; -1: they have none. */
  link_downloads_left: z.number().optional(),
})
export type ShareTerms = z.infer<typeof shareTerms>

/** Download sources: node URLs with short-lived tokens, best first. */
export const downloadInfo = z.object({
  asset_cid: z.string(),
  size: z.number(),
  url: z.array(z.string()),
  /** The node of each URL, in the same order. */
  node_ids: z.array(z.string()),
  /**
   * How each node is reached, in the same order: whether its URL leads through a relay, and the origins of its relays, which take the same
   * path and token. Absent if no node has a relay.
   */
  routes: z.array(z.object({ relayed: z.boolean(), more_origins: z.array(z.string()) })).optional(),
  file_name: z.string(),
  asset_type: z.enum(ASSET_TYPES),
  encrypted: z.boolean(),
  redirect: z.boolean(),
  trace_id: z.string(),
  available_nodes: z.number(),
})
export type DownloadInfo = z.infer<typeof downloadInfo>

/** One attempt with one node; times in unix ms, `state` 1 success, 2 failure. */
export const traceDetail = z.object({
  node_id: z.string().max(80),
  state: z.coerce.number().int().min(TRACE.open).max(TRACE.failed),
  transfer_type: z.string().max(20).default(''),
  size: z.coerce.number().min(0).default(0),
  start_at: z.coerce.number().min(0).default(0),
  end_at: z.coerce.number().min(0).default(0),
  status_code: z.coerce.number().default(0),
  error: z.string().max(500).default(''),
  /** Ms from the first request to this node until its first byte; absent if it was not measured. */
  first_byte: z.coerce.number().min(0).max(3_600_000).optional(),
  /** Whether the client reached the node through a relay; absent if that is not known. */
  relayed: z.boolean().optional(),
})
export type TraceDetail = z.infer<typeof traceDetail>

export const seriesPoint = z.object({
  date: z.string(),
  /** Downloads of the account's files that started in this interval. */
  DownloadCount: z.number(),
  /** Bytes per second, the largest measured. */
  PeakBandwidth: z.number(),
  /** Bytes sent by nodes for the account. */
  TotalBandwidth: z.number(),
  UploadBandwidth: z.number(),
  /** Bytes stored at the end of the interval. */
  StorageSize: z.number(),
})
export type SeriesPoint = z.infer<typeof seriesPoint>
