import { DAY } from '../platform/ago.ts'

/** Receipts are taken for so long after a node signed them. */
export const RECEIPT_LIFE = 7 * DAY
