import type { ChainPort } from './chain-port.ts'
import { createRpc } from './rpc.ts'
import { priceOfRest, sendingBy } from './sending.ts'
import { stateOf } from './state.ts'
import { transactionsOf } from './transactions.ts'

export { type ChainBlock, type ChainPort, ChainRefusal, ChainUnreachable } from './chain-port.ts'

export interface ChainPortOptions {
  /** CometBFT RPC URLs of one chain, in order of preference. */
  urls: readonly string[]
  chainId: string
  /** REST URL of the same chain, for data that the RPC does not have. */
  rest?: string
  /** Timeout of one request, ms. */
  timeout?: number
  fetch?: typeof fetch
}

const TIMEOUT = 10_000

/** Uses a chain by its RPC; if one URL does not answer, the next is tried. */
export function createChainPort(options: ChainPortOptions): ChainPort {
  const { urls, chainId, rest = '', timeout = TIMEOUT, fetch: send = fetch } = options
  const rpc = createRpc({ urls, chainId, timeout, fetch: send })
  const status = shared(async () => {
    const { sync_info } = await rpc.call<{ sync_info: { latest_block_height: string; latest_block_time: string } }>(
      'status',
      {},
    )
    return { height: Number(sync_info.latest_block_height), time: new Date(sync_info.latest_block_time) }
  })
  return {
    status,
    ...stateOf(rpc),
    ...transactionsOf(rpc),
    ...sendingBy(rpc, (denom) => priceOfRest({ rest, timeout, fetch: send }, denom)),
  }
}

/**
 * One question at a time. Those who ask meanwhile share the next one: an answer that is on its way may be older than what they know, such as
 * the block of a payment.
 */
export function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined
  let next: Promise<T> | undefined
  const start = () => {
    const asked = ask().finally(() => {
      if (current === asked) current = undefined
    })
    current = asked
    return asked
  }
  return () => {
    if (!current) return start()
    const before = current
    next ??= (async () => {
      await before.catch(() => {})
      next = undefined
      return start()
    })()
    return next
  }
}
