import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useRem, useWide } from '../../lib/use-rem.ts'
import { useWindow } from '../../lib/use-window.ts'
import { classes } from '../../ui/classes.ts'
import type { Entry } from './entries.ts'
import type { RowAction } from './entry-events.ts'
import { Head, type HeadSort } from './entry-head.tsx'
import type { MenuPlace } from './entry-menu.tsx'
import { CardPlaceholder, EntryCard, EntryRow, RowPlaceholder } from './entry-row.tsx'
import { listKeys } from './list-keys.ts'
import type { Selection } from './selection.ts'
import { useListPointer } from './use-list-pointer.ts'

interface EntryListProps {
  label: string
  /** Number of entries, loaded or not. */
  count: number
  at: (index: number) => Entry | undefined
  layout: 'list' | 'grid'
  /** One long list in a scrolling frame. */
  long: boolean
  /** Whether thumbnails may be fetched. */
  previews: boolean
  selection: Selection
  onSelection: (selection: Selection) => void
  onSelectAll: (on: boolean) => void
  onAction: (action: RowAction, entry: Entry) => void
  onMenu: (entry: Entry, place: MenuPlace) => void
  /** Without it, columns cannot be sorted. */
  sort?: HeadSort
  /** The folder under a drag. */
  target?: number | undefined
  /** Called with the range of visible entries. */
  onRange?: (first: number, last: number) => void
}

/** The entries as rows or cards, with mouse, touch and keyboard control. */
export function EntryList(props: EntryListProps) {
  const {
    label,
    count,
    at,
    layout,
    long,
    previews,
    selection,
    onSelection,
    onSelectAll,
    onAction,
    onMenu,
    onRange,
    target,
  } = props
  const rem = useRem()
  const isWide = useWide()
  const grid = layout === 'grid'
  const framed = long || !isWide
  const rowHeight = (grid ? 13.75 : isWide ? 3.25 : 4) * rem
  const [across, setAcross] = useState(1)
  const { scroller, body, first, last, show } = useWindow({
    pad: grid,
    count,
    columns: grid ? across : 1,
    rowHeight,
    enabled: framed,
  })
  const [active, setActive] = useState(0)
  const focusing = useRef(false)
  const focused = Math.min(active, Math.max(0, count - 1))
  useCardsAcross(body, grid, rem, setAcross)

  useEffect(() => onRange?.(first, last), [first, last, onRange])

  // The row to focus may have been rendered only now.
  useEffect(() => {
    if (!focusing.current) return
    const element = body.current?.querySelector<HTMLElement>(`[data-index="${focused}"] [data-open]`)
    if (!element) return
    focusing.current = false
    element.focus({ preventScroll: framed })
  })

  const handlers = {
    ...useListPointer({ count, at, selection, onSelection, onAction, onMenu, setActive }),
    onKeyDown: listKeys({
      count,
      at,
      active: focused,
      across: grid ? across : undefined,
      rowsPerPage: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 600) / rowHeight) - 1),
      selection,
      onSelection,
      onSelectAll,
      onAction,
      onGo(index) {
        focusing.current = true
        setActive(index)
        show(index)
      },
    }),
  }

  const visible = Array.from({ length: Math.max(0, last - first) }, (_, n) => first + n)
  const common = (index: number, entry: Entry) => ({
    entry,
    index,
    selected: selection.keys.has(entry.key),
    active: index === focused,
    target: entry.kind === 'folder' && entry.group.ID === target,
  })
  const frame = classes(
    framed && 'relative overflow-y-auto overscroll-contain max-sm:max-h-[31.25rem]',
    long && 'sm:h-[calc(100dvh-18.5rem)] sm:min-h-80',
  )
  if (grid)
    return (
      <div ref={scroller} className={classes(frame, 'p-3')}>
        <ul
          ref={body as unknown as RefObject<HTMLUListElement>}
          aria-label={label}
          {...handlers}
          className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-3"
        >
          {visible.map((index) => {
            const entry = at(index)
            return entry ? (
              <EntryCard key={entry.key} {...common(index, entry)} previews={previews} />
            ) : (
              <CardPlaceholder key={index} />
            )
          })}
        </ul>
      </div>
    )
  return (
    <div ref={scroller} className={frame}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows can be selected and navigated by keyboard
        role="grid"
        aria-label={label}
        aria-rowcount={count + 1}
        aria-multiselectable
        className="w-full table-fixed border-separate border-spacing-0 text-sm"
        {...handlers}
      >
        <Head {...props} />
        <tbody ref={body as unknown as RefObject<HTMLTableSectionElement>}>
          <Spacer height={first * rowHeight} />
          {visible.map((index) => {
            const entry = at(index)
            return entry ? (
              <EntryRow key={entry.key} {...common(index, entry)} />
            ) : (
              <RowPlaceholder key={index} index={index} />
            )
          })}
          <Spacer height={(count - last) * rowHeight} />
        </tbody>
      </table>
    </div>
  )
}

/** Measures how many cards fit in a row. */
function useCardsAcross(
  body: RefObject<HTMLElement | null>,
  grid: boolean,
  rem: number,
  setAcross: (across: number) => void,
): void {
  useLayoutEffect(() => {
    const element = body.current
    if (!element || !grid) return setAcross(1)
    // The same result as CSS `auto-fill`: cards of at least 11 rem with gaps of 0.75 rem.
    const measure = () => setAcross(Math.max(1, Math.floor((element.clientWidth + 0.75 * rem) / (11.75 * rem))))
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [grid, rem, body, setAcross])
}

/** Takes the height of rows that are not rendered. */
function Spacer({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: the row is empty
    <tr aria-hidden="true">
      <td
        className="p-0"
        ref={(cell) => {
          if (cell) cell.style.height = `${height}px`
        }}
      />
    </tr>
  )
}
