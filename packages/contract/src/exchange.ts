/** Points exchange: TNT4 for credits at a partner. Spec 5 and 9, decision 18. */

export const CREDITS_MIN = 100
export const CREDITS_MAX = 10_000_000
/** Price of one TNT4 in 1/10,000 US dollars, credits per US dollar, and the discount in percent. */
export const EXCHANGE_RATE: ExchangeRate = { usdPerTnt4: 508, creditsPerUsd: 400, discount: 25 }
/** A quote is valid this long, in ms. */
export const QUOTE_LIFE = 60_000
/** A payment is in time if its block is at most this much later than the end of its quote, in ms: blocks take a few seconds. */
export const PAYMENT_GRACE = 30_000
/** TNT4 is rounded up to this many decimals, or to those of the token if it has fewer. */
export const TNT4_DECIMALS = 6
/** Exchanges of one account that wait for their payment. */
export const OPEN_EXCHANGES_MAX = 5

export interface ExchangeRate {
  usdPerTnt4: number
  creditsPerUsd: number
  discount: number
}

/** `in_progress`: waits for the payment. `incomplete`: paid, not credited yet. `failure`: not credited; what was paid is refunded. */
export const EXCHANGE_STATES = ['in_progress', 'incomplete', 'completed', 'failure'] as const
export type ExchangeState = (typeof EXCHANGE_STATES)[number]

/**
 * Why an exchange failed or a payment was not credited; empty: it did not fail.
 * `memo`: the remarks name no exchange. `amount`: not the quoted amount. `late`: paid after the quote. `double`: already paid.
 * `ended`: the exchange was over. `unpaid`: no payment in time. `cancelled`: by its owner. `account`: the partner does not credit this
 * account. `refused`: the partner refused. `partner`: the partner did not answer for too long. `operator`: refunded by an operator.
 */
export const EXCHANGE_REASONS = [
  '',
  'memo',
  'amount',
  'late',
  'double',
  'ended',
  'unpaid',
  'cancelled',
  'account',
  'refused',
  'partner',
  'operator',
] as const
export type ExchangeReason = (typeof EXCHANGE_REASONS)[number]

/**
 * `pending`: being credited. `credited`. `refunding`: its refund is not in a block yet. `refunded`. `kept`: not more than the fee, so
 * nothing is refunded.
 */
export const EXCHANGE_PAYMENT_RESULTS = ['pending', 'credited', 'refunding', 'refunded', 'kept'] as const
export type ExchangePaymentResult = (typeof EXCHANGE_PAYMENT_RESULTS)[number]

const TEN_THOUSAND = 10_000n

const ceil = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor

export interface ExchangePrice {
  /** In 1/10,000 US dollars, rounded down. */
  usd: bigint
  /** Without the discount, and what is due, in units of the token; rounded up once, at the end. */
  full: bigint
  due: bigint
}

/** The price of credits. @param decimals of the token */
export function exchangePrice(
  credits: number,
  { usdPerTnt4, creditsPerUsd, discount }: ExchangeRate = EXCHANGE_RATE,
  decimals: number = TNT4_DECIMALS,
): ExchangePrice {
  const rounded = Math.min(decimals, TNT4_DECIMALS)
  const scale = 10n ** BigInt(decimals - rounded)
  const worth = BigInt(creditsPerUsd) * BigInt(usdPerTnt4)
  const dividend = BigInt(credits) * 10n ** BigInt(rounded) * TEN_THOUSAND
  return {
    usd: (BigInt(credits) * TEN_THOUSAND) / BigInt(creditsPerUsd),
    full: ceil(dividend, worth) * scale,
    due: ceil(dividend * BigInt(100 - discount), worth * 100n) * scale,
  }
}
