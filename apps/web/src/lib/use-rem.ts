import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void) => {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}
const read = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16

/** Pixels of a rem now: the page's scale and the person's text size change it. */
export const useRem = (): number => useSyncExternalStore(subscribe, read, () => 16)

const wide = (): boolean => window.matchMedia('(min-width: 640px)').matches

/** Whether there is room for columns. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, wide, () => true)
