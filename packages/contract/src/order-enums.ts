/** Orders: values on the wire. Without Zod, so that browsers can load this file alone. */

/** Order statuses, numbers on the wire. */
export const ORDER = {
  created: 0,
  paid: 1,
  running: 2,
  expired: 3,
  allocationFailed: 4,
  /** Also cancelled orders, which were never paid. */
  refunded: 5,
  /** An upgrade that is unpaid or being provisioned. */
  upgradePending: 6,
  /** Running, with an unpaid renewal. */
  renewalPending: 7,
  /** Running until an upgrade replaces it. */
  replacing: 8,
  /** Ended early by its owner. */
  terminated: 9,
} as const
export type OrderStatus = (typeof ORDER)[keyof typeof ORDER]
export type OrderStatusName = keyof typeof ORDER
export const ORDER_STATUS_NAMES = Object.keys(ORDER) as [OrderStatusName, ...OrderStatusName[]]
export const statusNameOf = (status: OrderStatus): OrderStatusName =>
  ORDER_STATUS_NAMES.find((name) => ORDER[name] === status) as OrderStatusName
export const ORDER_STATUSES: readonly OrderStatus[] = Object.values(ORDER)

type OrderCondition = 'isUnpaid' | 'isProvisioning' | 'isRenewable' | 'isInService'

/** Possible conditions by status. A new status without an entry does not compile. */
const CONDITIONS: Readonly<Record<OrderStatus, readonly OrderCondition[]>> = {
  [ORDER.created]: ['isUnpaid'],
  [ORDER.paid]: ['isProvisioning'],
  [ORDER.running]: ['isRenewable', 'isInService'],
  [ORDER.expired]: [],
  [ORDER.allocationFailed]: [],
  [ORDER.refunded]: [],
  [ORDER.upgradePending]: ['isUnpaid', 'isProvisioning', 'isInService'],
  [ORDER.renewalPending]: ['isRenewable', 'isInService'],
  [ORDER.replacing]: ['isInService'],
  [ORDER.terminated]: [],
}

export const statusesWith = (condition: OrderCondition): OrderStatus[] =>
  ORDER_STATUSES.filter((status) => CONDITIONS[status].includes(condition))

const that = (condition: OrderCondition) => {
  const statuses = statusesWith(condition)
  return (status: OrderStatus): boolean => statuses.includes(status)
}

/** Unpaid; an upgrade only until it is paid. */
export const isUnpaid = that('isUnpaid')
/** Paid, but its workspace is not ready; an upgrade only after it is paid. */
export const isProvisioning = that('isProvisioning')
/** Its hours are running, so it can be renewed. */
export const isRenewable = that('isRenewable')
/** It has a workspace that can be used. */
export const isInService = that('isInService')

/** Filters of the portal. */
export const ORDER_FILTERS = {
  all: ORDER_STATUSES,
  running: statusesWith('isInService'),
  expired: [ORDER.expired],
  terminated: [ORDER.terminated],
} as const satisfies Record<string, readonly OrderStatus[]>

/** Labels of orders. `refunded` and `cancelled` are the same status; `replaced` is an expired order that was upgraded. */
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

/** Actions of the owner. `use` needs a workspace; `rebuy` copies the configuration. */
export const ORDER_ACTIONS = ['pay', 'cancel', 'use', 'renew', 'upgrade', 'terminate', 'rebuy'] as const
export type OrderAction = (typeof ORDER_ACTIONS)[number]

/** Entries of an order's timeline. */
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
  'autoRenewAtRisk',
  'terminateAsked',
  'terminated',
  'expired',
  'workspaceKept',
  'workspaceRemoved',
  'outage',
  'credited',
] as const
export type OrderEvent = (typeof ORDER_EVENTS)[number]

/** Notices to owners, by e-mail and in the portal. */
export const ORDER_NOTICES = [
  'endsInADay',
  'endsInAnHour',
  'failed',
  'refunded',
  'expired',
  'renewed',
  'autoRenewFailed',
  'autoRenewAtRisk',
  'deletedInADay',
  'deleted',
  'outage',
] as const
export type OrderNotice = (typeof ORDER_NOTICES)[number]

/** Why a workspace was not available: the cluster did not answer, or it lost a program that it had started. */
export const OUTAGE_CAUSES = ['cluster', 'lost'] as const
export type OutageCause = (typeof OUTAGE_CAUSES)[number]

/** Why the next automatic renewal would fail; empty if it would not, or was not checked yet. */
export const AUTO_RENEW_PROBLEMS = ['', 'cap', 'allowance', 'funds', 'longest'] as const
export type AutoRenewProblem = (typeof AUTO_RENEW_PROBLEMS)[number]

/** What a payment is for: a new order, a replacement for a running one, more hours. */
export const PAYMENT_KINDS = ['create', 'upgrade', 'renewal'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]

/** `submitted`: a hash was posted but no block contains it yet. `mismatch`: the transaction paid something else. */
export const PAYMENT_STATES = ['open', 'submitted', 'confirmed', 'failed', 'mismatch', 'expired'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]
