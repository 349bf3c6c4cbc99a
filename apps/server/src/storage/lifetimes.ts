import { DAY } from '../platform/ago.ts'

/** A receipt is accepted for this time after the node signed it. */
export const RECEIPT_LIFE = 7 * DAY
