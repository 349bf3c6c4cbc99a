import { FREE_STORAGE_DAYS, UPLOAD_TOKEN_LIFE } from '@tidenet/contract'
import { DAY } from '../platform/ago.ts'

/** A receipt is accepted for this time after the node signed it. */
export const RECEIPT_LIFE = 7 * DAY

/** An upload may begin just before its token expires, and its receipt may arrive until receipts expire. */
export const GRANT_LIFE = UPLOAD_TOKEN_LIFE + RECEIPT_LIFE + 2 * DAY

/** When an asset expires that is listed now. */
export const assetExpiry = (at: Date): Date => new Date(at.getTime() + FREE_STORAGE_DAYS * DAY)
