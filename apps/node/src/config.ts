import { isIP } from 'node:net'
import { AREA_ID, GiB, type Input, type NodeKind, type nodeControl, OWNER_CODE, UNKNOWN_AREA } from '@tidenet/contract'
import { addressAndPort, byteCount, type Clock, isPublicAddress, port, readConfig, StartError } from '@tidenet/daemon'
import { z } from 'zod'
import type { faults } from './downloads/faults.ts'
import type { Outgoing } from './downloads/outgoing.ts'
import { RELEASE_KEY } from './updates/release.ts'

/** Configuration of a node. */
export interface NodeConfig {
  env: 'production' | 'development' | 'test'
  /** Origin of the server, without a trailing slash. */
  server: string
  host: string
  /** 0 for any free port. */
  port: number
  /** Data folder. */
  data: string
  kind: NodeKind
  area: string
  /** Most bytes of content; the disk may allow less. */
  capacity: number
  latitude: number
  longitude: number
  /** Public URL. Default: built from host and port. */
  url?: string | undefined
  /** Addresses of trusted proxies for X-Forwarded-For; empty: the address of the connection is used. */
  trustProxy?: string | undefined
  /** Where this node serves as a relay for others, on an address that they can reach; undefined: it does not. */
  relay?: { host: string; port: number } | undefined
  /** How it is reached without a relay: at a place where it listens, `auto`, or `off`. Default: `off`. */
  direct?: { address: string; port: number } | 'auto' | 'off' | undefined
  name: string
  joinToken: string
  /** Code of the account that owns the node; empty: the owner does not change. */
  owner: string
  logLevel: string
  /** Port of the page for the owner, on 127.0.0.1; 0: any free port; undefined: no page. */
  page?: number | undefined
  /** Public key that signs updates, for a program that was built without one; empty: none. */
  releaseKey?: string
  /** What the portal's owner page says about updates; undefined: the program does not update itself. */
  updates?: (isOn: boolean) => Input<typeof nodeControl.register>['updates']
  /** Whether replicas may be fetched from nodes at private addresses. */
  privateNodes: boolean
  /** Tests: wraps the output of every response. */
  wrapOutgoing?: (out: Outgoing) => Outgoing
  /** Tests: the address from which it connects to other nodes. */
  localAddress?: string
  clock?: Clock
  /** Aborts a start. */
  stopping?: AbortSignal
}

const directPlace = z
  .enum(['auto', 'off'])
  .or(addressAndPort('auto, off, or an address and a port such as 192.0.2.1:443').transform(asPlace))
  .default('auto')
const relayPlace = addressAndPort('a public address and a port such as 192.0.2.1:443').optional()

const origin = z
  .url({ protocol: /^https?$/, error: 'expected http(s)://host:port' })
  .transform((text) => text.replace(/\/+$/, ''))

/**
 * Reads the configuration from environment variables.
 * @throws StartError listing all invalid settings
 */
export function readNodeConfig(
  env: Readonly<Record<string, string | undefined>>,
): NodeConfig & { fault?: keyof typeof faults | undefined } {
  const config = readConfig(
    {
      env: { from: 'TIDENET_ENV', type: z.enum(['production', 'development', 'test']).optional() },
      server: { from: 'TIDENET_SERVER', type: origin },
      host: { from: 'TIDENET_NODE_HOST', type: z.string().default('127.0.0.1') },
      port: { from: 'TIDENET_NODE_PORT', type: port(0) },
      data: { from: 'TIDENET_NODE_DATA', type: z.string({ error: 'expected the path of a folder' }) },
      kind: { from: 'TIDENET_NODE_KIND', type: z.enum(['edge', 'candidate', 'validator']).default('edge') },
      area: {
        from: 'TIDENET_NODE_AREA',
        type: z.string().regex(AREA_ID, { error: 'expected Continent-Country-Province-City' }).default(UNKNOWN_AREA),
      },
      capacity: { from: 'TIDENET_NODE_CAPACITY', type: byteCount.optional().transform((bytes) => bytes ?? 100 * GiB) },
      latitude: { from: 'TIDENET_NODE_LAT', type: z.coerce.number().min(-90).max(90).default(0) },
      longitude: { from: 'TIDENET_NODE_LNG', type: z.coerce.number().min(-180).max(180).default(0) },
      url: { from: 'TIDENET_NODE_URL', type: origin.optional() },
      relay: { from: 'TIDENET_NODE_RELAY', type: relayPlace },
      direct: { from: 'TIDENET_NODE_DIRECT', type: directPlace },
      trustProxy: { from: 'TIDENET_TRUST_PROXY', type: z.string().default('') },
      name: { from: 'TIDENET_NODE_NAME', type: z.string().max(60).default('') },
      joinToken: { from: 'TIDENET_JOIN_TOKEN', type: z.string().max(200).default('') },
      owner: {
        from: 'TIDENET_NODE_OWNER',
        type: z
          .string()
          .regex(OWNER_CODE, { error: 'expected a code from the page of your devices in the portal (own_…)' })
          .default(''),
      },
      page: {
        from: 'TIDENET_NODE_PAGE',
        type: z
          .literal('off')
          .transform(() => undefined)
          .or(port(0)),
      },
      releaseKey: {
        from: 'TIDENET_NODE_RELEASE_KEY',
        type: z
          .string()
          .regex(RELEASE_KEY, { error: 'expected the public key of releases (43 characters)' })
          .or(z.literal(''))
          .default(''),
      },
      logLevel: {
        from: 'TIDENET_LOG_LEVEL',
        type: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
      },
      privateNodes: { from: 'TIDENET_PRIVATE_NODES', type: z.enum(['yes', 'no']).optional() },
      fault: { from: 'TIDENET_NODE_FAULT', type: z.enum(['flip-bits', 'slow']).optional() },
    },
    env,
  )
  if (config.fault && config.env !== 'test')
    throw new StartError('The configuration is not right:\n  TIDENET_NODE_FAULT is for TIDENET_ENV=test only')
  // A downloaded program is told nothing about the network that it joins.
  const { privateNodes, direct, env: given = 'production', ...rest } = config
  // If the server has a private address, so do the other nodes.
  const inside = given !== 'production' || livesInside(config.server)
  const privateToo = privateNodes ? privateNodes === 'yes' : inside
  // Within a private network, neither routers nor public addresses lead to this node.
  return { ...rest, env: given, privateNodes: privateToo, direct: direct === 'auto' && privateToo ? 'off' : direct }
}

function asPlace({ host, port }: { host: string; port: number }) {
  return { address: host, port }
}

function livesInside(origin: string): boolean {
  const host = new URL(origin).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return !isPublicAddress(host)
  return !host.includes('.') || /\.(local|internal|home\.arpa)$/.test(host)
}
