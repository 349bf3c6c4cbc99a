import { AppError } from '@tidenet/contract'
import { readCid } from '../../platform/cids.ts'

/** A shared item: an entry of a content, or a folder by its id. `text` is the CID or the id. */
export type Target =
  | { kind: 'asset'; cid: string; assetId?: number | undefined; text: string }
  | { kind: 'group'; folderId: number; text: string }

/** Digits are a folder id, anything else a CID. @param assetId the entry, of several of a CID @throws AppError badCid */
export function readTarget(text: string, assetId?: number): Target {
  const trimmed = text.trim()
  if (!/^\d+$/.test(trimmed)) {
    const cid = readCid(trimmed).text
    return { kind: 'asset', cid, assetId, text: cid }
  }
  const folderId = Number(trimmed)
  // No folder id is that large; 0 is the root, which is never shared.
  return { kind: 'group', folderId: Number.isSafeInteger(folderId) ? folderId : 0, text: String(folderId) }
}

/** As `readTarget`, with undefined instead of an error. */
export function findTarget(text: string, assetId?: number): Target | undefined {
  try {
    return readTarget(text, assetId)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
