import { Link } from '@tanstack/react-router'
import { Download as DownloadIcon, Eye } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { formatSize } from '../../lib/format.ts'
import { useRem } from '../../lib/use-rem.ts'
import { useWindow } from '../../lib/use-window.ts'
import { IconButton, iconButtonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { EntryIcon } from './entry-icon.tsx'
import { kindOf } from './file-icon.tsx'
import { type Entry, useEntryKinds } from './folder-queries.ts'
import { previewKind } from './kinds.ts'
import { joinPath } from './paths.ts'
import { previewOf, type Source } from './source.ts'
import { t } from './texts.ts'

/** Row height in rem: `h-15`. */
const ROW_REM = 3.75
/** Lists up to this length are not virtualized. */
const VIRTUALIZE_ABOVE = 100

interface ContentsListProps {
  source: Source
  path: string
  label: string
  entries: readonly Entry[]
  onOpen: (entry: Entry) => void
  onDownload: (entry: Entry) => void
  limitReached?: boolean
  height?: string
}

/** The entries of a folder, as a virtualized list. */
export function ContentsList(props: ContentsListProps) {
  const { source, path, label, entries, onOpen, onDownload, limitReached = false, height = 'max-h-[32rem]' } = props
  const rem = useRem()
  const { scroller, body, first, last, show } = useWindow({
    count: entries.length,
    columns: 1,
    rowHeight: ROW_REM * rem,
    enabled: entries.length > VIRTUALIZE_ABOVE,
    pad: true,
  })
  const { resolve, loadKinds } = useEntryKinds(source)
  const shown = useMemo(() => entries.slice(first, last), [entries, first, last])
  useEffect(() => loadKinds(shown), [shown, loadKinds])
  const goTo = useArrows(entries.length, show, body, scroller, ROW_REM * rem)
  return (
    <div ref={scroller} className={classes('relative overflow-y-auto overscroll-contain', height)}>
      <ul ref={body as unknown as React.RefObject<HTMLUListElement>} aria-label={label} onKeyDown={goTo}>
        {shown.map((listed, index) => {
          const entry = resolve(listed)
          return (
            <li
              key={listed.name}
              data-index={first + index}
              aria-setsize={entries.length}
              aria-posinset={first + index + 1}
              className="flex h-15 items-center gap-3 border-b border-line pr-2 pl-4 last:border-b-0 hover:bg-sunken"
            >
              <Row
                entry={entry}
                source={source}
                path={path}
                limitReached={limitReached}
                onOpen={onOpen}
                onDownload={onDownload}
              />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** Arrow keys, Home, End and page keys move the focus between rows, also to rows that are not rendered yet. */
function useArrows(
  count: number,
  show: (index: number) => void,
  body: React.RefObject<HTMLDivElement | null>,
  scroller: React.RefObject<HTMLDivElement | null>,
  rowHeight: number,
) {
  const [target, setTarget] = useState<{ index: number }>()
  const focused = useRef<{ index: number }>(undefined)
  useEffect(() => {
    if (!target || focused.current === target) return
    const row = body.current?.querySelector<HTMLElement>(
      `[data-index="${target.index}"] :is(a, button):not([disabled])`,
    )
    if (!row) return
    focused.current = target
    row.focus({ preventScroll: count > VIRTUALIZE_ABOVE })
  })
  return (event: KeyboardEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return
    const at = Number(row.dataset.index)
    const pageful = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 600) / rowHeight) - 1)
    const step = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: count - 1,
      PageDown: at + pageful,
      PageUp: at - pageful,
    }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const index = Math.min(count - 1, Math.max(0, step))
    show(index)
    setTarget({ index })
  }
}

type RowProps = Pick<ContentsListProps, 'source' | 'path' | 'onOpen' | 'onDownload'> & {
  entry: Entry
  limitReached: boolean
}

function Row({ entry, source, path, limitReached, onOpen, onDownload }: RowProps) {
  const { name, kind } = entry
  const canPreview = kind === 'file' && previewKind(name) !== 'none' && !limitReached
  const title = 'block w-full truncate text-left font-medium'
  return (
    <>
      <EntryIcon entry={entry} />
      <div className="min-w-0 flex-1">
        {kind === 'folder' ? (
          <button
            type="button"
            className={classes(title, 'hover:underline')}
            title={name}
            onClick={() => onOpen(entry)}
          >
            {name}
          </button>
        ) : canPreview ? (
          <Link
            to="/preview"
            {...previewOf(source, joinPath(path, name))}
            className={classes(title, 'hover:underline')}
            title={name}
          >
            {name}
          </Link>
        ) : (
          <p className={title} title={name}>
            {name}
          </p>
        )}
        <p className="truncate text-sm text-muted tabular-nums">{factsOf(entry)}</p>
      </div>
      {canPreview && (
        <Link
          to="/preview"
          {...previewOf(source, joinPath(path, name))}
          className={iconButtonClass('max-sm:hidden')}
          aria-label={t.inside.preview(name)}
          title={t.inside.preview(name)}
        >
          <Eye aria-hidden className="size-4.5" />
        </Link>
      )}
      <IconButton
        label={t.inside.download(name)}
        disabled={limitReached || (kind !== 'file' && kind !== 'folder')}
        onClick={() => onDownload(entry)}
      >
        <DownloadIcon aria-hidden className="size-4.5" />
      </IconButton>
    </>
  )
}

/** Kind and size; the size of a folder is approximate, because only its uploader states it. */
function factsOf({ kind, name, size }: Entry): string {
  if (kind === 'other') return t.inside.other
  if (kind === 'file') return `${kindOf(name, false)} · ${formatSize(size)}`
  return `${kind === 'folder' ? t.inside.folder : t.inside.unknown} · ${t.inside.around(formatSize(size))}`
}
