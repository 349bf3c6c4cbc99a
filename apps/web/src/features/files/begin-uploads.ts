import { queries, query } from '../../lib/queries.ts'
import { toast } from '../../ui/toast.ts'
import type { Picked } from '../transfers/picked.ts'
import { addUploads, hasEnded, type UploadOptions, useUploads } from '../transfers/uploads.ts'
import { askVault } from '../vault/ask.ts'
import { resolveNames } from './conflicts.ts'

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
    const recipient = options.passphrase ? undefined : await recipientFor(options.folder)
    if (recipient === null) return 0
    const planned = await resolveNames(picked, { id: options.folder, name: folderName }, new Set(waiting))
    if (planned.length > 0) addUploads(planned, recipient ? { ...options, recipient } : options)
    return planned.length
  } catch (error) {
    toast.error(error)
    return 0
  }
}

/** Whom files of a folder are encrypted for; undefined if it is not encrypted, null if its key was not unlocked. */
async function recipientFor(folder: number): Promise<string | undefined | null> {
  if (folder === 0) return undefined
  const { Group } = await queries.fetchQuery(query('folders.item', { groupid: folder }))
  if (!Group?.Encrypted) return undefined
  return (await askVault())?.recipient ?? null
}
