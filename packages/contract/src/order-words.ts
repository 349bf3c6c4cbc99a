/** Container orders: the words of the wire, without schemas, so that a browser can load them alone. */

/** The statuses of an order, as numbers on the wire. */
export const ORDER = {
  created: 0,
  paid: 1,
  running: 2,
  expired: 3,
  allocationFailed: 4,
  /** Or cancelled: nothing was ever paid. */
  refunded: 5,
  /** An upgrade that waits for its payment, or is being made. */
  upgradePending: 6,
  /** Runs, and a renewal of it waits for its payment. */
  renewalPending: 7,
  /** Runs until an upgrade takes its place. */
  replacing: 8,
  /** Ended early by its owner. */
  terminated: 9,
} as const
export type OrderStatus = (typeof ORDER)[keyof typeof ORDER]
export const ORDER_STATUSES: readonly OrderStatus[] = Object.values(ORDER)

type OrderCondition = 'awaitsPayment' | 'beingMade' | 'runsNow' | 'inService'

/** What may hold in each status. A new status does not compile before it has its line. */
const CONDITIONS: Readonly<Record<OrderStatus, readonly OrderCondition[]>> = {
  [ORDER.created]: ['awaitsPayment'],
  [ORDER.paid]: ['beingMade'],
  [ORDER.running]: ['runsNow', 'inService'],
  [ORDER.expired]: [],
  [ORDER.allocationFailed]: [],
  [ORDER.refunded]: [],
  [ORDER.upgradePending]: ['awaitsPayment', 'beingMade', 'inService'],
  [ORDER.renewalPending]: ['runsNow', 'inService'],
  [ORDER.replacing]: ['inService'],
  [ORDER.terminated]: [],
}

export const statusesThat = (condition: OrderCondition): OrderStatus[] =>
  ORDER_STATUSES.filter((status) => CONDITIONS[status].includes(condition))

const that = (condition: OrderCondition) => {
  const statuses = statusesThat(condition)
  return (status: OrderStatus): boolean => statuses.includes(status)
}

/** Not paid yet; of an upgrade only while nothing was paid. */
export const awaitsPayment = that('awaitsPayment')
/** Paid, and its workspace is not there yet; of an upgrade once it was paid. */
export const beingMade = that('beingMade')
/** Its own hours run: it can be renewed. */
export const runsNow = that('runsNow')
/** Somebody uses a workspace by it, or could. */
export const inService = that('inService')

/** Filters of the portal. */
export const ORDER_FILTERS = {
  all: ORDER_STATUSES,
  running: statusesThat('inService'),
  expired: [ORDER.expired],
  terminated: [ORDER.terminated],
} as const satisfies Record<string, readonly OrderStatus[]>

/** What an order is called; `refunded` and `cancelled` are one status, `replaced` is an expired one whose place another took. */
export const ORDER_LABELS = [
  'created',
  'paid',
  'running',
  'expired',
  'failed',
  'refunded',
  'cancelled',
  'upgrading',
  'renewing',
  'replacing',
  'replaced',
  'terminated',
] as const
export type OrderLabel = (typeof ORDER_LABELS)[number]

/** What its owner can do now. `use` needs a workspace; `rebuy` copies the configuration. */
export const ORDER_ACTIONS = ['pay', 'cancel', 'use', 'renew', 'upgrade', 'terminate', 'rebuy'] as const
export type OrderAction = (typeof ORDER_ACTIONS)[number]

/** What the timeline of an order tells. */
export const ORDER_EVENTS = [
  'created',
  'hashPosted',
  'paymentFailed',
  'paymentMismatch',
  'paid',
  'running',
  'allocationFailed',
  'refunded',
  'cancelled',
  'payTimeout',
  'upgradeAsked',
  'upgradeWithdrawn',
  'upgraded',
  'replaced',
  'renewalAsked',
  'renewalWithdrawn',
  'renewed',
  'autoRenewOn',
  'autoRenewOff',
  'autoRenewFailed',
  'terminateAsked',
  'terminated',
  'expired',
  'workspaceKept',
  'workspaceRemoved',
] as const
export type OrderEvent = (typeof ORDER_EVENTS)[number]

/** What owners are told by mail and in the portal. */
export const ORDER_NOTICES = [
  'endsInADay',
  'endsInAnHour',
  'failed',
  'refunded',
  'expired',
  'renewed',
  'autoRenewFailed',
] as const
export type OrderNotice = (typeof ORDER_NOTICES)[number]

/** What an order is for: an order itself, another one in its place, more hours of it. */
export const PAYMENT_KINDS = ['create', 'upgrade', 'renewal'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]

/** `submitted`: a hash was posted and no block holds it yet. `mismatch`: money was moved, and not what was asked for. */
export const PAYMENT_STATES = ['open', 'submitted', 'confirmed', 'failed', 'mismatch', 'expired'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]
