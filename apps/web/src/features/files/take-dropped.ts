import { toast } from '../../ui/toast.ts'
import { pickedFromEntries } from '../transfers/picked.ts'
import type { readDrop } from '../transfers/read-drop.ts'
import { beginUploads } from './begin-uploads.ts'
import type { LastFolder } from './last-folder.ts'
import { t } from './texts.ts'

/** Uploads files dropped on a page without a file list. The next page must contain a ConflictDialog. */
export async function takeDropped(what: ReturnType<typeof readDrop>, folder: LastFolder | undefined): Promise<void> {
  try {
    const picked = await pickedFromEntries(...what)
    if (picked.length === 0) return toast.error(t.upload.nothingDropped)
    await beginUploads(picked, { folder: folder?.id ?? 0, areas: [] }, folder?.name ?? t.files.root)
  } catch {
    toast.error(t.upload.unreadable)
  }
}
