import { readFileSync } from 'node:fs'
import { port, readConfig, StartError } from '@tidenet/daemon'
import { z } from 'zod'
import { readProxies } from './client-address.ts'

/** Configuration of a gateway. */
export interface GatewayConfig {
  /** Origin of the server, without a trailing slash. */
  server: string
  host: string
  /** 0 for any free port. */
  port: number
  /** Names of this gateway: `<bucket>.<name>` is a bucket. */
  names: string[]
  /** Certificate and key in PEM; undefined: http. */
  tls: { cert: Buffer; key: Buffer } | undefined
  /** Whether an address is a proxy whose `X-Forwarded-For` is believed. */
  isProxy(ip: string): boolean
  /** How it knows who is calling. */
  access: OperatorAccess | OwnAccess
  /** Ms in which a client must send or take something; what stands still for longer is ended. */
  idleTimeout: number
  /** Imports that a gateway of the operator runs at the same time; 0: none. */
  imports: number
  /** Ms between two questions for imports. */
  importsPoll: number
  logLevel: string
}

/** A gateway of the operator: the server checks signatures. */
export interface OperatorAccess {
  gatewaySecret: string
}
/** A gateway beside the programs of one customer, for this access key only. */
export interface OwnAccess {
  accessKeyId: string
  secretAccessKey: string
}

const text = z.string().default('')
const origin = z
  .url({ protocol: /^https?$/, error: 'expected http(s)://host:port' })
  .transform((url) => url.replace(/\/+$/, ''))

/**
 * Reads the configuration from environment variables.
 * @throws StartError listing all invalid settings
 */
export function readGatewayConfig(env: Readonly<Record<string, string | undefined>>): GatewayConfig {
  const { gatewaySecret, accessKeyId, secretAccessKey, cert, key, ...config } = readConfig(
    {
      server: { from: 'TIDENET_SERVER', type: origin },
      host: { from: 'TIDENET_S3_HOST', type: z.string().default('127.0.0.1') },
      port: { from: 'TIDENET_S3_PORT', type: port(0) },
      names: {
        from: 'TIDENET_S3_NAMES',
        type: z
          .string()
          .default('localhost')
          .transform((names) =>
            names
              .toLowerCase()
              .split(/[\s,]+/)
              .filter(Boolean),
          ),
      },
      isProxy: { from: 'TIDENET_S3_TRUSTED_PROXIES', type: text.transform(readProxies) },
      cert: { from: 'TIDENET_S3_TLS_CERT', type: text },
      key: { from: 'TIDENET_S3_TLS_KEY', type: text },
      gatewaySecret: { from: 'TIDENET_S3_GATEWAY_SECRET', type: text },
      accessKeyId: { from: 'TIDENET_S3_ACCESS_KEY_ID', type: text },
      secretAccessKey: { from: 'TIDENET_S3_SECRET_ACCESS_KEY', type: text },
      idleTimeout: { from: 'TIDENET_S3_IDLE_TIMEOUT_MS', type: z.coerce.number().int().min(100).default(60_000) },
      imports: { from: 'TIDENET_S3_IMPORTS', type: z.coerce.number().int().min(0).max(100).default(2) },
      importsPoll: {
        from: 'TIDENET_S3_IMPORTS_POLL_MS',
        type: z.coerce.number().int().min(50).max(60_000).default(2000),
      },
      logLevel: {
        from: 'TIDENET_LOG_LEVEL',
        type: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
      },
    },
    env,
  )
  const own = accessKeyId !== '' && secretAccessKey !== ''
  if (own === (gatewaySecret !== ''))
    throw new StartError(
      'The configuration is not right: set TIDENET_S3_ACCESS_KEY_ID and TIDENET_S3_SECRET_ACCESS_KEY for a gateway beside your programs, or TIDENET_S3_GATEWAY_SECRET for one of the operator.',
    )
  if ((cert === '') !== (key === ''))
    throw new StartError('The configuration is not right: TIDENET_S3_TLS_CERT and TIDENET_S3_TLS_KEY belong together.')
  return {
    ...config,
    tls: cert === '' ? undefined : { cert: read('TIDENET_S3_TLS_CERT', cert), key: read('TIDENET_S3_TLS_KEY', key) },
    access: own ? { accessKeyId, secretAccessKey } : { gatewaySecret },
  }
}

function read(name: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new StartError(`${name}=${path} cannot be read: ${(error as Error).message}`)
  }
}
