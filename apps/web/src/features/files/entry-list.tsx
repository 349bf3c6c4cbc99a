import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useRem, useWide } from '../../lib/use-rem.ts'
import { useWindow } from '../../lib/use-window.ts'
import { classes } from '../../ui/classes.ts'
import { startDragging } from './dragged.ts'
import type { Entry } from './entries.ts'
import { Head, type HeadSort } from './entry-head.tsx'
import type { MenuPlace } from './entry-menu.tsx'
import { CardWaiting, EntryCard, EntryRow, RowWaiting } from './entry-row.tsx'
import { only, ranged, type Selection, toggled } from './selection.ts'

export type RowAction = 'open' | 'details' | 'rename' | 'move' | 'delete'

interface EntryListProps {
  label: string
  /** Entries that can be shown; those in sight may not be loaded yet. */
  count: number
  at: (index: number) => Entry | undefined
  layout: 'list' | 'grid'
  /** One long list in a frame of its own. */
  long: boolean
  /** Small pictures may be fetched. */
  previews: boolean
  selection: Selection
  onSelection: (selection: Selection) => void
  onSelectAll: (on: boolean) => void
  onAction: (action: RowAction, entry: Entry) => void
  onMenu: (entry: Entry, place: MenuPlace) => void
  /** Columns can be ordered by; without it they cannot. */
  sort?: HeadSort
  /** The folder that something is held over. */
  target?: number | undefined
  /** Told which rows are in sight. */
  onRange?: (first: number, last: number) => void
}

const LONG_PRESS = 500

/** The entries as rows or cards: mouse, touch and keyboard. */
export function EntryList(props: EntryListProps) {
  const { label, count, at, layout, long, previews, selection, onSelection, onAction, onMenu, target } = props
  const rem = useRem()
  const isWide = useWide()
  const grid = layout === 'grid'
  const [across, setAcross] = useState(1)
  const framed = long || !isWide
  const rowHeight = (grid ? 13.75 : isWide ? 3.25 : 4) * rem
  const { scroller, body, first, last, show } = useWindow({
    pad: grid,
    count,
    columns: grid ? across : 1,
    rowHeight,
    enabled: framed,
  })
  const [active, setActive] = useState(0)
  const focusing = useRef(false)
  const press = useRef<ReturnType<typeof setTimeout>>(undefined)
  const at0 = Math.min(active, Math.max(0, count - 1))

  useLayoutEffect(() => {
    const element = body.current
    if (!element || !grid) return setAcross(1)
    // As `auto-fill` counts them: cards of 11 rem at least, 0.75 rem between them.
    const measure = () => setAcross(Math.max(1, Math.floor((element.clientWidth + 0.75 * rem) / (11.75 * rem))))
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [grid, rem, body])

  const { onRange } = props
  useEffect(() => onRange?.(first, last), [first, last, onRange])

  // The row that the keyboard went to may only now be drawn.
  useEffect(() => {
    if (!focusing.current) return
    const element = body.current?.querySelector<HTMLElement>(`[data-index="${at0}"] [data-open]`)
    if (!element) return
    focusing.current = false
    element.focus({ preventScroll: framed })
  })

  const indexOf = (event: { target: EventTarget | null }): number => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null
    return row ? Number(row.dataset.index) : -1
  }
  const isOn = (event: { target: EventTarget | null }, selector: string): boolean =>
    event.target instanceof Element && event.target.closest(selector) !== null
  const keyAt = (index: number) => at(index)?.key

  const choose = (index: number, entry: Entry, how: { shift: boolean; more: boolean }) => {
    setActive(index)
    if (how.shift) onSelection(ranged(selection, index, keyAt, how.more))
    else if (how.more) onSelection(toggled(selection, entry.key, index))
    else onSelection(only(entry.key, index))
  }

  const onClick = (event: MouseEvent) => {
    clearTimeout(press.current)
    const index = indexOf(event)
    const entry = at(index)
    if (!entry) return
    const more = event.ctrlKey || event.metaKey
    setActive(index)
    if (isOn(event, '[data-menu]')) return onMenu(entry, { anchor: (event.target as Element).closest('[data-menu]') })
    if (isOn(event, 'input')) {
      if (event.shiftKey) onSelection(ranged(selection, index, keyAt, true))
      else onSelection(toggled(selection, entry.key, index))
      return
    }
    if (isOn(event, '[data-open]') && !more && !event.shiftKey) {
      if (entry.kind === 'asset') onAction('open', entry)
      return
    }
    if (more || event.shiftKey) event.preventDefault()
    // A finger opens; once something is chosen, it chooses.
    if (isTouch(event) && !more && selection.keys.size > 0) onSelection(toggled(selection, entry.key, index))
    else if (isTouch(event) && !more) onAction('open', entry)
    else choose(index, entry, { shift: event.shiftKey, more })
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const entry = at(at0)
    if (isOn(event, '[role=menu], dialog')) return
    const more = event.ctrlKey || event.metaKey
    const go = (to: number) => {
      event.preventDefault()
      const next = Math.min(count - 1, Math.max(0, to))
      focusing.current = true
      setActive(next)
      show(next)
      if (event.shiftKey) {
        const from = selection.anchor < 0 ? { ...selection, anchor: at0 } : selection
        onSelection(ranged(from, next, keyAt, false))
      }
    }
    const pageful =
      Math.max(1, Math.floor((scroller.current?.clientHeight ?? 600) / rowHeight) - 1) * (grid ? across : 1)
    const steps: Record<string, number> = {
      ArrowDown: at0 + (grid ? across : 1),
      ArrowUp: at0 - (grid ? across : 1),
      ...(grid && { ArrowRight: at0 + 1, ArrowLeft: at0 - 1 }),
      Home: 0,
      End: count - 1,
      PageDown: at0 + pageful,
      PageUp: at0 - pageful,
    }
    const step = steps[event.key]
    if (step !== undefined && !more && !event.altKey) return go(step)
    if (event.key === 'a' && more) {
      event.preventDefault()
      return props.onSelectAll(true)
    }
    if (event.key === 'Escape' && selection.keys.size > 0) {
      event.stopPropagation()
      return props.onSelectAll(false)
    }
    if (entry && event.metaKey && event.key === 'Backspace') {
      event.preventDefault()
      return onAction('delete', entry)
    }
    if (!entry || more || event.altKey) return
    if (event.key === ' ' && !isOn(event, 'input, [data-menu]')) {
      event.preventDefault()
      if (event.shiftKey) onSelection(ranged(selection, at0, keyAt, true))
      else onSelection(toggled(selection, entry.key, at0))
    } else if (event.key === 'Delete') {
      event.preventDefault()
      onAction('delete', entry)
    } else if (event.key === 'F2') {
      event.preventDefault()
      onAction('rename', entry)
    } else if (event.key === 'i') onAction('details', entry)
    else if (event.key === 'm') onAction('move', entry)
  }

  const onContextMenu = (event: MouseEvent) => {
    const index = indexOf(event)
    const entry = at(index)
    if (!entry) return
    event.preventDefault()
    clearTimeout(press.current)
    setActive(index)
    if (isTouch(event)) return onSelection(toggled(selection, entry.key, index))
    if (!selection.keys.has(entry.key)) onSelection(only(entry.key, index))
    // The menu key asks without a pointer: at the name then.
    if (event.clientX === 0 && event.clientY === 0) onMenu(entry, { anchor: document.activeElement })
    else onMenu(entry, { x: event.clientX, y: event.clientY })
  }

  const handlers = {
    onClick,
    onKeyDown,
    onContextMenu,
    onDoubleClick(event: MouseEvent) {
      const entry = at(indexOf(event))
      if (entry && !isOn(event, 'input, button, a')) onAction('open', entry)
    },
    onDragStart(event: React.DragEvent) {
      const index = indexOf(event)
      const entry = at(index)
      if (!entry) return
      const many = selection.keys.has(entry.key)
      if (!many) onSelection(only(entry.key, index))
      startDragging(event.nativeEvent, many ? chosenOf(selection, count, at) : [entry])
    },
    onPointerDown(event: React.PointerEvent) {
      if (event.pointerType !== 'touch') return
      const index = indexOf(event)
      const entry = at(index)
      if (!entry || isOn(event, 'input, [data-menu]')) return
      clearTimeout(press.current)
      press.current = setTimeout(() => onSelection(toggled(selection, entry.key, index)), LONG_PRESS)
    },
    onPointerUp: () => clearTimeout(press.current),
    onPointerMove: (event: React.PointerEvent) => {
      if (Math.abs(event.movementX) + Math.abs(event.movementY) > 2) clearTimeout(press.current)
    },
    onPointerCancel: () => clearTimeout(press.current),
  }

  const shown = Array.from({ length: Math.max(0, last - first) }, (_, n) => first + n)
  const common = (index: number, entry: Entry) => ({
    entry,
    index,
    selected: selection.keys.has(entry.key),
    active: index === at0,
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
          ref={body as unknown as React.RefObject<HTMLUListElement>}
          aria-label={label}
          {...handlers}
          className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-3"
        >
          {shown.map((index) => {
            const entry = at(index)
            return entry ? (
              <EntryCard key={entry.key} {...common(index, entry)} previews={previews} />
            ) : (
              <CardWaiting key={index} />
            )
          })}
        </ul>
      </div>
    )
  return (
    <div ref={scroller} className={frame}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows can be chosen and walked through
        role="grid"
        aria-label={label}
        aria-rowcount={count + 1}
        aria-multiselectable
        className="w-full table-fixed border-separate border-spacing-0 text-sm"
        {...handlers}
      >
        <Head {...props} />
        <tbody ref={body as unknown as React.RefObject<HTMLTableSectionElement>}>
          <Room height={first * rowHeight} />
          {shown.map((index) => {
            const entry = at(index)
            return entry ? (
              <EntryRow key={entry.key} {...common(index, entry)} />
            ) : (
              <RowWaiting key={index} index={index} />
            )
          })}
          <Room height={(count - last) * rowHeight} />
        </tbody>
      </table>
    </div>
  )
}

/** Stands for rows that are not drawn. */
function Room({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: there is nothing in it
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

const isTouch = (event: MouseEvent): boolean => (event.nativeEvent as globalThis.PointerEvent).pointerType === 'touch'

/** What is chosen, as far as it is loaded. */
export function chosenOf({ keys }: Selection, count: number, at: (index: number) => Entry | undefined): Entry[] {
  const chosen: Entry[] = []
  for (let index = 0; index < count && chosen.length < keys.size; index++) {
    const entry = at(index)
    if (entry && keys.has(entry.key)) chosen.push(entry)
  }
  return chosen
}
