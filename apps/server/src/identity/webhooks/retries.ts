import { WEBHOOK_RETRIES } from '@tidenet/contract'
import { DAY } from '../../platform/ago.ts'

const JITTER = 0.1

/**
 * When a delivery that failed `tries` times is sent again; undefined: it is given up.
 * @param random from 0 to 1, so that deliveries which failed together do not return together
 */
export function retryAt(tries: number, at: Date, random: number): Date | undefined {
  const delay = WEBHOOK_RETRIES[tries - 1]
  return delay === undefined ? undefined : new Date(at.getTime() + delay * (1 - JITTER + 2 * JITTER * random))
}

const FAILURES_MIN = 20
const FAILING_DAYS = 3

/** Whether a webhook that has not worked since is disabled. */
export const isHopeless = (failures: number, since: Date, at: Date): boolean =>
  failures >= FAILURES_MIN && at.getTime() - since.getTime() >= FAILING_DAYS * DAY
