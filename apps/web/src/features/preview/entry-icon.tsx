import { File, FileSymlink, Folder } from 'lucide-react'
import { FileIcon } from './file-icon.tsx'
import type { Entry } from './folder-queries.ts'

/** Icon of a folder entry; its kind may be unknown. */
export function EntryIcon({ entry: { kind, name } }: { entry: Entry }) {
  if (kind === 'folder') return <Folder aria-hidden className="size-5 shrink-0 fill-accent-soft text-accent" />
  if (kind === 'other') return <FileSymlink aria-hidden className="size-5 shrink-0 text-muted" />
  if (kind === undefined) return <File aria-hidden className="size-5 shrink-0 text-muted opacity-60" />
  return <FileIcon name={name} folder={false} className="size-5 shrink-0 text-muted" />
}
