/** Parsing, formatting and validation of coin amounts. */

/** Why an amount cannot be sent. */
export type AmountProblem = 'form' | 'zero' | 'digits' | 'above'

/** Parses an amount in whole coins to base units. @param decimals of the coin */
export function parseAmount(text: string, decimals: number): bigint | 'form' | 'digits' {
  const parts = /^(\d{1,30})(?:\.(\d*))?$/.exec(text.trim())
  if (!parts) return 'form'
  const [, whole = '', part = ''] = parts
  if (part.replace(/0+$/, '').length > decimals) return 'digits'
  return BigInt(whole + part.slice(0, decimals).padEnd(decimals, '0'))
}

/** Spec 5: a transfer with its fee cannot exceed the balance. */
export function amountProblem(
  text: string,
  { balance, fee, decimals }: { balance: bigint; fee: bigint; decimals: number },
): AmountProblem | undefined {
  const amount = parseAmount(text, decimals)
  if (typeof amount === 'string') return amount
  if (amount === 0n) return 'zero'
  return amount + fee > balance ? 'above' : undefined
}

/** Base units as whole coins, without trailing zeros: `12.5`. */
export function formatAmount(units: bigint, decimals: number): string {
  if (decimals === 0) return units.toString()
  const digits = units.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
}
