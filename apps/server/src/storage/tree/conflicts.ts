import { AppError, ASSET_NAME_MAX, type OnConflict } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { findNamed } from './browse-repository.ts'
import { candidates } from './names.ts'

/** Names that are looked up at once. */
const BATCH = 100

/** Where a content is to be listed. */
interface Place {
  userId: number
  folderId: number
  name: string
  cid: string
}

export interface Resolution {
  /** The name to list it under. */
  name: string
  /** The content is there already: nothing is to be listed. */
  listed: boolean
  /** The entry whose content is to be replaced. */
  replaced?: number
}

/**
 * Decides under which name a content is listed, in a locked account. Names are compared exactly. With `keep_both`, a content that is there
 * under a numbered name is not listed again, so a repeated call changes nothing.
 * @throws AppError nameTaken
 */
export async function resolveConflict(tx: Db, place: Place, onConflict: OnConflict): Promise<Resolution> {
  const { userId, folderId, name, cid } = place
  if (onConflict === 'keep_both') return findFreeName(tx, userId, { folderId, name, max: ASSET_NAME_MAX, cid })
  const taken = await findNamed(tx, userId, folderId, [name])
  if (taken.some((item) => item.kind !== 'group' && item.id === cid)) return { name, listed: true }
  // Names could repeat before: the newest of several files.
  const replaced = Math.max(0, ...taken.map((item) => (item.kind === 'group' ? 0 : item.asset_id)))
  if (onConflict === 'replace' && replaced > 0) return { name, listed: false, replaced }
  if (taken.length > 0) throw new AppError('nameTaken', { name })
  return { name, listed: false }
}

/** The name of a folder or file that is restored: the old one if it is free, otherwise a numbered one. */
export const nameForRestored = async (
  tx: Db,
  userId: number,
  { folderId, name, isFolder }: { folderId: number; name: string; isFolder: boolean },
): Promise<string> => (await findFreeName(tx, userId, { folderId, name, max: ASSET_NAME_MAX, isFolder })).name

/** The first name that is free, or that the content has already. */
async function findFreeName(
  tx: Db,
  userId: number,
  {
    folderId,
    name,
    max,
    isFolder = false,
    cid,
  }: {
    folderId: number
    name: string
    max: number
    isFolder?: boolean
    cid?: string
  },
): Promise<Resolution> {
  for (let from = 1; ; from += BATCH) {
    const names = candidates(name, max, isFolder, { from, count: BATCH })
    const taken = await findNamed(tx, userId, folderId, names)
    for (const candidate of names) {
      const holders = taken.filter((item) => item.name === candidate)
      if (holders.length === 0) return { name: candidate, listed: false }
      if (cid !== undefined && holders.some((item) => item.kind !== 'group' && item.id === cid))
        return { name: candidate, listed: true }
    }
  }
}
