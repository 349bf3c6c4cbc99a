import type { Order, OrderAction, OrderLabel, OrderStatus } from '@tidenet/contract'
import { isUnpaid, ORDER } from '@tidenet/contract/order-enums'
import { minimumPrice, RESOURCE_BOUNDS, type Resources } from '@tidenet/contract/price'

/** Rules of orders, as pure functions. */

export const QUANTITIES = ['cpu', 'ram', 'storage', 'duration'] as const
export type Quantity = (typeof QUANTITIES)[number]

/** Splits 24 hours or more into days and hours. */
export const daysAndHours = (hours: number): { days: number; hours: number } =>
  hours < 24 ? { days: 0, hours } : { days: Math.floor(hours / 24), hours: hours % 24 }

/** Rounds to the step and clamps to the bounds. */
export function clamp(quantity: Quantity, value: number): number {
  const { min, max, step } = RESOURCE_BOUNDS[quantity]
  const steps = Math.round((value - min) / step)
  return Math.min(max, Math.max(min, min + steps * step))
}

/** Spec 5: an upgrade reduces no resource and increases at least one. */
export function upgradeProblem(old: Resources, wanted: Resources): 'lower' | 'same' | undefined {
  const gpus = (wanted.gpus ?? 0) - (old.gpus ?? 0)
  if (gpus < 0 || QUANTITIES.some((key) => wanted[key] < old[key])) return 'lower'
  return gpus === 0 && QUANTITIES.every((key) => wanted[key] === old[key]) ? 'same' : undefined
}

/** Spec 5: a purchase cannot exceed the balance. @param balance in whole coins, as a decimal */
export const exceeds = (cost: number, balance: string): boolean => Number(balance) - cost < 0

/** Whole coins for an upgrade: its tariff price, but at least the minimum of the contract. */
export const upgradeCost = (price: number, { rate }: Pick<Order, 'rate'>, hours: number): number =>
  Math.max(price, minimumPrice(rate, hours))

export const doubled = (hours: number): number => Math.min(RESOURCE_BOUNDS.duration.max, hours * 2)

/** When an order ends or ended. Spec 4: for a terminated order this is its last change. */
export const endOf = ({
  status,
  updated_at,
  expired_at,
}: Pick<Order, 'status' | 'updated_at' | 'expired_at'>): string =>
  status === ORDER.terminated ? updated_at : expired_at

type UnusableReason = 'unpaid' | 'confirming' | 'upgradeUnpaid' | 'making' | 'failed' | 'ending' | 'none'

/** Reasons for orders that can neither be used nor paid. */
const UNUSABLE_REASONS: Readonly<Record<OrderStatus, UnusableReason>> = {
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

/** Why an order cannot be used; undefined if it can. @param sent whether its payment was sent a moment ago */
export function unusableReason(
  { status, actions }: Pick<Order, 'status' | 'actions'>,
  sent = false,
): UnusableReason | undefined {
  if (actions.includes('use')) return undefined
  if (actions.includes('pay') && sent) return 'confirming'
  if (actions.includes('pay')) return status === ORDER.upgradePending ? 'upgradeUnpaid' : 'unpaid'
  return UNUSABLE_REASONS[status]
}

/** Actions to show, in order. Spec 4: `use` is always shown, except for expired orders, which offer `rebuy`. */
export function shownActions({ status, actions }: Pick<Order, 'status' | 'actions'>, sent = false): OrderAction[] {
  const use: OrderAction[] = status === ORDER.expired ? [] : ['use']
  const rest = (['pay', 'renew', 'upgrade', 'rebuy', 'cancel', 'terminate'] as const).filter(
    (each) =>
      // What was sent is not paid or cancelled again while the chain confirms it.
      actions.includes(each) && !(sent && (each === 'pay' || each === 'cancel')),
  )
  return isUnpaid(status) ? [...rest.slice(0, 1), ...use, ...rest.slice(1)] : [...use, ...rest]
}

/** Whether an order will soon change without user action, so that it is polled more often. */
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

export const isChanging = (label: OrderLabel): boolean => CHANGING[label]
