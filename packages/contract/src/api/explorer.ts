import { z } from 'zod'
import { int, nothing, plain } from '../fields.ts'
import { NODE_STATUSES } from '../objects.ts'
import { route } from '../route.ts'

/** Where a node says it is; degrees to two digits, `area` is a country or territory as in area ids. */
const place = z.object({ lat: z.number(), lng: z.number(), area: z.string() })

/** Bytes that moved: an upload ends at a node, a download begins at one, a replica goes between two. Nobody is named. */
export const transfer = z.object({
  id: z.number(),
  kind: z.enum(['upload', 'download', 'replica']),
  size: z.number(),
  from: place.nullable(),
  to: place.nullable(),
  at: z.string(),
})
export type Transfer = z.infer<typeof transfer>

/** A node as everybody may see it. Shares of time are 0..1, speeds bytes a second, sizes bytes. */
export const explorerNode = z.object({
  node_id: z.string(),
  name: z.string(),
  /** 1 edge, 2 candidate, 3 validator. */
  type: z.number(),
  area: z.string(),
  area_id: z.string(),
  lat: z.number(),
  lng: z.number(),
  status: z.enum(NODE_STATUSES),
  /** Since when it has been there without a break; null while it is away. */
  online_since: z.string().nullable(),
  registered_at: z.string(),
  /** Of the last day, week and 30 days, or of the time since it registered when that is shorter. */
  uptime_24h: z.number(),
  uptime_7d: z.number(),
  uptime_30d: z.number(),
  capacity: z.number(),
  used: z.number(),
  replicas: z.number(),
  audits_passed_7d: z.number(),
  audits_failed_7d: z.number(),
  /** Measured over recent transfers: what it takes in, what it sends; 0 when nothing was measured. */
  upload_speed: z.number(),
  download_speed: z.number(),
})
export type ExplorerNode = z.infer<typeof explorerNode>

const page = int(1, 100_000).default(1)
const size = int(1, 100).default(20)

export const NODE_SORTS = ['online', 'uptime', 'capacity', 'used', 'upload', 'download', 'name', 'newest'] as const
export type NodeSort = (typeof NODE_SORTS)[number]

export const explorer = {
  nodes: route({
    method: 'GET',
    path: '/api/v1/network/nodes',
    auth: 'public',
    input: z.object({
      page,
      size,
      /** A country as in area ids, or a whole area id. */
      area: plain(80).optional(),
      type: int(1, 3).optional(),
      status: z.enum(NODE_STATUSES).optional(),
      /** The largest first; names from A, `online` those that have been there longest. */
      sort: z.enum(NODE_SORTS).default('online'),
    }),
    output: z.object({ list: z.array(explorerNode), total: z.number() }),
    errors: [],
    limit: 240,
    summary: 'Nodes with their uptime, room, audits and speeds, page by page',
  }),
  node: route({
    method: 'GET',
    path: '/api/v1/network/node',
    auth: 'public',
    input: z.object({ node_id: z.string().min(1).max(80) }),
    output: explorerNode.extend({
      version: z.string(),
      cpu_cores: z.number(),
      memory: z.number(),
      /** Uptime by day, UTC, oldest first: the last 30 days, or those since it registered. */
      days: z.array(z.object({ date: z.string(), uptime: z.number() })),
    }),
    errors: ['notFound'],
    limit: 240,
    summary: 'One node, with its uptime day by day',
  }),
  areas: route({
    method: 'GET',
    path: '/api/v1/network/areas',
    auth: 'public',
    input: nothing,
    output: z.object({
      list: z.array(
        z.object({
          area: z.string(),
          /** The middle of its nodes. */
          lat: z.number(),
          lng: z.number(),
          nodes: z.number(),
          nodes_online: z.number(),
          capacity: z.number(),
          used: z.number(),
          replicas: z.number(),
        }),
      ),
    }),
    errors: [],
    limit: 240,
    summary: 'Areas with what their online nodes offer and hold',
  }),
  transfers: route({
    method: 'GET',
    path: '/api/v1/network/transfers',
    auth: 'public',
    input: z.object({ page, size, kind: z.enum(['upload', 'download', 'replica']).optional() }),
    output: z.object({ list: z.array(transfer), total: z.number() }),
    errors: [],
    limit: 240,
    summary: 'Transfers of the last two days, newest first, without who or what',
  }),
  figures: route({
    method: 'GET',
    path: '/api/v1/network/figures',
    auth: 'public',
    input: nothing,
    output: z.object({
      registered_nodes: z.number(),
      online_devices: z.number(),
      /** Of nodes that are online, as are addresses, cores and countries. */
      storage_space: z.number(),
      storage_used: z.number(),
      unique_ips: z.number(),
      cpu_cores: z.number(),
      countries: z.number(),
      /** Wallets that are bound to accounts. */
      active_wallets: z.number(),
      /** Average share of the last 30 days, or of the time since registration, that nodes were online, 0..1; null without nodes. */
      uptime: z.number().nullable(),
      /** Hours of these 30 days for which the average node has been observed. */
      uptime_hours: z.number(),
      /** Contents that a node holds, each counted once, and their copies. */
      bytes_stored: z.number(),
      replicas: z.number(),
      bytes_transferred_24h: z.number(),
      transfers_24h: z.number(),
      audits_24h: z.number(),
      audits_failed_24h: z.number(),
      measured_at: z.string(),
    }),
    errors: [],
    limit: 240,
    summary: 'Figures of the network for the home page, measured',
  }),
  events: route({
    method: 'GET',
    path: '/api/v1/network/events',
    auth: 'public',
    shape: 'raw',
    media: 'text/event-stream',
    input: nothing,
    /** What the events carry, by name. */
    output: z.object({
      /** First: the last 20 transfers, oldest first, and how many nodes are online. */
      snapshot: z.object({ transfers: z.array(transfer), online: z.number() }),
      transfer,
      /** When the number changes. */
      nodes: z.object({ online: z.number() }),
    }),
    errors: ['tooManyRequests'],
    limit: 120,
    summary: 'Transfers and the number of online nodes as they happen, as server-sent events',
  }),
}
