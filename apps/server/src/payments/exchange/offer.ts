import { AppError, EXCHANGE_RATE, type ExchangeRate, exchangePrice } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Chain, requireChain, type Token } from '../chain/chain.ts'
import type { Context } from '../context.ts'
import { type Partner, partnerOf } from './partner.ts'
import { latestRate, type Quote } from './repository.ts'

/** What the exchange needs, and what it costs. */

export type Deps = Pick<Context, 'config' | 'db' | 'clock' | 'chain' | 'log'>

export interface Exchange {
  chain: Chain
  token: Token
  /** Receives payments. */
  address: string
}

/** The chain, its TNT4 and the receiving address; undefined if one is not configured. */
export function findExchange({ chain, config }: Pick<Context, 'chain' | 'config'>): Exchange | undefined {
  const address = config.exchange.address || chain?.operator?.address
  return chain?.tnt4 && address ? { chain, token: chain.tnt4, address } : undefined
}

/** @throws AppError chainNotConfigured, exchangeNoToken */
export function requireExchange(context: Pick<Context, 'chain' | 'config'>): Exchange {
  requireChain(context)
  const found = findExchange(context)
  if (!found) throw new AppError('exchangeNoToken')
  return found
}

/** @throws AppError exchangeNotConfigured */
export function requirePartner({ config }: Pick<Context, 'config'>): Partner {
  const partner = partnerOf(config.exchange)
  if (!partner) throw new AppError('exchangeNotConfigured')
  return partner
}

/** The rate of new quotes. */
export async function currentRate(db: Db): Promise<ExchangeRate> {
  const row = await latestRate(db)
  return row
    ? { usdPerTnt4: row.usd_per_tnt4, creditsPerUsd: row.credits_per_usd, discount: row.discount }
    : EXCHANGE_RATE
}

export function quoteOf(points: number, rate: ExchangeRate, decimals: number): Quote {
  const { due, usd } = exchangePrice(points, rate, decimals)
  return { units: due, usd, ...rate }
}

/** The fee of refunds in units of the token, rounded down. */
export const feeUnits = (millionths: bigint, decimals: number): bigint =>
  decimals >= 6 ? millionths * 10n ** BigInt(decimals - 6) : millionths / 10n ** BigInt(6 - decimals)

/** Units as a decimal number without trailing zeros. */
export function decimal(units: bigint | string, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const part = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return part === '' ? whole : `${whole}.${part}`
}
