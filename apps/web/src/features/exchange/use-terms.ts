import type { Output, RouteOf } from '@tidenet/contract'
import { EXCHANGE_RATE, exchangePrice, TNT4_DECIMALS } from '@tidenet/contract/exchange'
import { query, useQuery } from '../../lib/queries.ts'
import { locale } from '../../lib/texts.ts'
import { formatAmount } from '../wallet/amounts.ts'
import { formatDecimal, rateOf } from './credits.ts'
import { t } from './texts.ts'

export type Terms = Output<RouteOf<'exchange.rate'>>

/** The rate of new networks, until the server has answered. */
export const DEFAULT_RATE = {
  usd_per_tnt4: formatAmount(BigInt(EXCHANGE_RATE.usdPerTnt4), 4),
  credits_per_usd: EXCHANGE_RATE.creditsPerUsd,
  discount: EXCHANGE_RATE.discount,
}

/** Rates may change at any time. */
const REFRESH_MS = 20_000

/** Rate, limits and partner of the exchange. */
export const useTerms = () => useQuery({ ...query('exchange.rate', {}), refetchInterval: REFRESH_MS })

/** A price as the API writes it: decimal numbers without trailing zeros. */
export interface Price {
  usd: string
  full: string
  due: string
}

/** The price of credits at the current rate. */
export function priceOf(credits: number, terms: Terms | undefined): Price {
  const decimals = terms?.token?.decimals ?? TNT4_DECIMALS
  const { usd, full, due } = exchangePrice(credits, rateOf(terms), decimals)
  return { usd: formatAmount(usd, 4), full: formatAmount(full, decimals), due: formatAmount(due, decimals) }
}

export const formatTnt4 = (amount: string): string => t.tnt4(formatDecimal(amount, locale))
export const formatUsd = (amount: string): string => t.usd(formatDecimal(amount, locale))
