import { AppError, type contract, type Parsed } from '@tidenet/contract'
import { freeStorageOf, lockAccountForUpdate } from '../../identity/index.ts'
import { placement } from '../../network/index.ts'
import { readCid } from '../../platform/cids.ts'
import type { Member } from '../../platform/http/callers.ts'
import * as assets from '../assets/assets.ts'
import { isEdge, possessionOf } from '../contents/possession.ts'
import { type Context, now } from '../context.ts'
import { assetExpiry } from '../lifetimes.ts'
import { findTempFile } from '../temp-files/temp-files.ts'
import { deleteTrashedAsset, freeQuota } from '../trash/service.ts'
import { recordStored } from '../usage/service.ts'

type Adoption = Parsed<(typeof contract)['tempFiles']['adopt']>

/**
 * Lists an anonymous file in the caller's account, so that it is kept like any other file. The anonymous file itself stays until it expires.
 * The trace of the upload proves that the caller uploaded it: whoever has a link knows the CID.
 * @throws AppError badCid, notFound, quotaExceeded
 */
export async function adoptTempFile(
  context: Context,
  caller: Member,
  { cid: cidText, trace_id: traceId }: Adoption,
): Promise<{ adopted: boolean }> {
  const { text: cid } = readCid(cidText)
  return context.db.transaction(async (tx) => {
    const at = now(context)
    const user = await lockAccountForUpdate(tx, caller.userId)
    const content = await placement.lockContent(tx, cid)
    const file = await findTempFile(tx, cid, at)
    const possession = content && file && (await possessionOf(tx, cid, { account: '', traceId }))
    if (!file || !possession) throw new AppError('notFound')
    if (await assets.findAsset(tx, caller.userId, { cid })) return { adopted: false }
    const { kind, size, node, nodes } = possession
    const free = freeStorageOf(user)
    if (size > free) throw new AppError('quotaExceeded', { free: Math.max(0, free) })
    await deleteTrashedAsset(tx, caller.userId, cid)
    const { name, encrypted, areas } = file
    const asset = {
      userId: caller.userId,
      folderId: 0,
      cid,
      kind,
      name,
      size,
      md5: null,
      encrypted,
      areas,
      // An edge's receipt alone proves nothing beyond that edge.
      restrictedTo: isEdge(node) ? [node] : nodes,
      createdAt: at,
      expiresAt: assetExpiry(at),
    }
    await assets.listAsset(tx, asset, { uid: caller.uid, node })
    await freeQuota(context, tx, caller.userId)
    await placement.checkContents(tx, [cid], at)
    await recordStored(tx, caller.userId, at)
    return { adopted: true }
  })
}
