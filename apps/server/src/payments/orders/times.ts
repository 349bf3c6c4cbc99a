/** When things happen to orders by themselves, as values. Times in ms. */

const SECOND = 1000
const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** For paying: an order, an upgrade, a renewal. */
export const PAY_TIME = { create: 5 * MINUTE, upgrade: 10 * MINUTE, renewal: 10 * MINUTE } as const
/** A workspace whose order has expired is kept for this long. */
export const GRACE = 72 * HOUR
/** A block stands for so long. */
export const BLOCK = 6 * SECOND
/** Orders of an account that wait for their payment. */
export const UNPAID_MAX = 10
/** Failures of a cluster after which an order is given back. */
export const PROVISION_TRIES = 5
/** How long a paid order waits for a cluster that does not answer, before it is given back. */
export const CLUSTER_AWAITED = 6 * HOUR
/** How often it is looked whether such a cluster is back. */
export const LOOK_FOR_CLUSTER = 10 * SECOND
/** How long the end is put off when the chain cannot be asked for its height. */
const BLIND = HOUR
/** Before its end an order with auto-renewal is renewed. */
const AUTO_RENEW_BEFORE = HOUR

const WAITS = [2 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE]
/** Until a step that failed so often in a row is tried again. */
export const waitAfter = (tries: number): number => WAITS[Math.min(tries, WAITS.length) - 1] ?? (WAITS[0] as number)

/** Until a withdrawn order is looked at again for a payment that comes late; undefined: never. */
export function watchAfter(age: number): number | undefined {
  if (age < 15 * MINUTE) return MINUTE
  if (age < DAY) return 10 * MINUTE
  if (age < 7 * DAY) return HOUR
  return age < 90 * DAY ? DAY : undefined
}

/** Until the chain is asked again for a payment that is awaited: sooner when somebody said that it was made. */
export const pollAfter = (submitted: boolean): number => (submitted ? 3 : 10) * SECOND
/** Until a running order is compared with the chain: sooner while something was asked to be paid for it. */
export const compareAfter = (asked: boolean): number => (asked ? 1 : 10) * MINUTE

export interface End {
  expiredAt: number
  endHeight: number
}

/** Whether an order is over: by the clock and by the chain, so the later of both. Without a height the clock decides an hour later. */
export function isOver({ expiredAt, endHeight }: End, now: number, height: number | undefined): boolean {
  if (now < expiredAt) return false
  return height === undefined ? now >= expiredAt + BLIND : height >= endHeight
}

/** When to look whether it is over. */
export function lookForEnd({ expiredAt, endHeight }: End, now: number, height: number | undefined): number {
  if (now < expiredAt) return expiredAt
  const blocks = height === undefined ? 1 : Math.max(1, endHeight - height)
  return now + Math.min(10 * MINUTE, Math.max(10 * SECOND, blocks * BLOCK))
}

/** Which of the notices of an end is due; none for an order that was never longer than its lead. */
export function endNotice(
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

/** The next moment at which `endNotice` says something else. */
export const nextNotice = (expiredAt: number, now: number): number =>
  [expiredAt - DAY, expiredAt - HOUR].find((at) => at > now) ?? expiredAt

/** When an order is renewed by itself: an hour before its end, or at half of a shorter one. */
export const autoRenewAt = (startedAt: number, expiredAt: number): number =>
  expiredAt - Math.min(AUTO_RENEW_BEFORE, (expiredAt - startedAt) / 2)
