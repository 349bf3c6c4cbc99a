import { mkdirSync } from 'node:fs'
import { type Clock, createClock } from '@tidenet/daemon'
import { type Chain, openChain } from './chain.ts'
import { BLOCK_SECONDS, type ChainConfig } from './config.ts'
import { type Genesis, ordersAddress, rewardsAddress, tnt4Address, tokenAddress } from './genesis.ts'
import { openBlockLog } from './log.ts'
import { readOperatorKey } from './operator-key.ts'
import { serveChain } from './rpc/server.ts'
import { openSnapshots } from './snapshots.ts'
import { RULES } from './state/contracts.ts'

export interface RunningChain {
  url: string
  chain: Chain
  operator: { address: string; file: string }
  token: string
  orders: string
  /** Address of the token that points are redeemed for; empty on chains without one. */
  rewards: string
  /** Address of TNT4; empty on chains without it. */
  tnt4: string
  /** Tests only: creates this many blocks. */
  advance: (blocks: number) => void
  stop: () => Promise<void>
}

/** Initial supply of each token, in its smallest unit. */
const SUPPLY = '100000000000000'
const TNT4_SUPPLY = '1000000000000000'
const COINS = '1000000000000000'

/** Faster chains skip blocks only if the clock was moved, not if the machine is slow. */
const CLOCK_MOVED_MS = 60_000

/** Starts the chain: opens or creates its log, creates blocks on schedule, serves clients. */
export async function runChain(config: ChainConfig): Promise<RunningChain> {
  const clock: Clock = config.clock ?? createClock()
  mkdirSync(config.data, { recursive: true, mode: 0o700 })
  const { address: operator, file } = await readOperatorKey(config.data, config.prefix)
  const log = await openBlockLog(config.data, config.chainId, () => begin(config, operator, clock))
  const chain = await openChain(log, clock, openSnapshots(config.data, log))
  const real = config.blockMs === BLOCK_SECONDS * 1000
  // Blocks for the time the program was stopped.
  if (real) chain.skipTo(chain.due())
  chain.upgrade()
  // Clients treat a chain without blocks as unavailable.
  chain.skipTo(1)
  let last = clock.now()
  const timer = setInterval(() => {
    const passed = clock.now() - last
    last += passed
    // The clock was moved, or the machine was suspended.
    if (real && chain.due() > chain.height + 1) chain.skipTo(chain.due() - 1)
    else if (!real && passed > CLOCK_MOVED_MS) chain.skipTo(chain.height + Math.floor(passed / (BLOCK_SECONDS * 1000)))
    chain.produce()
  }, config.blockMs)
  const { url, stop } = await serveChain(chain, config)
  return {
    url,
    chain,
    operator: { address: operator, file },
    token: tokenAddress(chain.genesis),
    orders: ordersAddress(chain.genesis),
    rewards: rewardsAddress(chain.genesis),
    tnt4: tnt4Address(chain.genesis),
    advance: (blocks) => chain.skipTo(chain.height + blocks),
    async stop() {
      clearInterval(timer)
      await stop()
      await chain.close()
    },
  }
}

function begin({ chainId, prefix, minGasPrice }: ChainConfig, operator: string, clock: Clock): Genesis {
  return {
    rules: RULES,
    chainId,
    prefix,
    denom: `u${prefix}`,
    minGasPrice,
    blockSeconds: BLOCK_SECONDS,
    time: clock.now(),
    operator,
    treasury: operator,
    token: { name: 'Tidenet test coin', symbol: 'cTNT', decimals: 2, supply: SUPPLY },
    rewards: { name: 'Tidenet reward coin', symbol: 'TTNT', decimals: 2, supply: SUPPLY },
    tnt4: { name: 'Tidenet test TNT4', symbol: 'TNT4', decimals: 6, supply: TNT4_SUPPLY },
    coins: COINS,
  }
}
