import { AppError, type ReceiptClaims } from '@tidenet/contract'
import { blockedAmong, publicKeysOf, readReceipt } from '../../network/index.ts'
import { readCid } from '../../platform/cids.ts'
import type { Db } from '../../platform/db/db.ts'
import { requireGenuine } from './receipts.ts'

/** What a client says of a content, as it was sent. */
export interface Claim {
  cid: string
  receipt?: string | undefined
}

/**
 * Looks up what is needed to check many claims, with two statements.
 * @returns the check of one of them, which throws AppError badCid, contentBlocked, nodeSignature
 */
export async function claimChecker(
  db: Db,
  claims: readonly Claim[],
): Promise<(claim: Claim) => { cid: string; receipt: ReceiptClaims | undefined }> {
  const cids = claims.flatMap(({ cid }) => {
    try {
      return readCid(cid).text
    } catch {
      return []
    }
  })
  const signers = claims.flatMap(({ receipt }) => readReceipt(receipt ?? '')?.iss ?? [])
  const [blocked, keys] = await Promise.all([
    blockedAmong(db, cids),
    signers.length === 0 ? undefined : publicKeysOf(db, [...new Set(signers)]),
  ])
  return (claim) => {
    const { text: cid } = readCid(claim.cid)
    if (blocked.has(cid)) throw new AppError('contentBlocked')
    if (claim.receipt === undefined) return { cid, receipt: undefined }
    return { cid, receipt: requireGenuine(claim.receipt, (node) => keys?.get(node)) }
  }
}
