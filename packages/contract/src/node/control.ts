import { z } from 'zod'
import { expects } from '../input-hints.ts'
import { route } from '../route.ts'
import { ASSET_TYPES } from '../storage-words.ts'

/** What storage nodes and the server say to each other. Nodes call out; the server never needs to reach a node to work with it. */

export const NODE_KINDS = { edge: 1, candidate: 2, validator: 3 } as const
export type NodeKind = keyof typeof NODE_KINDS
const KINDS = Object.keys(NODE_KINDS) as [NodeKind, ...NodeKind[]]
const kind = z.enum(KINDS)
/** The kind that a number on the wire stands for. */
export const nodeKindOf = (number: number): NodeKind | undefined => KINDS.find((each) => NODE_KINDS[each] === number)

/** `Continent-Country-Province-City`. */
export const AREA_ID = /^[A-Za-z]+(-[A-Za-z]+){3}$/

const bytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

export const nodeSource = z.object({ node_id: z.string(), url: z.string(), token: z.string() })
export type NodeSource = z.infer<typeof nodeSource>

/** Work for a node. Each is safe to do twice. */
export const nodeWork = z.discriminatedUnion('type', [
  /** Fetch a content from one of the sources (best first), verify it, keep it, report it. */
  z.object({
    type: z.literal('pull'),
    cid: z.string(),
    size: z.number(),
    kind: z.enum(ASSET_TYPES),
    sources: z.array(nodeSource),
  }),
  /**
   * Delete a content and report it. `decided`: the server's time, unix ms, before it looked; what it has taken a receipt for
   * since then stays.
   */
  z.object({ type: z.literal('remove'), cid: z.string(), decided: z.number() }),
  /**
   * Validators: walk from the root to the leaf at `position` (0..1 of the content), every block verified, all from `source`, whose
   * `url` is an address as people get it to download: the audited node must not be able to tell.
   */
  z.object({
    type: z.literal('audit'),
    id: z.string(),
    cid: z.string(),
    kind: z.enum(ASSET_TYPES),
    position: z.number(),
    source: nodeSource,
  }),
])
export type NodeWork = z.infer<typeof nodeWork>

export const nodeStats = z.object({
  capacity: bytes,
  used: bytes,
  free: bytes,
  /** 0..1, of the busier of CPU and transfers. */
  load: z.number().min(0).max(1),
  uploads: z.number().int().min(0),
  downloads: z.number().int().min(0),
  /** Bytes a second measured over recent transfers; 0 when unknown. */
  receive_rate: bytes,
  send_rate: bytes,
  contents: z.number().int().min(0),
})
export type NodeStats = z.infer<typeof nodeStats>

/** What names an item of an account among the shares that ended. */
export const endedShareText = (account: string, target: string): string => `${account}\n${target}`

export const nodeControl = {
  register: route({
    method: 'POST',
    path: '/api/node/v1/register',
    auth: 'public',
    input: z.object({
      /** Raw Ed25519 public key, base64url. */
      public_key: z.string().regex(/^[A-Za-z0-9_-]{43}$/, expects('publicKey')),
      kind,
      area_id: z.string().regex(AREA_ID, expects('areaId')),
      /** Where others reach it, `http(s)://host:port`, no path. */
      url: z.url({ protocol: /^https?$/ }).max(300),
      name: z.string().max(60).default(''),
      version: z.string().max(40),
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      cpu_cores: z.number().int().min(1).max(4096),
      memory: bytes,
      capacity: bytes,
      join_token: z.string().max(200).default(''),
      /** Of the account that the node is to belong to; without it, or with one that counts no more, it stays whose it is. */
      owner_code: z.string().max(100).default(''),
      /** Of the code, if there is one: Ed25519 over `tidenet-owner\n{public_key}\n{owner_code}\n{time}`, base64url. */
      owner_signature: z.string().max(200).default(''),
      /** Unix ms; at most five minutes off. */
      time: z.number().int(),
      /** Ed25519 over `tidenet-register\n{public_key}\n{kind}\n{area_id}\n{url}\n{time}`, base64url. */
      signature: z.string().max(200),
    }),
    output: z.object({
      node_id: z.string(),
      /** Whether it belongs to an account, and whether its code counted. A server that knows of no owners does not say. */
      owned: z.boolean().default(false),
      code_taken: z.boolean().default(false),
      /** Bearer for the other node calls, 24 h. */
      token: z.string(),
      /** Public keys that sign upload and download tokens. */
      keys: z.array(z.record(z.string(), z.unknown())),
      server_time: z.number(),
    }),
    errors: ['nodeSignature', 'nodeClock', 'joinRefused'],
    limit: 600,
    summary: 'A node proves its key and gets a token',
  }),
  heartbeat: route({
    method: 'POST',
    path: '/api/node/v1/heartbeat',
    auth: 'node',
    input: z.object({
      stats: nodeStats,
      /** Seconds the server may hold the answer until there is work. */
      wait: z.number().min(0).max(30).default(0),
      /** How many pieces of work the node can take now. */
      room: z.number().int().min(0).max(64).default(8),
      time: z.number().int(),
      /** CIDs that are being pulled now: renews their lease. */
      pulling: z.array(z.string().max(200)).max(64).default([]),
      /** The last end of a share that the node has heard of. */
      ended: z.number().int().min(0).default(0),
    }),
    output: z.object({
      work: z.array(nodeWork),
      /**
       * Shares that ended: tokens given out before, for this item of this account, open nothing any more. Every node hears of all, so
       * that they come as the SHA-256 of `endedShareText`, hex.
       */
      ended: z.array(z.object({ id: z.number(), key: z.string() })).default([]),
      keys: z.array(z.record(z.string(), z.unknown())),
      server_time: z.number(),
    }),
    errors: ['tooManyRequests'],
    summary: 'Says that a node is alive and asks for work',
  }),
  replicas: route({
    method: 'POST',
    path: '/api/node/v1/replicas',
    auth: 'node',
    input: z.object({
      results: z
        .array(
          z.object({
            cid: z.string().max(200),
            state: z.enum(['stored', 'failed', 'removed', 'missing']),
            /** Bytes of content (a folder: of its archive). */
            size: bytes.default(0),
            error: z.string().max(500).default(''),
            /** Of a failure: there was no room for it. */
            full: z.boolean().default(false),
            /** The node that sent the last part of what is stored now. */
            source: z.string().max(80).default(''),
            /** Nodes that sent wrong bytes or none. */
            bad_sources: z
              .array(z.object({ node_id: z.string().max(80), error: z.string().max(300) }))
              .max(60)
              .default([]),
          }),
        )
        .max(500),
    }),
    output: z.object({ known: z.number() }),
    errors: ['tooManyRequests'],
    summary: 'What became of pulls and removals, and contents found missing',
  }),
  receipts: route({
    method: 'POST',
    path: '/api/node/v1/receipts',
    auth: 'node',
    /** Compact JWS of the node's key; see `receiptClaims`. */
    input: z.object({ receipts: z.array(z.string().max(4000)).min(1).max(200) }),
    /** `server_time`: unix ms, after the receipts were taken. */
    output: z.object({ accepted: z.number(), server_time: z.number() }),
    errors: ['nodeSignature', 'tooManyRequests'],
    summary: 'Uploads that a node has stored, signed',
  }),
  served: route({
    method: 'POST',
    path: '/api/node/v1/served',
    auth: 'node',
    input: z.object({
      /** Makes a repeated report harmless. */
      batch: z.string().min(1).max(80),
      transfers: z
        .array(
          z.object({
            /** Of the download token. */
            account: z.string().max(80),
            trace_id: z.string().max(80),
            cid: z.string().max(200),
            bytes,
            requests: z.number().int().min(0).max(1_000_000_000),
            /** Bytes a second, largest of the requests. */
            peak: bytes,
            /** Unix ms of the last byte. */
            time: z.number().int(),
          }),
        )
        .max(1000),
    }),
    output: z.object({ accepted: z.boolean() }),
    errors: ['tooManyRequests'],
    summary: 'Bytes that a node has sent, by transfer',
  }),
  audits: route({
    method: 'POST',
    path: '/api/node/v1/audits',
    auth: 'node',
    input: z.object({
      results: z
        .array(
          z.object({
            id: z.string().max(80),
            passed: z.boolean(),
            error: z.string().max(300).default(''),
            ms: z.number().min(0),
          }),
        )
        .max(200),
    }),
    output: z.object({ accepted: z.number() }),
    errors: ['tooManyRequests'],
    summary: 'Results of audits by a validator',
  }),
  /** All contents a node holds, in pages, so that a lost record is noticed on both sides. */
  inventory: route({
    method: 'POST',
    path: '/api/node/v1/inventory',
    auth: 'node',
    input: z.object({ cids: z.array(z.string().max(200)).max(5000), first: z.boolean(), last: z.boolean() }),
    /** `unwanted`: delete these; `server_time`: unix ms, before the server looked. */
    output: z.object({ unwanted: z.array(z.string()), server_time: z.number() }),
    errors: ['tooManyRequests'],
    summary: 'Compares what a node holds with what it should hold',
  }),
}
