import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartError } from '@tidenet/daemon/start-error'
import { type ProcessOptions, type Program, startProcess } from './processes.ts'

const PROGRAM = fileURLToPath(new URL('../../../apps/chain/dist/main.js', import.meta.url))

export interface ChainOptions {
  /** Folder of its blocks and of the operator's key. */
  data: string
  port?: number
  /** Wall-clock ms between blocks; 6,000 when left out. */
  blockMs?: number
  env?: Readonly<Record<string, string>>
  /** Names, logs and what else belongs to its process. */
  process?: Partial<ProcessOptions>
  /** How its process is begun; for whoever keeps a list of them. */
  start?: (options: ProcessOptions) => Program
}

/** The development chain, running as a process of its own. */
export interface ChainHandle {
  process: Program
  /** Its RPC; the REST of wallets is below `/rest`. */
  url: string
  /** Addresses of the contracts. */
  token: string
  orders: string
  /** Of the token that points are redeemed for; empty on a chain that began without it. */
  rewards: string
  /** Where the operator's key lies. */
  keyFile: string
}

/** How a server is told of a chain. */
export const chainSettings = ({ url, token, orders, rewards, keyFile }: Omit<ChainHandle, 'process'>) => ({
  TIDENET_CHAIN_RPC: url,
  TIDENET_CHAIN_REST: `${url}/rest`,
  TIDENET_CHAIN_TOKEN: token,
  TIDENET_CHAIN_ORDERS: orders,
  TIDENET_CHAIN_REWARDS_TOKEN: rewards,
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
    keyFile: String(ready.operator),
  }
}
