import { createHash } from 'node:crypto'
import { cidOfDigest, cidText, RAW } from '@tidenet/content/cid'
import { AppError } from '@tidenet/contract'
import { limitsOf, lockAccountForUpdate } from '../../identity/index.ts'
import { placement } from '../../network/index.ts'
import { readCid } from '../../platform/cids.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import * as assets from '../assets/assets.ts'
import type { Context } from '../context.ts'
import { lockTargetFolder } from '../folders/service.ts'
import { requireOpenAccount } from '../grants/ended-accounts.ts'
import { assetExpiry } from '../lifetimes.ts'
import { replaceContent } from '../versions/replace.ts'

/** The content without bytes. */
export const EMPTY_CID = cidText(cidOfDigest(RAW, createHash('sha256').digest()))

/**
 * Lists an object without bytes: no node has to store anything.
 * @param object.isKept deleting it makes a kept content, which a full account cannot have any number of
 * @throws AppError quotaExceeded if more is used than the account has
 */
export async function writeEmpty(
  context: Context,
  tx: Db,
  caller: Member,
  object: {
    put: { md5: string }
    folderId: number
    name: string
    entryId: number | undefined
    isKept: boolean
    at: Date
  },
): Promise<void> {
  const { userId } = caller
  const { put, folderId, name, entryId, isKept, at } = object
  const account = await lockAccountForUpdate(tx, userId)
  if (isKept && account.used_bytes + account.reserved_bytes > limitsOf(account).storage)
    throw new AppError('quotaExceeded', { free: 0 })
  await requireOpenAccount(tx, account)
  if ((await lockTargetFolder(tx, userId, folderId)).encrypted) throw new AppError('folderEncrypted')
  await placement.addEmptyContent(tx, { cid: EMPTY_CID, hash: readCid(EMPTY_CID).hash }, at)
  const listed = {
    userId,
    folderId,
    cid: EMPTY_CID,
    kind: 'file' as const,
    name,
    size: 0,
    md5: put.md5 || null,
    encrypted: false,
    areas: [],
    restrictedTo: null,
    createdAt: at,
    expiresAt: assetExpiry(at),
  }
  const entry = entryId === undefined ? undefined : await assets.findAsset(tx, userId, { assetId: entryId })
  if (!entry) await assets.listAsset(tx, listed, { uid: caller.uid, node: undefined })
  else if (entry.cid !== EMPTY_CID)
    await replaceContent(context, tx, entry, listed, { uid: caller.uid, node: undefined })
}
