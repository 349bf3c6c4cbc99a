import { formatAmount, parseAmount } from '../wallet/amounts.ts'
import type { ExchangeTotals } from './exchange-totals-query.ts'

/** More than any token has. */
const DECIMALS = 30

const unitsOf = (amount: string): bigint => {
  const units = parseAmount(amount, DECIMALS)
  return typeof units === 'bigint' ? units : 0n
}

/** How much of what was paid is accounted for nowhere, or twice: a decimal number, `0` if all adds up. */
export function totalsDifference({
  paid,
  credited,
  refunded,
  refunding,
  fees,
  pending,
}: Pick<ExchangeTotals, 'paid' | 'credited' | 'refunded' | 'refunding' | 'fees' | 'pending'>): string {
  const parts = [credited, refunded, refunding, fees, pending].reduce((sum, part) => sum + unitsOf(part), 0n)
  const difference = unitsOf(paid) - parts
  return formatAmount(difference < 0n ? -difference : difference, DECIMALS)
}
