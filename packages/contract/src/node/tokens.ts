import { z } from 'zod'
import { ASSET_TYPES } from '../storage-words.ts'

/** Tokens that nodes check offline: JWT, EdDSA (Ed25519), `iss` "tidenet", keys from registration. */

export const uploadClaims = z.object({
  typ: z.literal('upload'),
  /** The node it is for. */
  aud: z.string(),
  /** Account that stores (a uid, or `temp:<id>`). */
  sub: z.string(),
  /** `file`: bytes of one file; `car`: archive of a folder whose root is `cid`. */
  kind: z.enum(['file', 'car']),
  cid: z.string().optional(),
  /** Largest number of bytes taken, and the exact number when known. */
  max: z.number(),
  size: z.number().optional(),
  tid: z.string(),
  /** One upload: the receipt carries it back. */
  jti: z.string(),
  exp: z.number(),
})
export type UploadClaims = z.infer<typeof uploadClaims>

export const downloadClaims = z.object({
  /** `pull` and `audit` are between nodes and not counted as download traffic. */
  typ: z.enum(['download', 'pull', 'audit']),
  aud: z.string(),
  /** Whose download traffic it is: the owner's uid, or `temp:<cid>`. */
  sub: z.string(),
  cid: z.string(),
  tid: z.string(),
  /** The shared item (a CID or the number of a folder) that let the holder in; not in tokens of the owner. */
  share: z.string().optional(),
  /** The last end of a share that had been noted when the holder was let in: a later one ends the token. */
  ended: z.number().optional(),
  exp: z.number(),
})
export type DownloadClaims = z.infer<typeof downloadClaims>

/** A node's signed statement that it has stored an upload durably; `iss` is the node id. */
export const receiptClaims = z.object({
  typ: z.literal('stored'),
  iss: z.string().max(80),
  sub: z.string().min(1).max(80),
  tid: z.string().max(80),
  jti: z.string().min(1).max(80),
  cid: z.string().max(200),
  kind: z.enum(ASSET_TYPES),
  /** Bytes sent by the client (a folder: of the archive). */
  size: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  /** Blocks of the DAG. */
  blocks: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  iat: z.number(),
})
export type ReceiptClaims = z.infer<typeof receiptClaims>

/** What a node answers an upload with. */
export const uploadAnswer = z.object({
  code: z.number(),
  err: z.number(),
  msg: z.string(),
  cid: z.string().optional(),
  receipt: z.string().optional(),
})
export type UploadAnswer = z.infer<typeof uploadAnswer>

/** `GET /health?nonce=…` of a node. `signature`: Ed25519 over `tidenet-health\n{node_id}\n{nonce}`, base64url. */
export const healthAnswer = z.object({ node_id: z.string(), signature: z.string(), version: z.string() })
