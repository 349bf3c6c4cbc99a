import { emitEvent } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { issueReceipt } from '../../platform/transparency-log/issue.ts'
import { deleteReservation, findAsset, insertAsset, type NewAsset } from './repository.ts'

/**
 * Lists an asset in a locked account, with a receipt, instead of its reservation. If the account has the asset, for example because it was
 * restored from the trash during the upload, it stays as it is.
 * @param owner.node the node that received the bytes; undefined if the network had them
 */
export async function listAsset(
  tx: Db,
  asset: Omit<NewAsset, 'receiptId'>,
  { uid, node }: { uid: string; node: string | undefined },
): Promise<void> {
  const { userId, cid, kind: type, size, createdAt } = asset
  if (await findAsset(tx, userId, cid)) return void (await deleteReservation(tx, userId, cid))
  const stated = { kind: 'upload' as const, sub: uid, ...(node !== undefined && { node }), cid, type, size }
  await insertAsset(tx, { ...asset, receiptId: await issueReceipt(tx, stated, createdAt) })
  const { folderId: folder_id, name, encrypted } = asset
  const uploaded = { cid, name, type, size, folder_id, encrypted, instant: node === undefined }
  await emitEvent(tx, userId, 'asset.uploaded', uploaded, createdAt)
}
