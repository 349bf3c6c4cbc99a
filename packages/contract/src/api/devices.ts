import { z } from 'zod'
import { nothing, page, pageSize } from '../fields.ts'
import { NODE_STATUSES } from '../objects.ts'
import { route } from '../route.ts'

/** A code with which nodes say whose they are: `own_` and 22 characters. */
export const OWNER_CODE = /^own_[A-Za-z0-9_-]{22}$/

/** A node as its owner sees it; sizes in bytes, times RFC 3339. */
export const ownedDevice = z.object({
  node_id: z.string(),
  name: z.string(),
  /** 1 edge, 2 candidate, 3 validator. */
  type: z.number(),
  area_id: z.string(),
  status: z.enum(NODE_STATUSES),
  /** Whether others reach it from outside, as far as was tried. */
  reachable: z.boolean(),
  /** When it was last heard of. */
  seen_at: z.string().nullable(),
  /** When it was found missing; null while it is there. */
  offline_at: z.string().nullable(),
  linked_at: z.string(),
  version: z.string(),
  capacity: z.number(),
  used: z.number(),
  /** Whether its owner gets a mail when it goes and when it is back. */
  mail: z.boolean(),
})
export type OwnedDevice = z.infer<typeof ownedDevice>

const nodeId = z.string().min(1).max(80)

export const devices = {
  list: route({
    method: 'GET',
    path: '/api/v1/devices',
    auth: 'session',
    input: z.object({ page, size: pageSize }),
    output: z.object({
      list: z.array(ownedDevice),
      total: z.number(),
      online: z.number(),
      offline: z.number(),
      abnormal: z.number(),
      /** Bytes that all of them hold, of those that they offer. */
      used: z.number(),
      capacity: z.number(),
      /** Seconds of silence after which a device is offline, and after which its owner gets a mail. */
      offline_after: z.number(),
      mail_after: z.number(),
    }),
    errors: [],
    limit: 240,
    summary: "The account's nodes: those that are away first, then by name",
  }),
  code: route({
    method: 'POST',
    path: '/api/v1/devices/code',
    auth: 'session',
    input: nothing,
    output: z.object({ code: z.string(), made_at: z.string(), expires_at: z.string() }),
    errors: [],
    limit: 60,
    summary: 'A code with which any number of nodes join the account for a day; the one before counts no more',
  }),
  mail: route({
    method: 'POST',
    path: '/api/v1/devices/mail',
    auth: 'session',
    input: z.object({ node_id: nodeId, mail: z.boolean() }),
    output: ownedDevice,
    errors: ['notFound'],
    limit: 240,
    summary: 'Whether the owner gets mails about a node',
  }),
  unlink: route({
    method: 'POST',
    path: '/api/v1/devices/unlink',
    auth: 'session',
    input: z.object({ node_id: nodeId }),
    output: z.object({ node_id: z.string() }),
    errors: ['notFound'],
    limit: 240,
    summary: "Gives a node up, and ends the account's code; the node itself goes on without an owner",
  }),
}
