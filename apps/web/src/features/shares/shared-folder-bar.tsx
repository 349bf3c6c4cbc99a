import type { ListItem, ShareTerms } from '@tidenet/contract'
import { FileArchive, Package } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import type { DownloadRequest } from '../transfers/download-request.ts'
import { t } from './texts.ts'

type Format = 'tar' | 'zip'

/** The download of these entries of a shared folder as an archive; without entries, of the whole folder. */
export function archiveOf(
  selected: readonly ListItem[],
  folder: { id: number; name: string; size: number },
  shared: NonNullable<DownloadRequest['shared']>,
  format: Format,
): DownloadRequest {
  const files = selected.flatMap(({ AssetOverview }) => AssetOverview ?? [])
  const groups = selected.flatMap(({ Group }) => Group ?? [])
  const whole = selected.length === 0
  const sizes = [
    ...files.map(({ UserAssetDetail }) => UserAssetDetail.TotalSize),
    ...groups.map((one) => one.AssetSize),
  ]
  return {
    cid: '',
    // Several entries are named after their folder.
    name: (groups.length === 1 && files.length === 0 && groups[0]?.Name) || folder.name,
    size: whole ? folder.size : sizes.reduce((sum, size) => sum + size, 0),
    assetType: 'folder',
    encrypted: false,
    shared,
    archive: {
      format,
      folders: whole ? [folder.id] : groups.map(({ ID }) => ID),
      entries: files.map(({ AssetRecord, UserAssetDetail: { AssetName, AssetType, TotalSize, Encrypted } }) => ({
        path: AssetName.replaceAll('/', '_'),
        cid: AssetRecord.CID,
        assetType: AssetType,
        size: TotalSize,
        ...(Encrypted && AssetType === 'file' && { encrypted: true }),
      })),
    },
  }
}

interface Props {
  selected: readonly ListItem[]
  /** Undefined for the owner, whose downloads do not count. */
  terms: ShareTerms | undefined
  /** Some files are encrypted. */
  encrypted: boolean
  onDownload: (format: Format) => void
  onClear: () => void
}

/** Downloads the folder or the selected entries as an archive, and says how its files count. */
export function SharedFolderBar({ selected, terms, encrypted, onDownload, onClear }: Props) {
  const icon = 'size-4'
  const count = selected.length
  const linkLeft = terms?.link_downloads_left ?? -1
  const label = count > 0 ? t.folder.selected(count) : t.folder.whole
  return (
    <div className="flex flex-col gap-2">
      <div role="toolbar" aria-label={label} className="flex flex-wrap items-center gap-2">
        <p role="status" className="w-full text-sm font-medium sm:w-auto sm:pr-2">
          {label}
        </p>
        <Button icon={<FileArchive aria-hidden className={icon} />} onClick={() => onDownload('zip')}>
          {t.folder.asZip}
        </Button>
        <Button icon={<Package aria-hidden className={icon} />} onClick={() => onDownload('tar')}>
          {t.folder.asTar}
        </Button>
        {count > 0 && (
          <Button look="ghost" onClick={onClear}>
            {t.folder.clear}
          </Button>
        )}
      </div>
      {terms && terms.downloads_left >= 0 && (
        <p className="text-sm text-muted">{linkLeft >= 0 ? t.folder.linkLeaves(linkLeft) : t.folder.eachCounts}</p>
      )}
      {encrypted && <p className="text-sm text-muted">{t.folder.staysEncrypted}</p>}
    </div>
  )
}
