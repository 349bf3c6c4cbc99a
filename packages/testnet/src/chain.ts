import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartError } from '@tidenet/daemon/start-error'
import { type ProcessOptions, type Program, startProcess } from './processes.ts'

const PROGRAM = fileURLToPath(new URL('../../../apps/chain/dist/main.js', import.meta.url))

export interface ChainOptions {
  /** Folder of blocks and the operator's key. */
  data: string
  port?: number
  /** Real ms between blocks. Default 6,000. */
  blockMs?: number
  env?: Readonly<Record<string, string>>
  /** Overrides for the process: name, log and so on. */
  process?: Partial<ProcessOptions>
  /** Starts the process; for callers that track processes. */
  start?: (options: ProcessOptions) => Program
}

/** A running development chain in its own process. */
export interface ChainHandle {
  process: Program
  /** RPC URL; the REST API for wallets is at `/rest`. */
  url: string
  /** Contract addresses. */
  token: string
  orders: string
  /** Token that points are redeemed for; empty on a chain created without it. */
  rewards: string
  /** TNT4, which the points exchange takes; empty on a chain created without it. */
  tnt4: string
  /** Path of the operator's key. */
  keyFile: string
}

/** Environment variables that configure a server for this chain. */
export const chainSettings = ({ url, token, orders, rewards, tnt4, keyFile }: Omit<ChainHandle, 'process'>) => ({
  TIDENET_CHAIN_RPC: url,
  TIDENET_CHAIN_REST: `${url}/rest`,
  TIDENET_CHAIN_TOKEN: token,
  TIDENET_CHAIN_ORDERS: orders,
  TIDENET_CHAIN_REWARDS_TOKEN: rewards,
  TIDENET_EXCHANGE_TOKEN: tnt4,
  TIDENET_CHAIN_KEY_FILE: keyFile,
  TIDENET_CHAIN_DEVELOPMENT: 'yes',
})

/** Starts the development chain. */
export async function startChain({
  data,
  port = 0,
  blockMs,
  env,
  process,
  start = startProcess,
}: ChainOptions): Promise<ChainHandle> {
  if (!existsSync(PROGRAM)) throw new StartError(`${PROGRAM} is missing: run npm run build.`)
  const program = start({
    name: 'chain',
    script: PROGRAM,
    logFile: join(data, '..', 'logs', 'chain.log'),
    ...process,
    env: {
      TIDENET_ENV: 'test',
      ...env,
      TIDENET_CHAIN_DATA: data,
      TIDENET_CHAIN_PORT: String(port),
      ...(blockMs === undefined ? {} : { TIDENET_CHAIN_BLOCK_MS: String(blockMs) }),
    },
  })
  const ready = await program.ready
  return {
    process: program,
    url: String(ready.url),
    token: String(ready.token),
    orders: String(ready.orders),
    rewards: String(ready.rewards),
    tnt4: String(ready.tnt4),
    keyFile: String(ready.operator),
  }
}
