import { toast } from '../../ui/toast.ts'
import type { Picked } from '../transfers/picked.ts'
import { addUploads, hasEnded, type UploadOptions, useUploads } from '../transfers/uploads.ts'
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
    const planned = await resolveNames(picked, { id: options.folder, name: folderName }, new Set(waiting))
    if (planned.length > 0) addUploads(planned, options)
    return planned.length
  } catch (error) {
    toast.error(error)
    return 0
  }
}
