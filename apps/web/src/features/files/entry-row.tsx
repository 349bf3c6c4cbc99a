import { Link } from '@tanstack/react-router'
import { EllipsisVertical, Link2, LockKeyhole } from 'lucide-react'
import { memo } from 'react'
import { formatDate, formatDateTime, formatNumber, formatSize } from '../../lib/format.ts'
import { iconButtonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { RowCheckbox } from '../../ui/row-checkbox.tsx'
import { dateOf, type Entry, isEncrypted, isShared, nameOf, sizeOf, targetCopies } from './entries.ts'
import { t } from './texts.ts'
import { Thumbnail } from './thumbnail.tsx'

/** Classes of the columns, shared by header and body. The name column takes the remaining width. */
export const columns = {
  box: 'w-12 pl-2 sm:pl-3',
  name: 'pr-2',
  size: 'hidden w-28 text-right tabular-nums sm:table-cell',
  copies: 'hidden w-28 text-right tabular-nums md:table-cell',
  date: 'hidden w-56 pl-8 tabular-nums md:table-cell',
  menu: 'w-13 pr-2 text-right sm:pr-3',
} as const

const cell = 'h-16 border-b border-line align-middle group-last/row:border-b-0 sm:h-13'

interface EntryProps {
  entry: Entry
  index: number
  selected: boolean
  /** The row has the keyboard focus. */
  active: boolean
  /** The folder is under a drag. */
  target: boolean
}

const nameClass =
  'block max-w-full truncate rounded text-left font-medium hover:text-accent hover:underline focus-visible:outline-offset-1'

/** The name, which opens the entry. The list handles clicks on files. */
function Name({ entry, active, className }: { entry: Entry; active: boolean; className?: string }) {
  const name = nameOf(entry)
  const tabIndex = active ? 0 : -1
  return entry.kind === 'folder' ? (
    <Link
      to="/fileStorage"
      search={{ folder: entry.group.ID }}
      className={classes(nameClass, className)}
      title={name}
      tabIndex={tabIndex}
      data-open
      draggable={false}
    >
      {name}
    </Link>
  ) : (
    <button type="button" className={classes(nameClass, className)} title={name} tabIndex={tabIndex} data-open>
      {name}
    </button>
  )
}

function Marks({ entry }: { entry: Entry }) {
  return (
    <>
      {isEncrypted(entry) && (
        <span title={t.files.encrypted} className="shrink-0">
          <LockKeyhole aria-label={t.files.encrypted} role="img" className="size-3.5 text-muted" />
        </span>
      )}
      {isShared(entry) && (
        <span title={t.files.shared} className="shrink-0">
          <Link2 aria-label={t.files.shared} role="img" className="size-3.5 text-accent" />
        </span>
      )}
    </>
  )
}

function MenuButton({ entry, active, className }: { entry: Entry; active: boolean; className?: string }) {
  return (
    <button
      type="button"
      className={iconButtonClass(className)}
      aria-label={t.files.actions(nameOf(entry))}
      title={t.files.actions(nameOf(entry))}
      aria-haspopup="menu"
      tabIndex={active ? 0 : -1}
      data-menu
    >
      <EllipsisVertical aria-hidden className="size-4.5" />
    </button>
  )
}

const sizeText = (entry: Entry): string =>
  entry.kind === 'folder' ? t.files.filesInFolder(entry.group.AssetCount) : formatSize(sizeOf(entry))

const pathText = (entry: Entry): string | undefined =>
  entry.path && t.view.in([t.files.root, ...entry.path.map(({ Name }) => Name)].join(' / '))

function Copies({ entry }: { entry: Entry }) {
  if (entry.kind === 'folder') return <span>–</span>
  const target = targetCopies(entry.asset)
  const stored = entry.asset.AssetRecord.replica_num
  const { FilcoinCount, third_party } = entry.asset
  return (
    <>
      {target === 0 ? (
        <span>{formatNumber(stored)}</span>
      ) : (
        <span title={t.files.copiesTitle(stored, target)}>{t.files.copiesOf(stored, target)}</span>
      )}
      {FilcoinCount > 0 && (
        <span className="block text-xs" title={t.files.thirdPartyTitle(FilcoinCount, third_party.simulated)}>
          {third_party.simulated === FilcoinCount
            ? t.files.thirdPartySimulated(formatNumber(FilcoinCount))
            : t.files.thirdParty(formatNumber(FilcoinCount - third_party.simulated))}
        </span>
      )}
    </>
  )
}

/** A row of the list. */
export const EntryRow = memo(function EntryRow({ entry, index, selected, active, target }: EntryProps) {
  const path = pathText(entry)
  return (
    <tr
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-index={index}
      data-folder={entry.kind === 'folder' ? entry.group.ID : undefined}
      data-folder-name={entry.kind === 'folder' ? entry.group.Name : undefined}
      draggable
      className={classes(
        'group/row select-none',
        target
          ? 'bg-accent-soft outline-2 -outline-offset-2 outline-accent'
          : selected
            ? 'bg-accent-soft'
            : 'hover:bg-sunken/60',
      )}
    >
      <td className={classes(cell, columns.box)}>
        <span className="flex justify-center">
          <RowCheckbox label={t.files.select(nameOf(entry))} checked={selected} tabIndex={active ? 0 : -1} />
        </span>
      </td>
      <td className={classes(cell, columns.name)}>
        <div className="flex min-w-0 items-center gap-3">
          <Thumbnail entry={entry} fetchIt={false} className="size-9 shrink-0 rounded-md" />
          <div className="min-w-0 flex-1">
            <div className="flex items-center gap-1.5">
              <Name entry={entry} active={active} />
              <Marks entry={entry} />
            </div>
            {path ? (
              <p className="truncate text-xs text-muted">{path}</p>
            ) : (
              <p className="truncate text-xs text-muted sm:hidden">
                {sizeText(entry)} · {formatDate(dateOf(entry))}
              </p>
            )}
          </div>
        </div>
      </td>
      <td className={classes(cell, columns.size)}>
        {entry.kind === 'folder' && sizeOf(entry) === 0 ? '–' : formatSize(sizeOf(entry))}
      </td>
      <td className={classes(cell, columns.copies, 'text-muted')}>
        <Copies entry={entry} />
      </td>
      <td className={classes(cell, columns.date, 'text-muted')}>{formatDateTime(dateOf(entry))}</td>
      <td className={classes(cell, columns.menu)}>
        <MenuButton entry={entry} active={active} />
      </td>
    </tr>
  )
})

/** A card of the grid. */
export const EntryCard = memo(function EntryCard({
  entry,
  index,
  selected,
  active,
  target,
  previews,
}: EntryProps & { previews: boolean }) {
  return (
    <li
      data-index={index}
      data-folder={entry.kind === 'folder' ? entry.group.ID : undefined}
      data-folder-name={entry.kind === 'folder' ? entry.group.Name : undefined}
      draggable
      className={classes(
        'group relative flex h-52 flex-col overflow-hidden rounded-xl border text-sm select-none',
        target
          ? 'border-accent bg-accent-soft outline-2 outline-accent'
          : selected
            ? 'border-accent bg-accent-soft'
            : 'border-line hover:bg-sunken/60',
      )}
    >
      <Thumbnail entry={entry} fetchIt={previews} className="min-h-0 w-full flex-1 bg-sunken/70" />
      <span
        className={classes(
          'absolute top-2 left-2 flex rounded-md bg-surface focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100',
          !selected && 'opacity-0',
        )}
      >
        <RowCheckbox label={t.files.select(nameOf(entry))} checked={selected} tabIndex={active ? 0 : -1} />
      </span>
      <div className="flex items-center gap-1 py-1.5 pr-1 pl-3">
        <div className="min-w-0 flex-1">
          <div className="flex items-center gap-1.5">
            <Name entry={entry} active={active} />
            <Marks entry={entry} />
          </div>
          <p className="truncate text-xs text-muted">{sizeText(entry)}</p>
        </div>
        <MenuButton entry={entry} active={active} />
      </div>
    </li>
  )
})

/** Shown until an entry has loaded. */
export function RowPlaceholder({ index }: { index: number }) {
  return (
    <tr aria-rowindex={index + 2} className="group/row">
      <td className={classes(cell, columns.box)} />
      <td className={classes(cell, columns.name)}>
        <span className="flex items-center gap-3">
          <span className="size-9 rounded-md bg-sunken" />
          <span className={classes('h-3 rounded-full bg-sunken', index % 3 === 0 ? 'w-24' : 'w-36')} />
        </span>
      </td>
      <td className={classes(cell, columns.size)} />
      <td className={classes(cell, columns.copies)} />
      <td className={classes(cell, columns.date)} />
      <td className={classes(cell, columns.menu)} />
    </tr>
  )
}

export const CardPlaceholder = () => <li className="h-52 rounded-xl border border-line bg-sunken/50" />
