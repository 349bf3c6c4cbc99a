/** Container orders: the words of the wire, without schemas, so that a browser can load them alone. */

/**
 * 0 created, 1 paid, 2 running, 3 expired, 4 allocation failed, 5 refunded or cancelled, 6 upgrade that waits for its payment, 7 renewal that
 * waits for its payment, 8 to be replaced by an upgrade, 9 terminated early.
 */
export const ORDER_STATUSES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** Filters of the portal. */
export const ORDER_FILTERS = {
  all: ORDER_STATUSES,
  running: [2, 6, 7, 8],
  expired: [3],
  terminated: [9],
} as const satisfies Record<string, readonly OrderStatus[]>

/** What an order is called; status 5 is two of them, `replaced` is an expired one whose place another took. */
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
