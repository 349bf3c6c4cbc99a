import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface Options {
  /** Things to show, so many beside each other. */
  count: number
  columns: number
  /** Pixels from one row to the next. */
  rowHeight: number
  /** Without it everything is drawn. */
  enabled: boolean
  /** Leaves room within the body for what is not drawn; otherwise the caller does. */
  pad: boolean
}

interface Window {
  /** Scrolls; its size says how much is in sight. */
  scroller: RefObject<HTMLDivElement | null>
  /** Holds the rows; stands for all of them by what is left free above and below. */
  body: RefObject<HTMLDivElement | null>
  /** What is drawn: from, up to but without. */
  first: number
  last: number
  /** Brings something into sight. */
  show: (index: number) => void
}

/** Rows drawn beyond those in sight, both ways. */
const BEYOND = 8

/** Draws of a long list only what is in sight. */
export function useWindow({ count, columns, rowHeight, enabled, pad }: Options): Window {
  const scroller = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const [rows, setRows] = useState({ first: 0, last: 40 })
  const all = Math.ceil(count / columns)

  useEffect(() => {
    const element = scroller.current
    if (!element || !enabled) return
    const look = () => {
      const top = Math.max(0, element.scrollTop - (body.current?.offsetTop ?? 0))
      const first = Math.max(0, Math.floor(top / rowHeight) - BEYOND)
      const last = Math.ceil((top + element.clientHeight) / rowHeight) + BEYOND
      setRows((before) => (before.first === first && before.last === last ? before : { first, last }))
    }
    look()
    element.addEventListener('scroll', look, { passive: true })
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
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
