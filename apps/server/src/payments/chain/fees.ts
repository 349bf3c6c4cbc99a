import { ChainUnreachable, executeAny, type Fee } from '@tidenet/chain-client'
import { CHAIN_FEE, GAS_PRICES } from '@tidenet/contract'
import type { Chain } from './chain.ts'

/**
 * The fee that wallets are offered: the fixed fee of the spec on the development chain, otherwise the simulated gas at the chain's price.
 */

/** For a transaction that is not known yet: the gas limit of the spec. */
export const usualFee = (chain: Chain): Promise<Fee> =>
  chain.config.development ? Promise.resolve(CHAIN_FEE) : chain.fees.atMost(Number(CHAIN_FEE.gas)).then(atLeastOne)

/** For a contract call by a wallet. */
export async function feeOf(chain: Chain, payer: string, contract: string, execute: string): Promise<Fee> {
  if (chain.config.development) return CHAIN_FEE
  const account = await chain.port.account(payer).catch((error: unknown) => {
    if (error instanceof ChainUnreachable) throw error
    return undefined
  })
  // An account without coins, or of an unknown type, cannot simulate.
  if (!account) return usualFee(chain)
  const message = executeAny(payer, contract, JSON.parse(execute) as object)
  return atLeastOne(await chain.fees.of([message], account.sequence, Number(CHAIN_FEE.gas)))
}

/** The gas prices that wallets offer to choose from. */
export async function gasPrices(chain: Chain): Promise<{ low: number; average: number; high: number }> {
  if (chain.config.development) return GAS_PRICES
  const price = await chain.fees.price()
  const above = (factor: number) => Number((price * factor).toPrecision(6))
  return { low: price, average: above(1.1), high: above(1.3) }
}

/** A transaction cannot name a coin amount of 0. */
const atLeastOne = ({ amount, gas }: Fee): Fee => ({ amount: amount === '0' ? '1' : amount, gas })
