/** Timers of orders: pure functions, in milliseconds. */

const SECOND = 1000
const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** How long a payment request is valid. */
export const PAYMENT_TIMEOUT = { create: 5 * MINUTE, upgrade: 10 * MINUTE, renewal: 10 * MINUTE } as const
/** Retention of the workspace of an expired order. */
export const GRACE = 72 * HOUR
/** Nominal time between blocks. */
export const BLOCK_TIME = 6 * SECOND
/** Per account. */
export const MAX_UNPAID_ORDERS = 10
/** After this many failures of the cluster an order is refunded. */
export const PROVISION_ATTEMPTS = 5
/** How long a paid order waits for an unavailable cluster before it is refunded. */
export const CLUSTER_TIMEOUT = 6 * HOUR
export const CLUSTER_RETRY_INTERVAL = 10 * SECOND
/** Orders end this much later while the chain's time is unknown. */
const END_DELAY_WITHOUT_CHAIN = HOUR
/** Automatic renewal happens this long before the end. */
const AUTO_RENEW_LEAD = HOUR

const BACKOFF = [2 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE]
/** Delay after so many failures in a row. */
export const backoff = (tries: number): number => BACKOFF[Math.min(tries, BACKOFF.length) - 1] ?? (BACKOFF[0] as number)

/** How often a withdrawn order is checked for a late payment, by its age; undefined: no longer. */
export function latePaymentCheckInterval(age: number): number | undefined {
  if (age < 15 * MINUTE) return MINUTE
  if (age < DAY) return 10 * MINUTE
  if (age < 7 * DAY) return HOUR
  return age < 90 * DAY ? DAY : undefined
}

/** Shorter once a hash was posted. */
export const paymentPollInterval = (submitted: boolean): number => (submitted ? 3 : 10) * SECOND
/** How often a running order is compared with the chain: more often if a payment was requested. */
export const chainCheckInterval = (requested: boolean): number => (requested ? 1 : 10) * MINUTE

export interface End {
  expiredAt: number
  /** On the chain's clock; undefined if the contract does not have the order. */
  chainEnd: number | undefined
}

/** An order is over when both clocks say so: ours and the chain's. Without the chain, ours alone decides, an hour later. */
export function isOver({ expiredAt, chainEnd }: End, now: number, chainTime: number | undefined): boolean {
  if (now < expiredAt) return false
  if (chainTime === undefined) return now >= expiredAt + END_DELAY_WITHOUT_CHAIN
  return chainEnd === undefined || chainTime >= chainEnd
}

/** When to check again whether it is over. */
export function nextEndCheck({ expiredAt, chainEnd }: End, now: number, chainTime: number | undefined): number {
  if (now < expiredAt) return expiredAt
  const left = chainTime === undefined || chainEnd === undefined ? 0 : chainEnd - chainTime
  return now + Math.min(10 * MINUTE, Math.max(10 * SECOND, left))
}

/** The due notice before an end, if any; an order shorter than the notice period gets none. */
export function dueEndNotice(
  startedAt: number,
  expiredAt: number,
  now: number,
): 'endsInADay' | 'endsInAnHour' | undefined {
  if (now >= expiredAt) return undefined
  const total = expiredAt - startedAt
  if (now >= expiredAt - HOUR) return total > HOUR ? 'endsInAnHour' : undefined
  if (now >= expiredAt - DAY) return total > DAY ? 'endsInADay' : undefined
  return undefined
}

/** When the result of `dueEndNotice` changes next. */
export const nextNotice = (expiredAt: number, now: number): number =>
  [expiredAt - DAY, expiredAt - HOUR].find((at) => at > now) ?? expiredAt

/** How often the conditions of an automatic renewal are checked, and how long a wallet may take to sign its allowance. */
export const AUTO_CHECK_INTERVAL = 60 * MINUTE
export const ALLOWANCE_TIMEOUT = 10 * MINUTE

/** A kept workspace is deleted this long after its notice. */
export const DELETION_NOTICE = 24 * HOUR

/** An hour before the end; for orders under two hours, halfway. */
export const autoRenewAt = (startedAt: number, expiredAt: number): number =>
  expiredAt - Math.min(AUTO_RENEW_LEAD, (expiredAt - startedAt) / 2)
