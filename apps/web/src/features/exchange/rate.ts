/** Spec 9, exchange: what credits at the partner cost in TNT4. Amounts are integers of the smallest unit, so nothing is lost to rounding. */

/** TNT4 has six decimals. */
export const TNT4_DECIMALS = 6
export const CREDITS_MIN = 100n
export const CREDITS_MAX = 10_000_000n

export interface Rate {
  /** One TNT4 in ten-thousandths of a US dollar. */
  usdPerTnt4: bigint
  creditsPerUsd: bigint
  /** Per cent less TNT4 for the same credits. */
  discount: bigint
}

/** 1 TNT4 = $0.0508, $1 = 400 credits, 25 % less for the time being. */
export const RATE: Rate = { usdPerTnt4: 508n, creditsPerUsd: 400n, discount: 25n }

export interface Quote {
  credits: bigint
  /** Ten-thousandths of a US dollar; whole ones, since a credit is a 400th. */
  usd: bigint
  /** Millionths of TNT4 without the discount, rounded up. */
  full: bigint
  /** Millionths of TNT4 to pay, rounded up. */
  due: bigint
}

const TEN_THOUSAND = 10_000n
const UNIT = 10n ** BigInt(TNT4_DECIMALS)

const ceil = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor

/** What so many credits cost. Decisions 18: rounded up to the sixth digit, once, after the discount. */
export function quote(credits: bigint, { usdPerTnt4, creditsPerUsd, discount }: Rate = RATE): Quote {
  const worth = creditsPerUsd * usdPerTnt4
  return {
    credits,
    usd: (credits * TEN_THOUSAND) / creditsPerUsd,
    full: ceil(credits * UNIT * TEN_THOUSAND, worth),
    due: ceil(credits * UNIT * TEN_THOUSAND * (100n - discount), worth * 100n),
  }
}

export type CreditsProblem = 'missing' | 'whole' | 'least' | 'most'

/** Reads an amount of credits as people write it: `1000`, `1,000` or `1 000`. */
export function readCredits(text: string): { credits: bigint } | { problem: CreditsProblem } {
  const plain = text.trim()
  if (plain === '') return { problem: 'missing' }
  // Separators count only where thousands end: `1,5` is no amount of ours.
  if (!/^\d+$/.test(plain) && !/^\d{1,3}([,，\s]\d{3})+$/.test(plain)) return { problem: 'whole' }
  const credits = BigInt(plain.replace(/\D/g, ''))
  if (credits < CREDITS_MIN) return { problem: 'least' }
  return credits > CREDITS_MAX ? { problem: 'most' } : { credits }
}

/** An integer of smallest units in digits, `1,234.567890`; zeros at the end are left out beyond the `least` decimals. */
export function digits(amount: bigint, decimals: number, locale: string, least = decimals): string {
  const unit = 10n ** BigInt(decimals)
  const integer = new Intl.NumberFormat(locale).format(amount / unit)
  const rest = decimals > 0 ? String(amount % unit).padStart(decimals, '0') : ''
  const shown = rest.slice(0, least) + rest.slice(least).replace(/0+$/, '')
  return shown ? `${integer}.${shown}` : integer
}
