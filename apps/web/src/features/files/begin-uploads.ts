import { toast } from '../../ui/toast.ts'
import type { Picked } from '../transfers/picked.ts'
import { addUploads, hasEnded, type UploadOptions, useUploads } from '../transfers/uploads.ts'
import { settleNames } from './conflicts.ts'

/**
 * Puts what was chosen into the queue, after what is called as it is was asked about: the page has a ConflictDialog.
 * @returns how many uploads began
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
    const planned = await settleNames(picked, { id: options.folder, name: folderName }, new Set(waiting))
    if (planned.length > 0) addUploads(planned, options)
    return planned.length
  } catch (error) {
    toast.error(error)
    return 0
  }
}
