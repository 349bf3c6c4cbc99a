import { z } from 'zod'
import { AREA_ID, RELAYED_REPORTED_MAX } from '../constants.ts'
import { nothing } from '../fields.ts'
import { expects } from '../input-hints.ts'
import { CERTIFICATE_PROBLEMS } from '../node-certificates.ts'
import { nodeKinds } from '../node-kinds.ts'
import { route } from '../route.ts'
import { ASSET_TYPES } from '../storage-enums.ts'
import { RELAY_SESSION } from './received.ts'
import { nodeUpdates } from './release-manifest.ts'

/** The protocol between storage nodes and the server. Nodes call the server; the server never has to connect to a node. */

const kind = z.enum(nodeKinds)

const bytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

export const nodeSource = z.object({
  node_id: z.string(),
  url: z.string(),
  /** Other origins of the node, best first: its relays. */
  more_urls: z.array(z.string()).optional(),
  token: z.string(),
})
export type NodeSource = z.infer<typeof nodeSource>

const auditSource = nodeSource.extend({
  /** Of a folder. */
  list_url: z.string().optional(),
  /** Another node that passes the requests on: `GET {url}/via/…` instead of `/ipfs/…`, with this token before the query. */
  via: z.object({ url: z.string(), token: z.string() }).optional(),
})

/** Work for a node. Every kind is idempotent. */
export const nodeWork = z.discriminatedUnion('type', [
  /** Fetch a content from one of the sources (best first), verify, store and report it. */
  z.object({
    type: z.literal('pull'),
    cid: z.string(),
    size: z.number(),
    kind: z.enum(ASSET_TYPES),
    sources: z.array(nodeSource),
  }),
  /** Delete a content and report it. `decided`: server time of the decision, unix ms; content with a later receipt is kept. */
  z.object({ type: z.literal('remove'), cid: z.string(), decided: z.number() }),
  /**
   * For validators: fetch and verify a few leaves from `source`, with the requests of a client: the one at `position` (0..1 of the
   * content) and others that follow from this number. `url` and `list_url` look like those of a download and of looking through a folder,
   * so that the audited node cannot recognize audits.
   */
  z.object({
    type: z.literal('audit'),
    id: z.string(),
    cid: z.string(),
    kind: z.enum(ASSET_TYPES),
    position: z.number(),
    /** Bytes of the content. Without it, from a server of an earlier release, every block from the root to the leaf is fetched. */
    size: z.number().optional(),
    source: auditSource,
  }),
])
export type NodeWork = z.infer<typeof nodeWork>

export const nodeStats = z.object({
  capacity: bytes,
  used: bytes,
  free: bytes,
  /** 0..1, the higher of CPU and transfer load. */
  load: z.number().min(0).max(1),
  uploads: z.number().int().min(0),
  downloads: z.number().int().min(0),
  /** Bytes per second over recent transfers; 0 if unknown. */
  receive_rate: bytes,
  send_rate: bytes,
  contents: z.number().int().min(0),
})
export type NodeStats = z.infer<typeof nodeStats>

/** Uploads per heartbeat; more than a node receives at a time. */
export const REPORTED_UPLOADS_MAX = 256
export interface ReportedUpload {
  trace_id: string
  jti: string
  bytes: number
}

/** Instead of a shared item: every token of the account ended, because it is being deleted or is locked. */
export const WHOLE_ACCOUNT = 'account'

/** Identifies the item of an ended share, or `WHOLE_ACCOUNT`; nodes get its SHA-256. */
export const endedShareText = (account: string, target: string): string => `${account}\n${target}`

/** The lines that a node signs to ask for a certificate. */
export const certificateText = (publicKey: string, csr: string, time: number): string =>
  ['tidenet-certificate', publicKey, csr, time].join('\n')

export const nodeControl = {
  register: route({
    method: 'POST',
    path: '/api/node/v1/register',
    auth: 'public',
    input: z.object({
      /** Raw Ed25519 public key, base64url. */
      public_key: z.string().regex(/^[A-Za-z0-9_-]{43}$/, expects('publicKey')),
      kind,
      area_id: z.string().max(200).regex(AREA_ID, expects('areaId')),
      /** Public URL, `http(s)://host:port` without a path. */
      url: z.url({ protocol: /^https?$/ }).max(300),
      name: z.string().max(60).default(''),
      version: z.string().max(40),
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      cpu_cores: z.number().int().min(1).max(4096),
      memory: bytes,
      capacity: bytes,
      join_token: z.string().max(200).default(''),
      /** Whether the node passes audits of others on, and can audit through other nodes. Nodes of earlier releases do not. */
      relays: z.boolean().default(false),
      /** Of a program that updates itself: whether its owner allows it, and the version that does not work. */
      updates: nodeUpdates.optional(),
      /** Links the node to the code's account; if absent or expired, the owner does not change. */
      owner_code: z.string().max(100).default(''),
      /** Only with an owner code: Ed25519 over `tidenet-owner\n{public_key}\n{owner_code}\n{time}`, base64url. */
      owner_signature: z.string().max(200).default(''),
      /** Unix ms; at most five minutes from the server's time. */
      time: z.number().int(),
      /** Ed25519 over `tidenet-register\n{public_key}\n{kind}\n{area_id}\n{url}\n{time}`, base64url. */
      signature: z.string().max(200),
    }),
    output: z.object({
      node_id: z.string(),
      /** Whether the node has an owner, and whether its owner code was accepted. Absent on servers without node owners. */
      owned: z.boolean().default(false),
      code_taken: z.boolean().default(false),
      /** Bearer token for the other node calls, valid for 24 h. */
      token: z.string(),
      /** Public keys that sign upload and download tokens. */
      keys: z.array(z.record(z.string(), z.unknown())),
      server_time: z.number(),
      /** The DNS zone in which nodes have names and certificates; empty: there is none, and nodes serve plain HTTP. */
      zone: z.string().default(''),
    }),
    errors: ['nodeSignature', 'nodeClock', 'joinRefused', 'tooManyEdges'],
    limit: 600,
    summary: 'Registers a node and issues its token',
  }),
  heartbeat: route({
    method: 'POST',
    path: '/api/node/v1/heartbeat',
    auth: 'node',
    input: z.object({
      stats: nodeStats,
      /** Long polling: seconds that the server may wait for work before it answers. */
      wait: z.number().min(0).max(30).default(0),
      /** How many work items the node can accept now. */
      room: z.number().int().min(0).max(64).default(8),
      time: z.number().int(),
      /** CIDs that the node is pulling; renews their leases. */
      pulling: z.array(z.string().max(200)).max(64).default([]),
      /** Id of the last ended share that the node knows. */
      ended: z.number().int().min(0).default(0),
      /** Id of the last block of a content that the node knows. Nodes of earlier releases do not send it, and hear of none. */
      blocked: z.number().int().min(0).optional(),
      /** Whether its owner wants to switch it off: its copies are moved to other nodes first. */
      leaving: z.boolean().default(false),
      /**
       * Uploads whose bytes grew since the last heartbeat, with all their bytes: the quota for them stays reserved. Nodes of earlier
       * releases do not send it.
       */
      uploads: z
        .array(z.object({ trace_id: z.string().max(80), jti: z.string().max(80), bytes }))
        .max(REPORTED_UPLOADS_MAX)
        .optional(),
    }),
    output: z.object({
      work: z.array(nodeWork),
      /**
       * Ended shares: the node rejects download tokens that were issued for the item before. `key` is the SHA-256 of `endedShareText`, hex,
       * because every node gets all of them and must not learn accounts or items.
       */
      ended: z.array(z.object({ id: z.number(), key: z.string() })).default([]),
      /** Whether there are more ended shares than one answer holds. */
      ended_more: z.boolean().default(false),
      /**
       * Contents that operators blocked, or whose block they lifted, in the order of the ids: the node refuses to serve blocked ones. `key` is
       * the SHA-256 of the CID (version 1, base32), hex: the list must not tell where to look.
       */
      blocked: z.array(z.object({ id: z.number(), key: z.string(), blocked: z.boolean() })).default([]),
      blocked_more: z.boolean().default(false),
      /** Of a node that leaves: its contents that still need it; 0: it can be switched off. Null: it does not leave, or not yet. */
      leaving: z.object({ remaining: z.number() }).nullable().default(null),
      keys: z.array(z.record(z.string(), z.unknown())),
      server_time: z.number(),
    }),
    errors: ['tooManyRequests'],
    summary: 'Heartbeat of a node; the answer contains work',
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
            /** Whether it failed because the disk is full. */
            full: z.boolean().default(false),
            /** The node that sent the last part of the content. */
            source: z.string().max(80).default(''),
            /** Sources that sent wrong bytes or none. */
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
    summary: 'Reports results of pulls and removals, and missing contents',
  }),
  receipts: route({
    method: 'POST',
    path: '/api/node/v1/receipts',
    auth: 'node',
    /** Compact JWS of the node's key; see `receiptClaims`. */
    input: z.object({ receipts: z.array(z.string().max(4000)).min(1).max(200) }),
    /** `server_time`: unix ms, after the receipts were accepted. */
    output: z.object({ accepted: z.number(), server_time: z.number() }),
    errors: ['nodeSignature', 'tooManyRequests'],
    summary: 'Submits signed receipts of stored uploads',
  }),
  served: route({
    method: 'POST',
    path: '/api/node/v1/served',
    auth: 'node',
    input: z.object({
      /** Id of the report; a repeated report is ignored. */
      batch: z.string().min(1).max(80),
      transfers: z
        .array(
          z.object({
            /** `sub` of the download token. */
            account: z.string().max(80),
            trace_id: z.string().max(80),
            cid: z.string().max(200),
            bytes,
            requests: z.number().int().min(0).max(1_000_000_000),
            /** Bytes per second, the largest of all requests. */
            peak: bytes,
            /** Unix ms of the last byte. */
            time: z.number().int(),
            /** What the client signed as received from this node for this trace, in total, and its signature of `receivedText`. */
            received: bytes.optional(),
            signature: z.string().max(100).optional(),
            /** What the node sent for this trace, in total, and its signature of `sentText`. Nodes of earlier releases do not sign. */
            sent: bytes.optional(),
            sent_signature: z.string().max(100).optional(),
          }),
        )
        .max(1000),
    }),
    output: z.object({ accepted: z.boolean() }),
    errors: ['tooManyRequests'],
    summary: 'Reports the bytes that a node sent, by transfer',
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
            /** Bytes that were read and verified. */
            bytes: bytes.default(0),
          }),
        )
        .max(200),
    }),
    output: z.object({ accepted: z.number() }),
    errors: ['tooManyRequests'],
    summary: 'Reports results of audits by a validator',
  }),
  earnings: route({
    method: 'POST',
    path: '/api/node/v1/earnings',
    auth: 'node',
    input: nothing,
    /** What the node earned for the account that owns it now, in millionths of a point; with the running hours. Days are UTC. */
    output: z.object({ owned: z.boolean(), today: z.number(), month: z.number(), total: z.number() }),
    errors: ['tooManyRequests'],
    summary: 'Returns what a node earned for its owner',
  }),
  /** All contents of a node, in pages, so that both sides notice missing records. */
  inventory: route({
    method: 'POST',
    path: '/api/node/v1/inventory',
    auth: 'node',
    input: z.object({ cids: z.array(z.string().max(200)).max(5000), first: z.boolean(), last: z.boolean() }),
    /** `unwanted`: contents to delete; `server_time`: unix ms, before the comparison. */
    output: z.object({ unwanted: z.array(z.string()), server_time: z.number() }),
    errors: ['tooManyRequests', 'inventoryTooLarge'],
    summary: 'Compares the contents of a node with the server’s records',
  }),
  contains: route({
    method: 'POST',
    path: '/api/node/v1/contains',
    auth: 'node',
    input: z.object({
      /** The content that the node holds. */
      cid: z.string().max(200),
      /** Its blocks from the root to the one that links to `blocked`, base64, each linked by the one before. */
      blocks: z.array(z.base64()).min(1).max(64),
      /** A blocked content. */
      blocked: z.string().max(200),
    }),
    output: z.object({}),
    errors: ['badCid', 'notContained', 'tooManyRequests'],
    summary: 'Proves that a content contains a blocked one, which the node refuses; audits blame nobody for that',
  }),
  certificate: route({
    method: 'POST',
    path: '/api/node/v1/certificate',
    auth: 'node',
    input: z.object({
      /** PKCS #10 request for `*.<label>.<zone>`, DER in base64url. The private key never leaves the node. */
      csr: z
        .string()
        .min(1)
        .max(4000)
        .regex(/^[A-Za-z0-9_-]+$/, expects('base64url')),
      /** Unix ms; at most one minute from the server's time, and later than that of the last request. */
      time: z.number().int(),
      /** Ed25519 over `certificateText`, base64url. */
      signature: z.string().max(200),
    }),
    output: z.object({
      /** The certificate and those of its CA, PEM; empty: it is being ordered, so ask again with the same request. */
      certificate: z.string(),
      /** When to ask again, in ms; 0 with a certificate. */
      retry_after: z.number(),
      /** Why there is none yet. */
      problem: z.enum(CERTIFICATE_PROBLEMS).default(''),
    }),
    errors: [
      'nodeSignature',
      'certificateReplayed',
      'nodeClock',
      'zoneMissing',
      'certificateRequest',
      'tooManyCertificates',
      'tooManyRequests',
    ],
    summary: 'Orders a certificate for the names of a node, and returns it when it is there',
  }),
  relays: route({
    method: 'POST',
    path: '/api/node/v1/relays',
    auth: 'node',
    input: z.object({
      /** Where this node serves as a relay, if it does; only invited nodes. */
      serves: z
        .object({ address: z.union([z.ipv4(), z.ipv6()]), port: z.number().int().min(1).max(65_535) })
        .optional(),
      /** Where this node believes to be reached without a relay: its own public address, or a port that its router forwards. */
      direct: z
        .object({
          address: z.union([z.ipv4(), z.ipv6()]),
          port: z.number().int().min(1).max(65_535),
          /** Whether it has a certificate there; without one it is no place for clients, but one at which the server may reach the node. */
          certified: z.boolean().default(true),
        })
        .optional(),
      /** Labels of devices that two programs with the same key claimed by turns: seen by this relay, or the node's own. */
      cloned: z
        .array(z.string().regex(/^[a-z2-7]{32}$/))
        .max(20)
        .default([]),
      /** What this relay passed on for others: both signed `relayedText` with these bytes. Of a session, the largest number counts. */
      relayed: z
        .array(
          z.object({
            /** Its node id. */
            device: z.string().max(80),
            session: z.string().regex(RELAY_SESSION),
            bytes: bytes.min(1),
            signature: z.string().max(100),
            relay_signature: z.string().max(100),
          }),
        )
        .max(RELAYED_REPORTED_MAX)
        .default([]),
    }),
    output: z.object({
      zone: z.string(),
      /** Whether it is time to ask for a new certificate. */
      certificate_due: z.boolean().default(false),
      /** The CA of a network on one machine, PEM; empty: a public CA. */
      ca: z.string(),
      /** Whether the server reached the node there by https, so that clients are sent there. */
      direct: z.boolean().default(false),
      /** Relays that this node may use, best first. `ticket`: see `relayTicket`. */
      relays: z.array(
        z.object({ node_id: z.string(), name: z.string(), address: z.string(), port: z.number(), ticket: z.string() }),
      ),
    }),
    errors: ['zoneMissing', 'relayRefused', 'tooManyRequests'],
    summary: 'Lists the relays through which a node can be reached',
  }),
}
