import { Menu as Base } from '@base-ui/react/menu'
import {
  Download,
  ExternalLink,
  Eye,
  FileArchive,
  FolderInput,
  Globe,
  Info,
  PencilLine,
  Share2,
  SquareTerminal,
  Trash2,
} from 'lucide-react'
import { useMemo } from 'react'
import { query, useQuery } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import { MenuItem, MenuSeparator, menuPopup } from '../../ui/menu.tsx'
import { type Entry, isEncrypted, isFile } from './entries.ts'
import { t } from './texts.ts'

export type EntryAction =
  | 'open'
  | 'preview'
  | 'download'
  | 'zip'
  | 'share'
  | 'publish'
  | 'details'
  | 'rename'
  | 'move'
  | 'delete'
  | 'program'

/** Beside an element, or at the pointer. */
export type MenuPlace = { anchor: Element | null } | { x: number; y: number }

interface EntryMenuProps {
  entries: readonly Entry[]
  place: MenuPlace
  onAction: (action: EntryAction, entries: readonly Entry[]) => void
  onClose: () => void
}

/** The menu of an entry or of the selection. One for the whole list, so that rows stay cheap. */
export function EntryMenu({ entries, place, onAction, onClose }: EntryMenuProps) {
  const [entry] = entries
  const anchor = useMemo(
    () =>
      'anchor' in place
        ? place.anchor
        : { getBoundingClientRect: () => DOMRect.fromRect({ x: place.x, y: place.y, width: 0, height: 0 }) },
    [place],
  )
  const { data: settings } = useQuery({ ...query('portal.settings', {}), staleTime: 5 * 60_000 })
  if (!entry) return null
  const single = entries.length === 1
  const act = (action: EntryAction) => () => onAction(action, entries)
  const icon = 'size-4'
  return (
    <Base.Root open modal={false} onOpenChange={(open) => open || onClose()}>
      <Base.Portal>
        <Base.Positioner
          className="z-50 outline-none"
          anchor={anchor}
          sideOffset={4}
          align={'anchor' in place ? 'end' : 'start'}
        >
          <Base.Popup
            className={menuPopup}
            finalFocus={() => ('anchor' in place && place.anchor instanceof HTMLElement ? place.anchor : true)}
          >
            {single && entry.kind === 'folder' && (
              <MenuItem icon={<ExternalLink aria-hidden className={icon} />} onSelect={act('open')}>
                {t.files.open}
              </MenuItem>
            )}
            {single && isFile(entry) && (
              <MenuItem icon={<Eye aria-hidden className={icon} />} onSelect={act('preview')}>
                {t.files.preview}
              </MenuItem>
            )}
            <MenuItem icon={<Download aria-hidden className={icon} />} onSelect={act('download')}>
              {single && entry.kind === 'asset' ? shell.words.download : t.files.downloadTar}
            </MenuItem>
            {!(single && isFile(entry)) && (
              <MenuItem icon={<FileArchive aria-hidden className={icon} />} onSelect={act('zip')}>
                {t.files.downloadZip}
              </MenuItem>
            )}
            {single && (
              <>
                <MenuItem icon={<Share2 aria-hidden className={icon} />} onSelect={act('share')}>
                  {t.files.share}
                </MenuItem>
                {!isEncrypted(entry) && settings?.ipfs_url && (
                  <MenuItem icon={<Globe aria-hidden className={icon} />} onSelect={act('publish')}>
                    {t.files.publish}
                  </MenuItem>
                )}
                <MenuItem icon={<Info aria-hidden className={icon} />} onSelect={act('details')}>
                  {t.files.details}
                </MenuItem>
              </>
            )}
            {single && entry.kind === 'folder' && (
              <MenuItem icon={<SquareTerminal aria-hidden className={icon} />} onSelect={act('program')}>
                {t.files.program}
              </MenuItem>
            )}
            <MenuSeparator />
            {single && (
              <MenuItem icon={<PencilLine aria-hidden className={icon} />} onSelect={act('rename')}>
                {t.files.rename}
              </MenuItem>
            )}
            <MenuItem icon={<FolderInput aria-hidden className={icon} />} onSelect={act('move')}>
              {t.files.move}
            </MenuItem>
            <MenuItem danger icon={<Trash2 aria-hidden className={icon} />} onSelect={act('delete')}>
              {t.files.toTrash}
            </MenuItem>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
