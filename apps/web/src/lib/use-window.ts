import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface Options {
  /** Number of items. */
  count: number
  /** Items per row. */
  columns: number
  /** Pixels. */
  rowHeight: number
  /** If false, all items are rendered. */
  enabled: boolean
  /** Adds padding to the body in place of the rows that are not rendered; otherwise the caller does. */
  pad: boolean
}

interface Window {
  /** The scrolling element. */
  scroller: RefObject<HTMLDivElement | null>
  /** Contains the rows. */
  body: RefObject<HTMLDivElement | null>
  /** Range of rendered items; `last` is exclusive. */
  first: number
  last: number
  /** Scrolls to an item. */
  show: (index: number) => void
}

/** Rows rendered above and below the visible ones. */
const OVERSCAN = 8

/** Virtualizes a long list: renders only the visible rows. */
export function useWindow({ count, columns, rowHeight, enabled, pad }: Options): Window {
  const scroller = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const [rows, setRows] = useState({ first: 0, last: 40 })
  const all = Math.ceil(count / columns)

  useEffect(() => {
    const element = scroller.current
    if (!element || !enabled) return
    const update = () => {
      const top = Math.max(0, element.scrollTop - (body.current?.offsetTop ?? 0))
      const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN)
      const last = Math.ceil((top + element.clientHeight) / rowHeight) + OVERSCAN
      setRows((before) => (before.first === first && before.last === last ? before : { first, last }))
    }
    update()
    element.addEventListener('scroll', update, { passive: true })
    const sizes = new ResizeObserver(update)
    sizes.observe(element)
    return () => {
      element.removeEventListener('scroll', update)
      sizes.disconnect()
    }
  }, [enabled, rowHeight])

  const first = enabled ? Math.min(rows.first, Math.max(0, all - 1)) : 0
  const last = enabled ? Math.min(rows.last, all) : all
  useLayoutEffect(() => {
    const { style } = body.current ?? {}
    if (!style) return
    style.paddingTop = enabled && pad ? `${first * rowHeight}px` : ''
    style.paddingBottom = enabled && pad ? `${Math.max(0, all - last) * rowHeight}px` : ''
  }, [enabled, pad, first, last, all, rowHeight])

  const show = (index: number) => {
    const element = scroller.current
    if (!element || !enabled) return
    const head = body.current?.offsetTop ?? 0
    const top = Math.floor(index / columns) * rowHeight
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + rowHeight + head > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight + head - element.clientHeight
  }
  return { scroller, body, first: first * columns, last: Math.min(count, last * columns), show }
}
