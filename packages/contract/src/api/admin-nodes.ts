import { z } from 'zod'
import { AREA_ID } from '../constants.ts'
import { bool } from '../fields.ts'
import { expects } from '../input-hints.ts'
import { nodeCertificate } from '../node-certificates.ts'
import { AREA_SOURCES, NODE_STANDINGS, NODE_STATUSES } from '../objects.ts'
import { route } from '../route.ts'
import { after, next, note, q, reason, size } from './admin-fields.ts'

/** Nodes, in the operator area. */

const nodeId = z.string().min(1).max(80)

export const adminNode = z.object({
  node_id: z.string(),
  name: z.string(),
  kind: z.enum(['edge', 'candidate', 'validator']),
  area_id: z.string(),
  /** The area that the node declares, if it differs from its area; otherwise null. */
  declared_area: z.string().nullable(),
  region_by: z.enum(AREA_SOURCES),
  /** The country of its address, by the database of addresses; null: unknown. */
  located_country: z.string().nullable(),
  url: z.string(),
  ip: z.string(),
  version: z.string(),
  status: z.enum(NODE_STATUSES),
  /** Whether the server can connect to it from outside. */
  reachable: z.boolean(),
  seen_at: z.string().nullable(),
  registered_at: z.string(),
  capacity: z.number(),
  used: z.number(),
  replicas: z.number(),
  /** Share of successful transfers, 0..1. */
  quality: z.number(),
  /** Bytes per second as clients and validators measured it; 0: nobody did. */
  rate: z.number(),
  standing: z.enum(NODE_STANDINGS),
  /** Since when its copies are moved to other nodes because it fails audits; null: they are not. */
  draining_since: z.string().nullable(),
  /** Its owner takes it out of the network; null: stays. `remaining`: contents that still need it, null: not counted yet. */
  leaving: z.object({ since: z.string(), remaining: z.number().nullable() }).nullable(),
  /** Its network (/24 or /48), which limits copies and downloads of edges. */
  network: z.string(),
  /** When operators took it out of service; null: in service. */
  out_since: z.string().nullable(),
  note: z.string(),
  /** The certificate for its names; null: it does not need one. */
  certificate: nodeCertificate.nullable(),
})
export type AdminNode = z.infer<typeof adminNode>

export const adminNodes = {
  nodes: route({
    method: 'GET',
    path: '/api/v1/admin/nodes',
    auth: 'operator',
    input: z.object({
      /** Part of a name, id, area or address. */
      q,
      status: z.enum(NODE_STATUSES).optional(),
      kind: z.enum(['edge', 'candidate', 'validator']).optional(),
      out: bool.optional(),
      after,
      size,
    }),
    output: z.object({ list: z.array(adminNode), next }),
    errors: ['operatorSecondFactor'],
    summary: 'Lists nodes by name, with details for operators',
  }),
  nodeOut: route({
    method: 'POST',
    path: '/api/v1/admin/node/out',
    auth: 'operator',
    input: z.object({ node_id: nodeId, reason }),
    output: adminNode,
    errors: ['operatorSecondFactor', 'notFound', 'reasonMissing', 'textTooLong'],
    summary: 'Takes a node out of service: it receives no new content, and its content is copied to other nodes',
  }),
  nodeBack: route({
    method: 'POST',
    path: '/api/v1/admin/node/back',
    auth: 'operator',
    input: z.object({ node_id: nodeId, reason }),
    output: adminNode,
    errors: ['operatorSecondFactor', 'notFound', 'reasonMissing', 'textTooLong'],
    summary: 'Returns a node to service',
  }),
  nodeNote: route({
    method: 'POST',
    path: '/api/v1/admin/node/note',
    auth: 'operator',
    input: z.object({ node_id: nodeId, note }),
    output: adminNode,
    errors: ['operatorSecondFactor', 'notFound', 'textTooLong'],
    summary: 'Sets the note on a node, visible to operators only',
  }),
  nodeRegion: route({
    method: 'POST',
    path: '/api/v1/admin/node/region',
    auth: 'operator',
    input: z.object({
      node_id: nodeId,
      /** An area id; null: the node's address determines its area again. */
      area_id: z.string().max(200).regex(AREA_ID, expects('areaId')).nullable(),
      reason,
    }),
    output: adminNode,
    errors: ['operatorSecondFactor', 'notFound', 'reasonMissing', 'textTooLong'],
    summary:
      'Assigns the area of a node, instead of the country of its IP address; null: the address determines it again',
  }),
}
