import type { Resources } from '@tidenet/contract/price'
import { formatNumber } from '../../lib/format.ts'
import { daysAndHours, QUANTITIES, type Quantity } from './terms.ts'
import { t } from './texts.ts'

/** `5 hours`, `2 days 1 hour`. */
export function formatHours(count: number): string {
  const { days, hours } = daysAndHours(count)
  return days === 0 ? t.hours(hours) : t.daysAndHours(days, hours)
}

export const formatQuantity = (quantity: Quantity, value: number): string =>
  quantity === 'duration' ? formatHours(value) : t.units[quantity](formatNumber(value))

/** A machine without its duration: `2 cores · 4 GB · 80 GB`. */
export const formatMachine = (resources: Resources): string =>
  [
    ...QUANTITIES.filter((each) => each !== 'duration').map((each) => formatQuantity(each, resources[each])),
    ...(resources.gpus ? [t.units.gpus(formatNumber(resources.gpus))] : []),
  ].join(' · ')

/** An amount in whole coins, with up to six decimals. */
export const formatCoins = (amount: number | string, symbol: string): string =>
  t.coin(formatNumber(Number(amount), 6), symbol)
