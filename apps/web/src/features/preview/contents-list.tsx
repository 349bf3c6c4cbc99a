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
import { type Entry, useLooked } from './inside.ts'
import { previewKind } from './kinds.ts'
import { joined } from './paths.ts'
import { type Source, searchOf } from './source.ts'
import { t } from './texts.ts'

/** A row in rem: `h-15`. */
const ROW = 3.75
/** Fewer rows than this are all drawn. */
const LONG = 100

interface ContentsListProps {
  source: Source
  path: string
  label: string
  entries: readonly Entry[]
  onOpen: (entry: Entry) => void
  onDownload: (entry: Entry) => void
  spent?: boolean
  height?: string
}

/** The entries of a folder, of which those in sight are drawn. */
export function ContentsList(props: ContentsListProps) {
  const { source, path, label, entries, onOpen, onDownload, spent = false, height = 'max-h-[32rem]' } = props
  const rem = useRem()
  const { scroller, body, first, last, show } = useWindow({
    count: entries.length,
    columns: 1,
    rowHeight: ROW * rem,
    enabled: entries.length > LONG,
    pad: true,
  })
  const { known, see } = useLooked(source)
  const shown = useMemo(() => entries.slice(first, last), [entries, first, last])
  useEffect(() => see(shown), [shown, see])
  const goTo = useArrows(entries.length, show, body, scroller, ROW * rem)
  return (
    <div ref={scroller} className={classes('relative overflow-y-auto overscroll-contain', height)}>
      <ul ref={body as unknown as React.RefObject<HTMLUListElement>} aria-label={label} onKeyDown={goTo}>
        {shown.map((given, index) => {
          const entry = known(given)
          return (
            <li
              key={given.name}
              data-index={first + index}
              aria-setsize={entries.length}
              aria-posinset={first + index + 1}
              className="flex h-15 items-center gap-3 border-b border-line pr-2 pl-4 last:border-b-0 hover:bg-sunken"
            >
              <Row entry={entry} source={source} path={path} spent={spent} onOpen={onOpen} onDownload={onDownload} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** Arrows, Home, End and the page keys go from row to row; the row may only then be drawn. */
function useArrows(
  count: number,
  show: (index: number) => void,
  body: React.RefObject<HTMLDivElement | null>,
  scroller: React.RefObject<HTMLDivElement | null>,
  rowHeight: number,
) {
  const [wanted, setWanted] = useState<{ index: number }>()
  const focused = useRef<{ index: number }>(undefined)
  useEffect(() => {
    if (!wanted || focused.current === wanted) return
    const row = body.current?.querySelector<HTMLElement>(
      `[data-index="${wanted.index}"] :is(a, button):not([disabled])`,
    )
    if (!row) return
    focused.current = wanted
    row.focus({ preventScroll: count > LONG })
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
    setWanted({ index })
  }
}

type RowProps = Pick<ContentsListProps, 'source' | 'path' | 'onOpen' | 'onDownload'> & { entry: Entry; spent: boolean }

function Row({ entry, source, path, spent, onOpen, onDownload }: RowProps) {
  const { name, kind } = entry
  const shows = kind === 'file' && previewKind(name) !== 'none' && !spent
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
        ) : shows ? (
          <Link
            to="/preview"
            search={searchOf(source, joined(path, name))}
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
      {shows && (
        <Link
          to="/preview"
          search={searchOf(source, joined(path, name))}
          className={iconButtonClass('max-sm:hidden')}
          aria-label={t.inside.preview(name)}
          title={t.inside.preview(name)}
        >
          <Eye aria-hidden className="size-4.5" />
        </Link>
      )}
      <IconButton
        label={t.inside.download(name)}
        disabled={spent || (kind !== 'file' && kind !== 'folder')}
        onClick={() => onDownload(entry)}
      >
        <DownloadIcon aria-hidden className="size-4.5" />
      </IconButton>
    </>
  )
}

/** Kind and size; what only the maker of the folder says is said to be about so much. */
function factsOf({ kind, name, size }: Entry): string {
  if (kind === 'other') return t.inside.other
  if (kind === 'file') return `${kindOf(name, false)} · ${formatSize(size)}`
  return `${kind === 'folder' ? t.inside.folder : t.inside.unknown} · ${t.inside.around(formatSize(size))}`
}
