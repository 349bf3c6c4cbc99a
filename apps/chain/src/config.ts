import { type Clock, port, readConfig, StartError } from '@tidenet/daemon'
import { z } from 'zod'

/** Configuration of the chain. */
export interface ChainConfig {
  env: 'production' | 'development' | 'test'
  host: string
  /** 0 for any free port. */
  port: number
  /** Folder of the blocks and the operator's key. */
  data: string
  chainId: string
  prefix: string
  /** Real ms between blocks. If not 6,000, the chain's hours differ from real ones. */
  blockMs: number
  minGasPrice: string
  logLevel: string
  clock?: Clock
}

/** Nominal seconds per block: 600 blocks are one hour. */
export const BLOCK_SECONDS = 6

/**
 * Reads the configuration from environment variables.
 * @throws StartError listing all invalid settings
 */
export function readChainConfig(env: Readonly<Record<string, string | undefined>>): ChainConfig {
  const { inProduction, ...config } = readConfig(
    {
      env: { from: 'TIDENET_ENV', type: z.enum(['production', 'development', 'test']).default('development') },
      host: { from: 'TIDENET_CHAIN_HOST', type: z.string().default('127.0.0.1') },
      port: { from: 'TIDENET_CHAIN_PORT', type: port(0) },
      data: { from: 'TIDENET_CHAIN_DATA', type: z.string({ error: 'expected the path of a folder' }) },
      chainId: {
        from: 'CHAIN_ID',
        type: z
          .string()
          .regex(/^[a-z][a-z-]{0,40}-\d{1,6}$/, { error: 'expected letters and a number such as tidenet-devnet-1' })
          .default('tidenet-devnet-1'),
      },
      prefix: {
        from: 'CHAIN_PREFIX',
        type: z
          .string()
          .regex(/^[a-z]{2,16}$/, { error: 'expected 2 to 16 small letters' })
          .default('tide'),
      },
      blockMs: {
        from: 'TIDENET_CHAIN_BLOCK_MS',
        type: z.coerce
          .number()
          .int()
          .min(10)
          .max(60_000)
          .default(BLOCK_SECONDS * 1000),
      },
      minGasPrice: {
        from: 'TIDENET_CHAIN_MIN_GAS_PRICE',
        type: z
          .string()
          .regex(/^\d+(\.\d{1,6})?$/, { error: 'expected a decimal' })
          .default('0'),
      },
      logLevel: {
        from: 'TIDENET_LOG_LEVEL',
        type: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
      },
      inProduction: { from: 'TIDENET_CHAIN_IN_PRODUCTION', type: z.enum(['yes', 'no']).default('no') },
    },
    // The server's names of these two variables.
    {
      ...env,
      CHAIN_ID: env.TIDENET_CHAIN_ID || env.CHAIN_ID,
      CHAIN_PREFIX: env.TIDENET_CHAIN_PREFIX || env.CHAIN_PREFIX,
    },
  )
  if (config.env === 'production' && inProduction !== 'yes')
    throw new StartError(
      'The configuration is not right:\n  TIDENET_ENV=production: this chain is made for development; one program makes its blocks. Set CHAIN_RPC_URL of the server to a real chain, or TIDENET_CHAIN_IN_PRODUCTION=yes here',
    )
  return config
}
