import { AppError } from '@tidenet/contract'
import { readCid } from '../../platform/cids.ts'

/** A shared item: an asset by its CID, or a folder by its id. `text` identifies it in the tables of links and downloads. */
export type Target = { kind: 'asset'; cid: string; text: string } | { kind: 'group'; folderId: number; text: string }

/** Digits are a folder id, anything else a CID. @throws AppError badCid */
export function readTarget(text: string): Target {
  const trimmed = text.trim()
  if (!/^\d+$/.test(trimmed)) {
    const cid = readCid(trimmed).text
    return { kind: 'asset', cid, text: cid }
  }
  const folderId = Number(trimmed)
  // No folder id is that large; 0 is the root, which is never shared.
  return { kind: 'group', folderId: Number.isSafeInteger(folderId) ? folderId : 0, text: String(folderId) }
}

/** As `readTarget`, with undefined instead of an error. */
export function findTarget(text: string): Target | undefined {
  try {
    return readTarget(text)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
