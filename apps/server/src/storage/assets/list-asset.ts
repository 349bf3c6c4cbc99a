import type { Stated } from '@tidenet/receipts'
import { emitEvent, takeUploadReceipt } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { issueReceipt } from '../../platform/transparency-log/issue.ts'
import { findFormerReceipt } from './former-repository.ts'
import { deleteFulfilled, findKnownReceipt, insertAsset, type NewAsset } from './repository.ts'

/**
 * The receipt of an upload: the one that the account got when it listed the same content before, also if it has deleted it since; otherwise a
 * new one, if the account has not had all of the day. The log keeps receipts for ever.
 */
export async function receiptOf(
  tx: Db,
  userId: number,
  stated: Extract<Stated, { kind: 'upload' }>,
  at: Date,
): Promise<number | null> {
  const known = await findKnownReceipt(tx, userId, stated.cid)
  if (known !== undefined) return known
  const former = await findFormerReceipt(tx, userId, stated.cid)
  if (former !== undefined) return former
  return (await takeUploadReceipt(tx, userId, at)) ? issueReceipt(tx, stated, at) : null
}

/**
 * Lists an asset in a locked account, with a receipt, instead of its reservation.
 * @param owner.node the node that received the bytes; undefined if the network had them
 */
export async function listAsset(
  tx: Db,
  asset: Omit<NewAsset, 'receiptId'>,
  { uid, node }: { uid: string; node: string | undefined },
): Promise<void> {
  const { userId, cid, kind: type, size, createdAt } = asset
  await deleteFulfilled(tx, asset)
  const stated = { kind: 'upload' as const, sub: uid, ...(node !== undefined && { node }), cid, type, size }
  const assetId = await insertAsset(tx, { ...asset, receiptId: await receiptOf(tx, userId, stated, createdAt) })
  const { folderId: folder_id, name, encrypted } = asset
  const uploaded = { cid, asset_id: assetId, name, type, size, folder_id, encrypted, instant: node === undefined }
  await emitEvent(tx, userId, 'asset.uploaded', uploaded, createdAt)
}
