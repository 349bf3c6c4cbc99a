import type { Order, OrderAction, OrderLabel, OrderStatus } from '@tidenet/contract'
import { isUnpaid, ORDER } from '@tidenet/contract/order-enums'
import { minimumPrice, RESOURCE_BOUNDS, type Resources } from '@tidenet/contract/price'

/** What holds for orders, as values. */

export const QUANTITIES = ['cpu', 'ram', 'storage', 'duration'] as const
export type Quantity = (typeof QUANTITIES)[number]

/** Hours as people read them: from a day on in days and the hours that are left. */
export const daysAndHours = (hours: number): { days: number; hours: number } =>
  hours < 24 ? { days: 0, hours } : { days: Math.floor(hours / 24), hours: hours % 24 }

/** The nearest value that can be bought. */
export function fitting(quantity: Quantity, value: number): number {
  const { min, max, step } = RESOURCE_BOUNDS[quantity]
  const steps = Math.round((value - min) / step)
  return Math.min(max, Math.max(min, min + steps * step))
}

/** Spec 5: an upgrade is nowhere less than the order that it replaces, and somewhere more. */
export function upgradeProblem(old: Resources, wanted: Resources): 'lower' | 'same' | undefined {
  if (QUANTITIES.some((key) => wanted[key] < old[key])) return 'lower'
  return QUANTITIES.every((key) => wanted[key] === old[key]) ? 'same' : undefined
}

/** Spec 5: nothing is bought for more than there is. @param balance in whole coins, as a decimal */
export const exceeds = (cost: number, balance: string): boolean => Number(balance) - cost < 0

/** Whole coins for an upgrade whose resources cost `price` by the tariff: that, and no less than the contract takes. */
export const upgradeCost = (price: number, { rate }: Pick<Order, 'rate'>, hours: number): number =>
  Math.max(price, minimumPrice(rate, hours))

export const doubled = (hours: number): number => Math.min(RESOURCE_BOUNDS.duration.max, hours * 2)

/** When an order ends or ended: spec 4, for one that was ended early its last change. */
export const endOf = ({
  status,
  updated_at,
  expired_at,
}: Pick<Order, 'status' | 'updated_at' | 'expired_at'>): string =>
  status === ORDER.terminated ? updated_at : expired_at

type WhyNoUse = 'unpaid' | 'upgradeUnpaid' | 'making' | 'failed' | 'ending' | 'none'

/** Why an order that can be neither used nor paid has nothing to use. */
const WITHOUT_USE: Readonly<Record<OrderStatus, WhyNoUse>> = {
  [ORDER.created]: 'none',
  [ORDER.paid]: 'making',
  [ORDER.running]: 'ending',
  [ORDER.expired]: 'none',
  [ORDER.allocationFailed]: 'failed',
  [ORDER.refunded]: 'none',
  [ORDER.upgradePending]: 'making',
  [ORDER.renewalPending]: 'none',
  [ORDER.replacing]: 'none',
  [ORDER.terminated]: 'none',
}

/** Why there is nothing to use; undefined: there is. */
export function whyNoUse({ status, actions }: Pick<Order, 'status' | 'actions'>): WhyNoUse | undefined {
  if (actions.includes('use')) return undefined
  if (actions.includes('pay')) return status === ORDER.upgradePending ? 'upgradeUnpaid' : 'unpaid'
  return WITHOUT_USE[status]
}

/** What is offered of an order, in this order. Spec 4: an expired one is bought again, of every other the workspace is used. */
export function offeredOf({ status, actions }: Pick<Order, 'status' | 'actions'>): OrderAction[] {
  const use: OrderAction[] = status === ORDER.expired ? [] : ['use']
  const rest = (['pay', 'renew', 'upgrade', 'rebuy', 'cancel', 'terminate'] as const).filter((each) =>
    actions.includes(each),
  )
  return isUnpaid(status) ? [...rest.slice(0, 1), ...use, ...rest.slice(1)] : [...use, ...rest]
}

/** Whether an order is about to change by itself, so that it is worth to look again soon. */
const CHANGING: Readonly<Record<OrderLabel, boolean>> = {
  created: true,
  paid: true,
  running: false,
  expired: false,
  failed: true,
  refunded: false,
  cancelled: false,
  upgrading: true,
  renewing: true,
  replacing: true,
  replaced: false,
  terminated: false,
}

export const changing = (label: OrderLabel): boolean => CHANGING[label]
