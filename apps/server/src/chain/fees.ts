import { ChainUnreachable, executeAny, type Fee } from '@tidenet/chain-client'
import { CHAIN_FEE, GAS_PRICES } from '@tidenet/contract'
import type { Chain } from './chain.ts'

/**
 * What wallets are offered to pay for a transaction. On the chain that comes along it is the offer of the spec; on every other it is what the
 * chain asks for, and for what a node says the transaction uses.
 */

/** For at most the gas of the spec: of what is not known yet. */
export const usualFee = (chain: Chain): Promise<Fee> =>
  chain.config.development ? Promise.resolve(CHAIN_FEE) : chain.fees.atMost(Number(CHAIN_FEE.gas)).then(atLeastOne)

/** For the call of a contract by a wallet. */
export async function feeOf(chain: Chain, payer: string, contract: string, execute: string): Promise<Fee> {
  if (chain.config.development) return CHAIN_FEE
  const account = await chain.port.account(payer).catch((error: unknown) => {
    if (error instanceof ChainUnreachable) throw error
    return undefined
  })
  // Who has no coins yet, or an account of another kind, cannot try anything.
  if (!account) return usualFee(chain)
  const message = executeAny(payer, contract, JSON.parse(execute) as object)
  return atLeastOne(await chain.fees.of([message], account.sequence, Number(CHAIN_FEE.gas)))
}

/** The steps that wallets offer for a unit of gas. */
export async function gasPrices(chain: Chain): Promise<{ low: number; average: number; high: number }> {
  if (chain.config.development) return GAS_PRICES
  const price = await chain.fees.price()
  const above = (factor: number) => Number((price * factor).toPrecision(6))
  return { low: price, average: above(1.1), high: above(1.3) }
}

/** No coins at all are no coin that a transaction can name. */
const atLeastOne = ({ amount, gas }: Fee): Fee => ({ amount: amount === '0' ? '1' : amount, gas })
