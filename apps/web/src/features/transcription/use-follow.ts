import { type RefObject, useEffect, useRef } from 'react'

/** After somebody scrolled, the text does not scroll by itself for this long. */
const QUIET_MS = 4000

/** Keeps what is spoken now, or was found last, in view. Only the box itself scrolls, never the page. */
export function useFollow(
  box: RefObject<HTMLElement | null>,
  current: number,
  playing: boolean,
  match: number | undefined,
) {
  const scrolledAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const { current: element } = box
    const note = () => {
      scrolledAt.current = performance.now()
    }
    const events = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
    for (const event of events) element?.addEventListener(event, note, { passive: true })
    return () => {
      for (const event of events) element?.removeEventListener(event, note)
    }
  }, [box])
  useEffect(() => {
    if (playing && performance.now() - scrolledAt.current > QUIET_MS) reveal(box.current, `[data-segment="${current}"]`)
  }, [box, current, playing])
  useEffect(() => {
    if (match !== undefined) reveal(box.current, `[data-match="${match}"]`)
  }, [box, match])
}

/** Scrolls a box so that an element in it is in the middle, unless it is in view. */
export function reveal(box: HTMLElement | null, selector: string): void {
  const element = box?.querySelector(selector)
  if (!box || !element) return
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()]
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return
  const top = box.scrollTop + inner.top - outer.top - (outer.height - inner.height) / 2
  box.scrollTo({ top, behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' })
}
