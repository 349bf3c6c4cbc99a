import { AppError } from '@tidenet/contract'
import { assetName } from '@tidenet/contract/fields'
import { lockAccountForUpdate } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { folderLimit } from '../folders/service.ts'
import * as tree from '../tree/tree.ts'
import { levelsOf } from './objects.ts'

/** Characters that names must not have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what names must not contain
const FORBIDDEN = /[\\/\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu
const READABLE_MAX = 200

/** Whether a file or folder can have the part of a key as its name. */
const isName = (part: string): boolean => assetName.safeParse(part).data === part

/** A name for a part of a key that cannot be one: what is forbidden is replaced, and what is too long is cut. */
function readable(part: string): string {
  if (isName(part)) return part
  const shown = [...part.replace(FORBIDDEN, '_')].slice(0, READABLE_MAX).join('').trim()
  return isName(shown) ? shown : shown === '' ? '(empty name)' : `(${shown})`
}

/** A free name in a folder for a part of a key. @returns also the exact part, if the name differs from it */
export async function nameFor(
  tx: Db,
  userId: number,
  { folderId, part, isFolder }: { folderId: number; part: string; isFolder: boolean },
): Promise<{ name: string; keyPart: string | null }> {
  const name = await tree.nameForRestored(tx, userId, { folderId, name: readable(part), isFolder })
  return { name, keyPart: name === part ? null : part }
}

/**
 * Creates the folders of these keys that are missing; the caller has locked the account.
 * @param found ids by path; '' is the bucket
 * @returns the same with those that were created
 * @throws AppError tooManyFolders
 */
export async function createMissingFolders(
  tx: Db,
  userId: number,
  found: ReadonlyMap<string, number>,
  keys: readonly string[],
  at: Date,
): Promise<Map<string, number>> {
  const known = new Map(found)
  const missing = levelsOf(keys)
    .flat()
    .filter(({ path }) => !known.has(path))
  const max = folderLimit(await lockAccountForUpdate(tx, userId))
  if ((await tree.countFolders(tx, userId)) + missing.length > max) throw new AppError('tooManyFolders', { max })
  for (const { path, above, part } of missing) {
    const parent = known.get(above) as number
    const { name, keyPart } = await nameFor(tx, userId, { folderId: parent, part, isFolder: true })
    const id = await tree.insertFolder(tx, userId, parent, name, at)
    if (keyPart !== null) await tree.setKeyPart(tx, id, keyPart)
    known.set(path, id)
  }
  return known
}
