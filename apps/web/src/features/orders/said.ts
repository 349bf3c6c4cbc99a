import type { Resources } from '@tidenet/contract/price'
import { formatNumber } from '../../lib/format.ts'
import { daysAndHours, QUANTITIES, type Quantity } from './terms.ts'
import { t } from './texts.ts'

/** Hours in words: `5 hours`, `2 days 1 hour`. */
export function sayHours(count: number): string {
  const { days, hours } = daysAndHours(count)
  return days === 0 ? t.hours(hours) : t.daysAndHours(days, hours)
}

export const sayQuantity = (quantity: Quantity, value: number): string =>
  quantity === 'duration' ? sayHours(value) : t.units[quantity](formatNumber(value))

/** A machine without its hours: `2 cores · 4 GB · 80 GB`. */
export const sayMachine = (resources: Resources): string =>
  QUANTITIES.filter((each) => each !== 'duration')
    .map((each) => sayQuantity(each, resources[each]))
    .join(' · ')

/** Whole coins, or a part of one. */
export const sayCoins = (amount: number | string, symbol: string): string =>
  t.coin(formatNumber(Number(amount), 6), symbol)
