import { z } from 'zod'
import { int, nothing, page, pageSize, plain } from '../fields.ts'
import { nodeUpdates } from '../node/release-manifest.ts'
import { nodeCertificate } from '../node-certificates.ts'
import { AREA_SOURCES, NODE_STANDINGS, NODE_STATUSES } from '../objects.ts'
import { route } from '../route.ts'
import { passedOn } from './explorer.ts'

/** An owner code: `own_` and 22 characters. */
export const OWNER_CODE = /^own_[A-Za-z0-9_-]{22}$/

/** A node as its owner sees it; sizes in bytes, times RFC 3339. */
export const ownedDevice = z.object({
  node_id: z.string(),
  name: z.string(),
  /** 1 edge, 2 candidate, 3 validator. */
  type: z.number(),
  area_id: z.string(),
  /** The area that the node declares, if it differs from its area; otherwise null. */
  declared_area: z.string().nullable(),
  region_by: z.enum(AREA_SOURCES),
  status: z.enum(NODE_STATUSES),
  /** Whether the last connection test from outside succeeded. */
  reachable: z.boolean(),
  /** Time of its last heartbeat. */
  seen_at: z.string().nullable(),
  /** When it went offline; null while it is online. */
  offline_at: z.string().nullable(),
  linked_at: z.string(),
  version: z.string(),
  /** Whether the program updates itself, and the version that it could not update to; null: it cannot update itself. */
  updates: nodeUpdates.nullable(),
  capacity: z.number(),
  used: z.number(),
  /** Whether its owner gets an e-mail when it goes offline and comes back. */
  mail: z.boolean(),
  standing: z.enum(NODE_STANDINGS),
  /** Whether its copies are moved to other nodes because it fails audits. */
  draining: z.boolean(),
  /** Of a device that leaves the network: since when, and its contents that still need it; 0: it can be switched off. */
  leaving: z.object({ since: z.string(), remaining: z.number() }).nullable(),
  /** How far a new edge is: passed audits and seconds, and how many it needs; null for others. */
  vetting: z.object({ audits: z.number(), audits_of: z.number(), time: z.number(), time_of: z.number() }).nullable(),
  /** The certificate for its names; null: it does not need one. */
  certificate: nodeCertificate.nullable(),
  /** When two programs with its key were last seen; null: never, or long ago. */
  cloned_at: z.string().nullable(),
  /** What it passed on as a relay in 30 days; null: nothing. */
  passed_on: passedOn.nullable(),
})
export type OwnedDevice = z.infer<typeof ownedDevice>

/** One line, as it appears in lists. */
const deviceName = z
  .string()
  .trim()
  .max(60)
  .regex(/^[^\p{Cc}\p{Cf}\u2028\u2029]*$/u)
const nodeId = z.string().min(1).max(80)

export const devices = {
  list: route({
    method: 'GET',
    path: '/api/v1/devices',
    auth: 'readDevices',
    input: z.object({ page, size: pageSize }),
    output: z.object({
      list: z.array(ownedDevice),
      total: z.number(),
      online: z.number(),
      offline: z.number(),
      abnormal: z.number(),
      /** Used and offered bytes of all nodes. */
      used: z.number(),
      capacity: z.number(),
      /** Seconds without a heartbeat until a node is offline, and until its owner gets an e-mail. */
      offline_after: z.number(),
      mail_after: z.number(),
    }),
    errors: [],
    limit: 240,
    summary: "Lists the account's nodes, offline nodes first, then by name",
  }),
  code: route({
    method: 'POST',
    path: '/api/v1/devices/code',
    auth: 'session',
    input: nothing,
    output: z.object({ code: z.string(), made_at: z.string(), expires_at: z.string() }),
    errors: [],
    limit: 60,
    summary: 'Issues an owner code that links any number of nodes to the account for a day; earlier codes stop working',
  }),
  mail: route({
    method: 'POST',
    path: '/api/v1/devices/mail',
    auth: 'session',
    input: z.object({ node_id: nodeId, mail: z.boolean() }),
    output: ownedDevice,
    errors: ['notFound'],
    limit: 240,
    summary: 'Sets whether the owner gets e-mails about a node',
  }),
  rename: route({
    method: 'POST',
    path: '/api/v1/devices/rename',
    auth: 'session',
    /** Empty: the name that the node gives itself, after its next start. */
    input: z.object({ node_id: nodeId, name: deviceName }),
    output: ownedDevice,
    errors: ['notFound'],
    limit: 240,
    summary:
      'Names a node of the account, also on the public pages; the name that the node gives itself no longer counts',
  }),
  unlink: route({
    method: 'POST',
    path: '/api/v1/devices/unlink',
    auth: 'session',
    input: z.object({ node_id: nodeId }),
    output: z.object({ node_id: z.string() }),
    errors: ['notFound'],
    limit: 240,
    summary: 'Unlinks a node from the account and ends the owner code; the node keeps running without an owner',
  }),
  binding: route({
    method: 'POST',
    path: '/api/v2/device/binding',
    auth: 'public',
    input: z.object({
      /** An owner code of the account. */
      hash: plain(80),
      /** Hex: the node's Ed25519 signature of the 32 bytes of the SHA-256 of the code. */
      signature: z.string().regex(/^[0-9a-fA-F]{128}$/),
      node_id: nodeId,
      /** Accepted and ignored: the area is that of the node's address. */
      area_id: plain(200).default(''),
      remark: deviceName.default(''),
    }),
    output: z.null(),
    errors: ['nodeSignature', 'deviceUnknown', 'deviceBound', 'ownerCodeUnknown'],
    limit: 60,
    summary: 'Links a node without an owner to the account of an owner code, with a signature of the node',
  }),
  info: route({
    method: 'GET',
    path: '/api/v2/get_device_info',
    auth: 'public',
    input: z.object({
      device_id: plain(80).optional(),
      /** 1 edge, 2 candidate, 3 validator. */
      node_type: int(1, 3).optional(),
      device_status: z.enum(NODE_STATUSES).optional(),
      page,
      page_size: pageSize,
    }),
    output: z.object({
      list: z.array(
        z.object({
          device_id: z.string(),
          device_name: z.string(),
          device_status: z.enum(NODE_STATUSES),
          /** 1 online, 2 abnormal, 3 offline. */
          device_status_code: z.number(),
          node_type: z.number(),
          /** Its area. */
          ip_location: z.string(),
          /** Masked. */
          external_ip: z.string(),
          /** Bytes. */
          disk_space: z.number(),
          disk_usage: z.number(),
          /** Bytes per second. */
          bandwidth_up: z.number(),
          bandwidth_down: z.number(),
        }),
      ),
      total: z.number(),
    }),
    errors: [],
    limit: 240,
    summary: 'Lists nodes with their state; neither owners nor earnings',
  }),
}
