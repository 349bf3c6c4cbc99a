import { AppError } from '@tidenet/contract'
import { readCid } from '../../platform/cids.ts'

/** What a share shows: an asset by its CID, or a folder by its number. `text` is how links and downloads name it. */
export type Target = { kind: 'asset'; cid: string; text: string } | { kind: 'group'; folderId: number; text: string }

/** An id of only digits means a folder, otherwise a content id. @throws AppError badCid */
export function readTarget(text: string): Target {
  const trimmed = text.trim()
  if (!/^\d+$/.test(trimmed)) {
    const cid = readCid(trimmed).text
    return { kind: 'asset', cid, text: cid }
  }
  const folderId = Number(trimmed)
  // No folder has a number that large; 0 is the root, which is never shared.
  return { kind: 'group', folderId: Number.isSafeInteger(folderId) ? folderId : 0, text: String(folderId) }
}

/** The same for whoever must not learn more than that there is nothing. */
export function findTarget(text: string): Target | undefined {
  try {
    return readTarget(text)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
