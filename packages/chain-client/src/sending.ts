import { toBase64 } from '@cosmjs/encoding'
import { ConfigRequest, ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import { type ChainPort, ChainRefusal } from './chain-port.ts'
import { gasUsedIn, priceIn, simulateRequest } from './gas.ts'
import { type Rpc, RpcFailure } from './rpc.ts'
import { hashOf } from './transactions.ts'

type Methods = Pick<ChainPort, 'simulate' | 'gasPrice' | 'broadcast'>

/** Simulation and broadcast of transactions. */
export function sendingBy({ call, abci }: Rpc, priceOfRest: (denom: string) => Promise<number | undefined>): Methods {
  return {
    async simulate(txBytes) {
      try {
        const used = gasUsedIn(await abci('/cosmos.tx.v1beta1.Service/Simulate', simulateRequest(txBytes)))
        if (used !== undefined) return used
      } catch (error) {
        if (!(error instanceof RpcFailure)) throw error
      }
      throw new ChainRefusal('sdk', 18, 'the node does not simulate transactions')
    },

    async gasPrice(denom) {
      try {
        const answer = await abci('/cosmos.base.node.v1beta1.Service/Config', ConfigRequest.encode({}).finish())
        return priceIn(ConfigResponse.decode(answer).minimumGasPrice, denom)
      } catch (error) {
        if (!(error instanceof ChainRefusal) && !(error instanceof RpcFailure)) throw error
      }
      return priceOfRest(denom)
    },

    async broadcast(bytes) {
      let uncertain = false
      try {
        const { code, codespace, log, hash } = await call<{
          code: number
          codespace: string
          log: string
          hash: string
        }>('broadcast_tx_sync', { tx: toBase64(bytes) }, () => {
          uncertain = true
        })
        if (code !== 0) throw Object.assign(new ChainRefusal(codespace, code, log), { uncertain })
        return { hash, known: false }
      } catch (error) {
        if (!(error instanceof RpcFailure)) throw error
        // The mempool is full, or the node has another reason of its own.
        if (!/already exists in cache/.test(error.message))
          throw Object.assign(new ChainRefusal('sdk', 20, error.message), { uncertain })
        return { hash: await hashOf(bytes), known: true }
      }
    },
  }
}

interface RestOptions {
  rest: string
  timeout: number
  fetch: typeof fetch
}

/** Some nodes report it only by REST. Without REST it is unknown. */
export async function priceOfRest(
  { rest, timeout, fetch: send }: RestOptions,
  denom: string,
): Promise<number | undefined> {
  if (rest === '') return undefined
  try {
    const answer = await send(`${rest}/cosmos/base/node/v1beta1/config`, { signal: AbortSignal.timeout(timeout) })
    const body = (await answer.json()) as { minimum_gas_price?: unknown }
    return priceIn(String(body.minimum_gas_price ?? ''), denom)
  } catch {
    return undefined
  }
}
