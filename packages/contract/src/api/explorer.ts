import { z } from 'zod'
import { int, nothing, plain } from '../fields.ts'
import { AREA_SOURCES, NODE_STANDINGS, NODE_STATUSES } from '../objects.ts'
import { route } from '../route.ts'

/** The coordinates are the node's own statement, degrees with two digits; `area` is the country as in area ids. */
const place = z.object({ lat: z.number(), lng: z.number(), area: z.string() })

/** A transfer without its account or content. Uploads have only `to`, downloads only `from`, replicas both. */
export const transfer = z.object({
  id: z.number(),
  kind: z.enum(['upload', 'download', 'replica']),
  size: z.number(),
  from: place.nullable(),
  to: place.nullable(),
  at: z.string(),
})
export type Transfer = z.infer<typeof transfer>

/** Bytes that a relay passed on for devices: signed by both sides, and of these at most so many of paid downloads. */
export const passedOn = z.object({ signed: z.number(), paid: z.number() })

/** Public data of a node. Uptimes are 0..1, speeds bytes per second, sizes bytes. */
export const explorerNode = z.object({
  node_id: z.string(),
  name: z.string(),
  /** 1 edge, 2 candidate, 3 validator. */
  type: z.number(),
  area: z.string(),
  area_id: z.string(),
  /** The area that the node declares, if it differs from its area; otherwise null. */
  declared_area: z.string().nullable(),
  region_by: z.enum(AREA_SOURCES),
  lat: z.number(),
  lng: z.number(),
  status: z.enum(NODE_STATUSES),
  standing: z.enum(NODE_STANDINGS),
  /** Whether clients reach it through a relay, because nobody reaches it directly. */
  relayed: z.boolean(),
  /** Since when it has been online without a break; null while it is offline. */
  online_since: z.string().nullable(),
  registered_at: z.string(),
  /** Uptime of the last day, 7 days and 30 days, or since it registered if that is shorter. */
  uptime_24h: z.number(),
  uptime_7d: z.number(),
  uptime_30d: z.number(),
  capacity: z.number(),
  used: z.number(),
  replicas: z.number(),
  audits_passed_7d: z.number(),
  audits_failed_7d: z.number(),
  /** Measured over recent transfers: receiving and sending; 0 if not measured. */
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
      /** Largest first, names from A; `online`: longest online first. */
      sort: z.enum(NODE_SORTS).default('online'),
    }),
    output: z.object({ list: z.array(explorerNode), total: z.number() }),
    errors: [],
    limit: 240,
    summary: 'Lists nodes with uptime, capacity, audits and speeds',
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
      /** What it passed on as a relay in 30 days; null: nothing. */
      passed_on: passedOn.nullable(),
      /** Uptime by UTC day, oldest first: the last 30 days, or since it registered. */
      days: z.array(z.object({ date: z.string(), uptime: z.number() })),
    }),
    errors: ['notFound'],
    limit: 240,
    summary: 'Returns a node with its uptime by day',
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
          /** The mean position of its nodes. */
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
    summary: 'Lists areas with the capacity and content of their online nodes',
  }),
  transfers: route({
    method: 'GET',
    path: '/api/v1/network/transfers',
    auth: 'public',
    input: z.object({ page, size, kind: z.enum(['upload', 'download', 'replica']).optional() }),
    output: z.object({ list: z.array(transfer), total: z.number() }),
    errors: [],
    limit: 240,
    summary: 'Lists transfers of the last two days, newest first, without accounts or contents',
  }),
  figures: route({
    method: 'GET',
    path: '/api/v1/network/figures',
    auth: 'public',
    input: nothing,
    output: z.object({
      registered_nodes: z.number(),
      online_devices: z.number(),
      /** Of online nodes only, like addresses, cores and countries. */
      storage_space: z.number(),
      storage_used: z.number(),
      unique_ips: z.number(),
      cpu_cores: z.number(),
      countries: z.number(),
      /** Wallets linked to accounts. */
      active_wallets: z.number(),
      /** Average uptime of nodes over the last 30 days, or since they registered, 0..1; null without nodes. */
      uptime: z.number().nullable(),
      /** Hours of these 30 days during which the average node was observed. */
      uptime_hours: z.number(),
      /** Stored contents, each counted once, and the number of their replicas. */
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
    summary: 'Returns the measured figures of the network for the home page',
  }),
  events: route({
    method: 'GET',
    path: '/api/v1/network/events',
    auth: 'public',
    shape: 'raw',
    media: 'text/event-stream',
    input: nothing,
    /** The data of each event, by event name. */
    output: z.object({
      /** Sent first: the last 20 transfers, oldest first, and the number of online nodes. */
      snapshot: z.object({ transfers: z.array(transfer), online: z.number() }),
      transfer,
      /** Sent when the number changes. */
      nodes: z.object({ online: z.number() }),
    }),
    errors: ['tooManyRequests'],
    limit: 120,
    summary: 'Streams transfers and the number of online nodes as server-sent events',
  }),
}
