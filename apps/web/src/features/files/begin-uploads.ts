import { queries, query } from '../../lib/queries.ts'
import { toast } from '../../ui/toast.ts'
import { asFile, type Picked, withContentOfCar } from '../transfers/picked.ts'
import type { UnfinishedUpload } from '../transfers/unfinished.ts'
import { hasEnded, type Planned, type UploadOptions, useUploads } from '../transfers/upload-list.ts'
import { addUploads } from '../transfers/uploads.ts'
import { askVault } from '../vault/ask.ts'
import { findExisting, resolveNames } from './conflicts.ts'

/**
 * Adds files to the upload queue, after asking about name conflicts. The page must contain a ConflictDialog.
 * @returns the number of uploads added
 */
export async function beginUploads(
  picked: readonly Picked[],
  options: UploadOptions,
  folderName: string,
): Promise<number> {
  const waiting = useUploads
    .getState()
    .list.filter((upload) => !hasEnded(upload) && upload.options.folder === options.folder)
    .map((upload) => upload.picked.name)
  try {
    const target = { id: options.folder, name: folderName }
    const items = options.importCars ? picked.map(withContentOfCar) : picked
    const planned = await resolveNames(items, target, new Set(waiting), options.sealed)
    return await addPlanned(planned, options)
  } catch (error) {
    toast.error(error)
    return 0
  }
}

/** Continues the upload of a folder that was chosen again: files that are stored are not sent. */
export async function continueFolder(picked: Picked, { name, folder, areas, tree }: UnfinishedUpload): Promise<void> {
  try {
    const there = (await findExisting(folder, [name])).get(name)?.find(({ kind }) => kind === 'group')
    const into = there && { into: Number(there.id) }
    await addPlanned([{ ...picked, name, ...into, onConflict: tree?.onConflict ?? 'replace' }], { folder, areas })
  } catch (error) {
    toast.error(error)
  }
}

async function addPlanned(planned: readonly Planned[], options: UploadOptions): Promise<number> {
  if (planned.length === 0) return 0
  const recipient = options.passphrase ? undefined : await recipientFor(options.folder)
  if (recipient === null) return 0
  let added = 0
  for (const one of planned) {
    // A folder that is not encrypted can contain one that is.
    const own = options.passphrase || recipient || !one.into ? recipient : await recipientFor(one.into)
    if (own === null) continue
    if (own) addUploads([asFile(one)], { ...options, recipient: own })
    else addUploads([one], options)
    added += 1
  }
  return added
}

/** Whom files of a folder are encrypted for; undefined if it is not encrypted, null if its key was not unlocked. */
async function recipientFor(folder: number): Promise<string | undefined | null> {
  if (folder === 0) return undefined
  const { Group } = await queries.fetchQuery(query('folders.item', { groupid: folder }))
  if (!Group?.Encrypted) return undefined
  return (await askVault())?.recipient ?? null
}
