import { placement } from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { restrictAssets } from '../assets/assets.ts'
import { restrictAttachments } from '../attachments/attachments.ts'
import { soleHolderOf } from '../contents/possession.ts'
import { restrictTempFile } from '../temp-files/temp-files.ts'
import { restrictTrashedAssets } from '../trash/service.ts'
import { deleteProofRequests } from '../uploads/proofs.ts'

/**
 * Called when another account has the content too. The account whose receipts only edges signed is then restricted to those edges,
 * unless an invited node fetched the bytes before: at that time nobody else had them, so they came from that account.
 * @param account the account that has it now, possibly the same; undefined for an invited node
 */
export async function clearSoleHolder(tx: Db, cid: string, account?: string): Promise<void> {
  const signers = await placement.clearSoleHolder(tx, cid, account === undefined ? null : soleHolderOf(account))
  if (!signers || (await placement.wasPulledByInvited(tx, cid))) return
  // Open proofs ask about the size that the edge reported.
  await deleteProofRequests(tx, cid)
  await restrictAssets(tx, cid, signers)
  await restrictTrashedAssets(tx, cid, signers)
  await restrictTempFile(tx, cid, signers)
  await restrictAttachments(tx, cid, signers)
}
