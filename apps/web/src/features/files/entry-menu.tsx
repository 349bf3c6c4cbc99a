import { Download, EllipsisVertical, FolderInput, Info, PencilLine, Share2, Trash2 } from 'lucide-react'
import { t } from '../../lib/texts.ts'
import { iconButtonClass } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { type Entry, nameOf } from './entries.ts'

export type EntryAction = 'download' | 'share' | 'details' | 'rename' | 'move' | 'delete'

/** What can be done with one row. */
export function EntryMenu({
  entry,
  onAction,
}: {
  entry: Entry
  onAction: (action: EntryAction, entry: Entry) => void
}) {
  const act = (action: EntryAction) => () => onAction(action, entry)
  const icon = 'size-4'
  return (
    <Menu
      label={t.files.actions(nameOf(entry))}
      triggerClass={iconButtonClass()}
      trigger={<EllipsisVertical aria-hidden className="size-4.5" />}
    >
      {entry.kind === 'asset' && (
        <MenuItem icon={<Download aria-hidden className={icon} />} onSelect={act('download')}>
          {t.words.download}
        </MenuItem>
      )}
      <MenuItem icon={<Share2 aria-hidden className={icon} />} onSelect={act('share')}>
        {t.files.share}
      </MenuItem>
      <MenuItem icon={<Info aria-hidden className={icon} />} onSelect={act('details')}>
        {t.files.details}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<PencilLine aria-hidden className={icon} />} onSelect={act('rename')}>
        {t.files.rename}
      </MenuItem>
      <MenuItem icon={<FolderInput aria-hidden className={icon} />} onSelect={act('move')}>
        {t.files.move}
      </MenuItem>
      <MenuItem danger icon={<Trash2 aria-hidden className={icon} />} onSelect={act('delete')}>
        {t.words.delete}
      </MenuItem>
    </Menu>
  )
}
