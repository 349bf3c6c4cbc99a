import { AppError, SHARE_PERMANENT } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import * as repository from './repository.ts'
import type { Target } from './targets.ts'

/** Reads an expiry in Unix seconds. @returns null for a permanent link @throws AppError expiryPast */
export function readExpiry(seconds: number, at: Date): Date | null {
  if (seconds === 0 || seconds >= SHARE_PERMANENT) return null
  if (seconds * 1000 <= at.getTime()) throw new AppError('expiryPast')
  return new Date(seconds * 1000)
}

/** Of several entries of a content, the earliest. @throws AppError assetUnknown, folderUnknown */
export async function requireOwnItem(db: Db, caller: Member, target: Target): Promise<repository.ItemRow> {
  const [item] = await repository.findItems(db, caller.userId, target)
  if (!item) throw new AppError(target.kind === 'asset' ? 'assetUnknown' : 'folderUnknown')
  return item
}
