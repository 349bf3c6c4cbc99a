import type { MouseEvent } from 'react'

/** What a row asks for by pointer or keyboard. */
export type RowAction = 'open' | 'details' | 'rename' | 'move' | 'delete'

interface Aimed {
  target: EventTarget | null
}

/** The row of the list that an event happened in; -1 for none. */
export function indexOf({ target }: Aimed): number {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  return row ? Number(row.dataset.index) : -1
}

export const isOn = ({ target }: Aimed, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

export const isTouch = (event: MouseEvent): boolean =>
  (event.nativeEvent as globalThis.PointerEvent).pointerType === 'touch'
