import type { MouseEvent } from 'react'

/** Actions by pointer or keyboard. */
export type RowAction = 'open' | 'preview' | 'details' | 'rename' | 'move' | 'delete'

interface Targeted {
  target: EventTarget | null
}

/** Index of the row that an event happened in; -1 for none. */
export function indexOf({ target }: Targeted): number {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  return row ? Number(row.dataset.index) : -1
}

export const isOn = ({ target }: Targeted, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

export const isTouch = (event: MouseEvent): boolean =>
  (event.nativeEvent as globalThis.PointerEvent).pointerType === 'touch'
