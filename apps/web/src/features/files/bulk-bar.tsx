import { Download, FileArchive, FolderInput, Share2, Trash2, X } from 'lucide-react'
import { formatSize } from '../../lib/format.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { type Entry, isFile, sizeOf } from './entries.ts'
import type { EntryAction } from './entry-menu.tsx'
import { t } from './texts.ts'

/** Actions for the selected entries. */
export function BulkBar({
  count,
  entries,
  onAction,
  onClear,
}: {
  /** Number of selected entries, including those that are not loaded. */
  count: number
  entries: readonly Entry[]
  onAction: (action: EntryAction) => void
  onClear: () => void
}) {
  const size = entries.reduce((sum, entry) => sum + sizeOf(entry), 0)
  const icon = 'size-4'
  const single = count === 1
  return (
    <div
      role="toolbar"
      aria-label={t.files.selected(count)}
      className="flex flex-wrap items-center gap-x-1 gap-y-1 border-b border-line bg-accent-soft px-3 py-1.5"
    >
      <p className="mr-auto pl-1 text-sm" role="status">
        <span className="font-medium">{t.files.selected(count)}</span>
        {size > 0 && <span className="text-muted"> · {t.files.selectedSize(formatSize(size))}</span>}
      </p>
      <Button look="ghost" icon={<Download aria-hidden className={icon} />} onClick={() => onAction('download')}>
        {single && entries[0]?.kind === 'asset' ? shell.words.download : t.files.downloadTar}
      </Button>
      {!(single && isFile(entries[0])) && (
        <Button look="ghost" icon={<FileArchive aria-hidden className={icon} />} onClick={() => onAction('zip')}>
          {t.files.downloadZip}
        </Button>
      )}
      {single && (
        <Button look="ghost" icon={<Share2 aria-hidden className={icon} />} onClick={() => onAction('share')}>
          {t.files.share}
        </Button>
      )}
      <Button look="ghost" icon={<FolderInput aria-hidden className={icon} />} onClick={() => onAction('move')}>
        {t.files.move}
      </Button>
      <Button look="quietDanger" icon={<Trash2 aria-hidden className={icon} />} onClick={() => onAction('delete')}>
        {t.files.toTrash}
      </Button>
      <IconButton label={t.files.clearSelection} onClick={onClear}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  )
}
