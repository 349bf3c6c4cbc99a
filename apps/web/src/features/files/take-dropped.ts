import { toast } from '../../ui/toast.ts'
import type { dropped } from '../transfers/dropped.ts'
import { pickedFromEntries } from '../transfers/picked.ts'
import { beginUploads } from './begin-uploads.ts'
import type { LastFolder } from './last-folder.ts'
import { t } from './texts.ts'

/** Uploads what was dropped on a page without a list of files; the page that is shown then asks about names that are taken. */
export async function takeDropped(what: ReturnType<typeof dropped>, folder: LastFolder | undefined): Promise<void> {
  try {
    const picked = await pickedFromEntries(...what)
    if (picked.length === 0) return toast.error(t.upload.nothingDropped)
    await beginUploads(picked, { folder: folder?.id ?? 0, areas: [] }, folder?.name ?? t.files.root)
  } catch {
    toast.error(t.upload.unreadable)
  }
}
