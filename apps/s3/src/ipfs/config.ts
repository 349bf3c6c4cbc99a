import { port, readConfig, StartError } from '@tidenet/daemon'
import { z } from 'zod'
import { readProxies } from '../client-address.ts'
import type { GatewayConfig } from '../config.ts'

/** Configuration of the public IPFS gateway, which runs beside the S3 gateway of an operator. */
export interface IpfsConfig {
  /** Origin of the server. */
  server: string
  secret: string
  host: string
  /** 0 for any free port. */
  port: number
  /** Multiaddrs at which clients reach the gateways; empty: that of host and port. */
  addresses: readonly string[]
  /** Whether an address is a proxy whose `X-Forwarded-For` is believed. */
  isProxy(ip: string): boolean
  tls: GatewayConfig['tls']
  idleTimeout: number
}

const list = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))

/** @returns undefined if TIDENET_IPFS_PORT is not set @throws StartError listing all invalid settings */
export function readIpfsConfig(
  env: Readonly<Record<string, string | undefined>>,
  gateway: GatewayConfig,
): IpfsConfig | undefined {
  if (!env.TIDENET_IPFS_PORT) return undefined
  const config = readConfig(
    {
      host: { from: 'TIDENET_IPFS_HOST', type: z.string().default('127.0.0.1') },
      port: { from: 'TIDENET_IPFS_PORT', type: port(0) },
      addresses: {
        from: 'TIDENET_IPFS_ADDRESS',
        type: list.refine(
          (all) =>
            all.every((address) =>
              /^\/(dns[46]?|ip4|ip6)\/[^/\s]+\/tcp\/\d{1,5}\/(http|https|tls\/http)$/.test(address),
            ),
          {
            error: 'expected multiaddrs such as /dns4/ipfs.example.org/tcp/443/tls/http',
          },
        ),
      },
      isProxy: { from: 'TIDENET_IPFS_PROXIES', type: z.string().default('').transform(readProxies) },
    },
    env,
  )
  if (!('gatewaySecret' in gateway.access))
    throw new StartError(
      'The configuration is not right: only a gateway of the operator (TIDENET_S3_GATEWAY_SECRET) can be a public IPFS gateway (TIDENET_IPFS_PORT).',
    )
  const { server, tls, idleTimeout } = gateway
  return { ...config, server, tls, idleTimeout, secret: gateway.access.gatewaySecret }
}
