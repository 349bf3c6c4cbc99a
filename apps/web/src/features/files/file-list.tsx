import { Link } from '@tanstack/react-router'
import { File, Folder, FolderArchive, Link2, LockKeyhole } from 'lucide-react'
import { formatDateTime, formatNumber, formatSize } from '../../lib/format.ts'
import { t } from '../../lib/texts.ts'
import { Checkbox } from '../../ui/choices.tsx'
import { dateOf, type Entry, isShared, nameOf, sizeOf, wantedCopies } from './entries.ts'
import { type EntryAction, EntryMenu } from './entry-menu.tsx'

interface FileListProps {
  entries: readonly Entry[]
  selected: ReadonlySet<string>
  onSelect: (keys: ReadonlySet<string>) => void
  onAction: (action: EntryAction, entry: Entry) => void
}

/** The rows of one page: folders lead on, files show their details. */
export function FileList({ entries, selected, onSelect, onAction }: FileListProps) {
  const all = entries.length > 0 && entries.every(({ key }) => selected.has(key))
  const toggle = (key: string, on: boolean) => {
    const next = new Set(selected)
    if (on) next.add(key)
    else next.delete(key)
    onSelect(next)
  }
  return (
    <table className="w-full table-fixed text-sm">
      <thead className="border-b border-line text-left text-muted">
        <tr>
          <th scope="col" className="w-12 py-2 pl-4 font-medium">
            <Checkbox
              label={t.files.selectAll}
              checked={all}
              partly={!all && selected.size > 0}
              onChange={(on) => onSelect(new Set(on ? entries.map(({ key }) => key) : []))}
            />
          </th>
          <th scope="col" className="py-2 font-medium">
            {t.words.name}
          </th>
          <th scope="col" className="hidden w-28 py-2 text-right font-medium md:table-cell">
            {t.words.size}
          </th>
          <th scope="col" className="hidden w-28 py-2 text-right font-medium lg:table-cell">
            {t.files.copies}
          </th>
          <th scope="col" className="hidden w-52 py-2 pl-8 font-medium md:table-cell">
            {t.files.date}
          </th>
          <th scope="col" className="w-14 py-2">
            <span className="sr-only">{t.words.more}</span>
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {entries.map((entry) => (
          <tr key={entry.key} className="hover:bg-sunken/60 has-data-checked:bg-accent-soft/60">
            <td className="py-1.5 pl-4 align-middle">
              <Checkbox
                label={t.files.select(nameOf(entry))}
                checked={selected.has(entry.key)}
                onChange={(on) => toggle(entry.key, on)}
              />
            </td>
            <td className="py-1.5 pr-2 align-middle">
              <Name entry={entry} onOpen={() => onAction('details', entry)} />
            </td>
            <td className="hidden py-1.5 text-right tabular-nums md:table-cell">{formatSize(sizeOf(entry))}</td>
            <td className="hidden py-1.5 text-right tabular-nums lg:table-cell">
              <Copies entry={entry} />
            </td>
            <td className="hidden py-1.5 pl-8 text-muted md:table-cell">{formatDateTime(dateOf(entry))}</td>
            <td className="py-1.5 pr-2 text-right">
              <EntryMenu entry={entry} onAction={onAction} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Copies({ entry }: { entry: Entry }) {
  if (entry.kind === 'folder') return <span className="text-muted">–</span>
  const wanted = wantedCopies(entry.asset)
  const stored = entry.asset.AssetRecord.replica_num
  return <span className="text-muted">{wanted === 0 ? formatNumber(stored) : t.files.copiesOf(stored, wanted)}</span>
}

const nameClass = 'block max-w-full truncate rounded text-left font-medium hover:text-accent hover:underline'

function Name({ entry, onOpen }: { entry: Entry; onOpen: () => void }) {
  const name = nameOf(entry)
  const encrypted = entry.kind === 'asset' && entry.asset.UserAssetDetail.Encrypted
  const archived = entry.kind === 'asset' && entry.asset.UserAssetDetail.AssetType === 'folder'
  const Icon = entry.kind === 'folder' ? Folder : archived ? FolderArchive : File
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Icon
        aria-hidden
        className={`size-5 shrink-0 ${entry.kind === 'folder' ? 'fill-accent-soft text-accent' : 'text-muted'}`}
      />
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-1.5">
          {entry.kind === 'folder' ? (
            <Link to="/fileStorage" search={{ folder: entry.group.ID }} className={nameClass} title={name}>
              {name}
            </Link>
          ) : (
            <button type="button" className={nameClass} title={name} onClick={onOpen}>
              {name}
            </button>
          )}
          {encrypted && (
            <span title={t.files.encrypted}>
              <LockKeyhole aria-label={t.files.encrypted} role="img" className="size-3.5 text-muted" />
            </span>
          )}
          {isShared(entry) && (
            <span title={t.files.shared}>
              <Link2 aria-label={t.files.shared} role="img" className="size-3.5 text-accent" />
            </span>
          )}
        </div>
        <p className="truncate text-xs text-muted md:hidden">
          {entry.kind === 'folder' ? t.files.filesInFolder(entry.group.AssetCount) : formatSize(sizeOf(entry))} ·{' '}
          {formatDateTime(dateOf(entry))}
        </p>
      </div>
    </div>
  )
}
