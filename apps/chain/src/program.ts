import { mkdirSync } from 'node:fs'
import { type Clock, createClock } from '@tidenet/daemon'
import { type Chain, openChain } from './chain.ts'
import { BLOCK_SECONDS, type ChainConfig } from './config.ts'
import { type Genesis, ordersAddress, rewardsAddress, tokenAddress } from './genesis.ts'
import { openBlockLog } from './log.ts'
import { readOperatorKey } from './operator-key.ts'
import { serveChain } from './rpc/server.ts'

export interface RunningChain {
  url: string
  chain: Chain
  operator: { address: string; file: string }
  token: string
  orders: string
  /** Of the token that points are redeemed for; empty on a chain that began without it. */
  rewards: string
  /** For tests: makes blocks until the height. */
  advance: (blocks: number) => void
  stop: () => Promise<void>
}

/** Of each token: what the network can pay out at most, in its smallest unit. */
const SUPPLY = '100000000000000'
const COINS = '1000000000000000'

/** Starts the chain: opens or begins its log, makes a block whenever one is due, and serves it. */
export async function runChain(config: ChainConfig): Promise<RunningChain> {
  const clock: Clock = config.clock ?? createClock()
  mkdirSync(config.data, { recursive: true, mode: 0o700 })
  const { address: operator, file } = await readOperatorKey(config.data, config.prefix)
  const log = await openBlockLog(config.data, config.chainId, () => begin(config, operator, clock))
  const chain = await openChain(log, clock)
  const real = config.blockMs === BLOCK_SECONDS * 1000
  // What passed while nobody made blocks.
  if (real) chain.skipTo(chain.due())
  // Clients take a chain that answers without a block for none.
  chain.skipTo(1)
  const timer = setInterval(() => {
    // A clock that was moved, or a machine that slept.
    if (real && chain.due() > chain.height + 1) chain.skipTo(chain.due() - 1)
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
    advance: (blocks) => chain.skipTo(chain.height + blocks),
    async stop() {
      clearInterval(timer)
      await stop()
      chain.close()
    },
  }
}

function begin({ chainId, prefix, minGasPrice }: ChainConfig, operator: string, clock: Clock): Genesis {
  return {
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
    coins: COINS,
  }
}
