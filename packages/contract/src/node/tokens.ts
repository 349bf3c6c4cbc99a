import { z } from 'zod'
import { ASSET_TYPES } from '../storage-enums.ts'

/** Tokens that nodes verify offline: JWT, EdDSA (Ed25519), `iss` "tidenet", with the keys from registration. */

export const uploadClaims = z.object({
  typ: z.literal('upload'),
  /** The node it is for. */
  aud: z.string(),
  /** The account that uploads: a uid, or `temp:<id>`. */
  sub: z.string(),
  /** `file`: bytes of one file; `car`: archive of a folder whose root is `cid`. */
  kind: z.enum(['file', 'car']),
  cid: z.string().optional(),
  /** Maximum bytes, and the exact number if known. */
  max: z.number(),
  size: z.number().optional(),
  tid: z.string(),
  /** Identifies the upload; the receipt repeats it. */
  jti: z.string(),
  /** As in tokens for downloads. */
  ended: z.number().optional(),
  exp: z.number(),
})
export type UploadClaims = z.infer<typeof uploadClaims>

/** An upload without bytes: the file consists of contents that the node has. No token for `uploadClaims`, since no traffic is counted for it. */
export const joinClaims = uploadClaims.extend({
  typ: z.literal('join'),
  /** See `partsDigest`. */
  parts: z.string(),
})
export type JoinClaims = z.infer<typeof joinClaims>

export const downloadClaims = z.object({
  /** `pull` and `audit` are transfers between nodes and do not count as download traffic. */
  typ: z.enum(['download', 'pull', 'audit']),
  aud: z.string(),
  /** The account whose download traffic is counted: the owner's uid, or `temp:<cid>`. */
  sub: z.string(),
  cid: z.string(),
  tid: z.string(),
  /** The shared item (a CID or a folder id) that gave access; absent in tokens of the owner. */
  share: z.string().optional(),
  /** The client's public key for what it receives, base64url; absent if the client does not sign. */
  rk: z.string().optional(),
  /** Id of the last end when the token was issued: if its share, or its account, ends later, the token is rejected. */
  ended: z.number().optional(),
  exp: z.number(),
})
export type DownloadClaims = z.infer<typeof downloadClaims>

/** For passing requests of an audit on to another node. */
export const viaClaims = z.object({
  typ: z.literal('via'),
  /** The node that passes them on. */
  aud: z.string(),
  /** The audited node, its origin, and the content. */
  node: z.string(),
  origin: z.string(),
  cid: z.string(),
  /** Most bytes of all answers. */
  most: z.number(),
  exp: z.number(),
})
export type ViaClaims = z.infer<typeof viaClaims>

/** Permits one node to be reached through one relay. */
export const relayTicket = z.object({
  typ: z.literal('relay'),
  /** The relay. */
  aud: z.string(),
  /** The node that is reached through it, and its raw public key, base64url. */
  sub: z.string(),
  key: z.string(),
  /** Most visitors at a time. */
  most: z.number(),
  exp: z.number(),
})
export type RelayTicket = z.infer<typeof relayTicket>

/** Body of `POST /received` of a node, sent as `text/plain`; the answer is 204. */
export const receivedBody = z.object({
  /** The download token. */
  token: z.string().max(4000),
  /** Verified bytes received from this node for this trace so far. */
  bytes: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  /** Ed25519 over `receivedText` with the key `rk` of the token, base64url. */
  signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/),
})

/** A receipt: a node's signed statement that it stored an upload durably; `iss` is the node id. */
export const receiptClaims = z.object({
  typ: z.literal('stored'),
  iss: z.string().max(80),
  sub: z.string().min(1).max(80),
  tid: z.string().max(80),
  jti: z.string().min(1).max(80),
  cid: z.string().max(200),
  kind: z.enum(ASSET_TYPES),
  /** Bytes sent by the client (for a folder: of the archive). */
  size: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  /** Blocks of the DAG. */
  blocks: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  iat: z.number(),
})
export type ReceiptClaims = z.infer<typeof receiptClaims>

/** A node's answer to an upload. */
export const uploadAnswer = z.object({
  code: z.number(),
  err: z.number(),
  msg: z.string(),
  cid: z.string().optional(),
  receipt: z.string().optional(),
})
export type UploadAnswer = z.infer<typeof uploadAnswer>

/** A node's answer to `POST /join`. `leaves`: the SHA-256 digests of the leaves of the file, one after the other, base64. */
export const joinAnswer = uploadAnswer.extend({ leaves: z.string().optional() })
export type JoinAnswer = z.infer<typeof joinAnswer>

/** A node's answer to many small files in one request: one result for each, in their order. `status`: as the answer to a single upload. */
export const uploadBundleAnswer = z.object({
  code: z.number(),
  err: z.number(),
  msg: z.string(),
  list: z.array(uploadAnswer.extend({ status: z.number() })),
})
export type UploadBundleAnswer = z.infer<typeof uploadBundleAnswer>

/** `GET /health?nonce=…` of a node. `signature`: Ed25519 over `tidenet-health\n{node_id}\n{nonce}`, base64url. */
export const healthAnswer = z.object({ node_id: z.string(), signature: z.string(), version: z.string() })
