import { CREDITS_MAX, CREDITS_MIN, EXCHANGE_RATE, type ExchangeRate } from '@tidenet/contract/exchange'
import { parseAmount } from '../wallet/amounts.ts'

export type CreditsProblem = 'missing' | 'whole' | 'least' | 'most'

/** Parses an amount of credits: `1000`, `1,000` or `1 000`. */
export function parseCredits(text: string): { credits: number } | { problem: CreditsProblem } {
  const plain = text.trim()
  if (plain === '') return { problem: 'missing' }
  // Only thousands separators are allowed: `1,5` is invalid.
  if (!/^\d+$/.test(plain) && !/^\d{1,3}([,，\s]\d{3})+$/.test(plain)) return { problem: 'whole' }
  const credits = Number(plain.replace(/\D/g, ''))
  if (credits < CREDITS_MIN) return { problem: 'least' }
  return credits > CREDITS_MAX ? { problem: 'most' } : { credits }
}

/** Adds thousands separators to a decimal number of the API: `1,234.5`. */
export function formatDecimal(text: string, locale: string): string {
  const [whole = '', fraction = ''] = text.split('.')
  if (!/^\d+$/.test(whole)) return text
  const integer = new Intl.NumberFormat(locale).format(BigInt(whole))
  return fraction === '' ? integer : `${integer}.${fraction}`
}

/** The rate of the API in the units of `exchangePrice`; before it is known, the one that new networks have. */
export function rateOf(
  given: { usd_per_tnt4: string; credits_per_usd: number; discount: number } | undefined,
): ExchangeRate {
  const usd = parseAmount(given?.usd_per_tnt4 ?? '', 4)
  if (!given || typeof usd !== 'bigint') return EXCHANGE_RATE
  return { usdPerTnt4: Number(usd), creditsPerUsd: given.credits_per_usd, discount: given.discount }
}
