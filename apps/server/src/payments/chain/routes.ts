import { FEE_COIN_DECIMALS } from '@tidenet/contract'
import { createCache } from '../../platform/cache.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { answering, type Chain, demandChain } from './chain.ts'
import { createChainExplorer } from './explorer.ts'
import { gasPrices, usualFee } from './fees.ts'
import { forwardChain } from './forward.ts'
import { feeCoin } from './words.ts'

/** Serves what is to be known of the chain, and passes wallets on to it. */
export async function serveChain(serving: ServerServing, context: Context): Promise<void> {
  const cached = createCache(context)
  let explored: { chain: Chain; explorer: ReturnType<typeof createChainExplorer> } | undefined
  const explorer = () => {
    const chain = demandChain(context)
    if (explored?.chain !== chain) explored = { chain, explorer: createChainExplorer(chain) }
    return explored.explorer
  }
  /** The answer of a moment ago to whoever asks the same. */
  const read = <T>(question: readonly unknown[], work: () => Promise<T>) => cached(question, () => answering(work))

  serveModule(serving, 'chain', {
    async settings() {
      const chain = demandChain(context)
      const { config, token, orders, tokenInfo } = chain
      const { name, symbol, decimals } = await answering(tokenInfo)
      return {
        chain_id: config.id,
        prefix: config.prefix,
        denom: config.denom,
        coin: feeCoin(config.denom),
        decimals: FEE_COIN_DECIMALS,
        token: { address: token, name, symbol, decimals },
        orders,
        fee: await answering(() => usualFee(chain)),
        gas_prices: await answering(() => gasPrices(chain)),
        rpc: '/chain/rpc',
        rest: config.rest === '' ? '' : '/chain/rest',
        websocket: '/chain/rpc/websocket',
        development: config.development,
      }
    },
    status() {
      const { status } = explorer()
      return read(['status'], status)
    },
    transaction({ hash }) {
      const { transaction } = explorer()
      return read(['transaction', hash], () => transaction(hash))
    },
    block({ height, page, size }) {
      const { block } = explorer()
      return read(['block', height, page, size], () => block(height, page, size))
    },
    address({ address, page, size }) {
      const { address: show } = explorer()
      return read(['address', address, page, size], () => show(address, page, size))
    },
  })
  if (context.chain) await forwardChain(serving.app, context, context.chain.config)
}
