/** Price of partner credits in TNT4 (spec 9, exchange). Amounts are integers in base units, so there are no floating-point errors. */

export const TNT4_DECIMALS = 6
export const CREDITS_MIN = 100n
export const CREDITS_MAX = 10_000_000n

export interface Rate {
  /** Price of one TNT4 in 1/10,000 US dollars. */
  usdPerTnt4: bigint
  creditsPerUsd: bigint
  /** Discount in percent. */
  discount: bigint
}

/** 1 TNT4 = $0.0508, $1 = 400 credits, 25 % discount for the time being. */
export const RATE: Rate = { usdPerTnt4: 508n, creditsPerUsd: 400n, discount: 25n }

export interface Quote {
  credits: bigint
  /** In 1/10,000 US dollars; exact, because a credit is 1/400 US dollar. */
  usd: bigint
  /** Price without the discount in base units (1/1,000,000 TNT4), rounded up. */
  full: bigint
  /** Price to pay in base units, rounded up. */
  due: bigint
}

const TEN_THOUSAND = 10_000n
const UNIT = 10n ** BigInt(TNT4_DECIMALS)

const ceil = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor

/** The price of credits. Rounded up once, after the discount (decision 18). */
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

/** Parses an amount of credits: `1000`, `1,000` or `1 000`. */
export function parseCredits(text: string): { credits: bigint } | { problem: CreditsProblem } {
  const plain = text.trim()
  if (plain === '') return { problem: 'missing' }
  // Only thousands separators are allowed: `1,5` is invalid.
  if (!/^\d+$/.test(plain) && !/^\d{1,3}([,，\s]\d{3})+$/.test(plain)) return { problem: 'whole' }
  const credits = BigInt(plain.replace(/\D/g, ''))
  if (credits < CREDITS_MIN) return { problem: 'least' }
  return credits > CREDITS_MAX ? { problem: 'most' } : { credits }
}

/** Formats base units as a decimal: `1,234.567890`. Omits trailing zeros after the first `least` decimals. */
export function formatUnits(amount: bigint, decimals: number, locale: string, least = decimals): string {
  const unit = 10n ** BigInt(decimals)
  const integer = new Intl.NumberFormat(locale).format(amount / unit)
  const rest = decimals > 0 ? String(amount % unit).padStart(decimals, '0') : ''
  const fraction = rest.slice(0, least) + rest.slice(least).replace(/0+$/, '')
  return fraction ? `${integer}.${fraction}` : integer
}
