import { FEE_COIN_DECIMALS } from '@tidenet/contract'
import { createCache } from '../../platform/cache.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { type Chain, mapChainErrors, requireChain } from './chain.ts'
import { createChainExplorer } from './explorer.ts'
import { gasPrices, usualFee } from './fees.ts'
import { forwardChain } from './forward.ts'
import { feeCoin } from './wire.ts'

/** Serves the chain explorer and settings, and forwards requests of wallets to the chain. */
export async function serveChain(serving: ServerServing, context: Context): Promise<void> {
  const cached = createCache(context)
  let current: { chain: Chain; explorer: ReturnType<typeof createChainExplorer> } | undefined
  const explorer = () => {
    const chain = requireChain(context)
    if (current?.chain !== chain) current = { chain, explorer: createChainExplorer(chain) }
    return current.explorer
  }
  const read = <T>(key: readonly unknown[], work: () => Promise<T>) => cached(key, () => mapChainErrors(work))

  serveModule(serving, 'chain', {
    async settings() {
      const chain = requireChain(context)
      const { config, token, orders, tokenInfo } = chain
      const { name, symbol, decimals } = await mapChainErrors(tokenInfo)
      return {
        chain_id: config.id,
        prefix: config.prefix,
        denom: config.denom,
        coin: feeCoin(config.denom),
        decimals: FEE_COIN_DECIMALS,
        token: { address: token, name, symbol, decimals },
        orders,
        fee: await mapChainErrors(() => usualFee(chain)),
        gas_prices: await mapChainErrors(() => gasPrices(chain)),
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
