/** Amounts of coins as people write them. */

/** Why an amount cannot be sent; undefined: it can. */
export type AmountProblem = 'form' | 'zero' | 'digits' | 'above'

/** Reads an amount as people write it, in whole coins. @param decimals of the coin */
export function readAmount(text: string, decimals: number): bigint | 'form' | 'digits' {
  const parts = /^(\d{1,30})(?:\.(\d*))?$/.exec(text.trim())
  if (!parts) return 'form'
  const [, whole = '', part = ''] = parts
  if (part.replace(/0+$/, '').length > decimals) return 'digits'
  return BigInt(whole + part.slice(0, decimals).padEnd(decimals, '0'))
}

/** Spec 5: a transfer is at most the balance, with what it costs. */
export function amountProblem(
  text: string,
  { balance, fee, decimals }: { balance: bigint; fee: bigint; decimals: number },
): AmountProblem | undefined {
  const amount = readAmount(text, decimals)
  if (typeof amount === 'string') return amount
  if (amount === 0n) return 'zero'
  return amount + fee > balance ? 'above' : undefined
}

/** Units as whole coins, without what is not needed: `12.5`. */
export function writeAmount(units: bigint, decimals: number): string {
  if (decimals === 0) return units.toString()
  const digits = units.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
}
