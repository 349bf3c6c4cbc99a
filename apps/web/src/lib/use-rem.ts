import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void) => {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}
const read = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16

/** Pixels per rem; depends on the page scale and the browser's text size. */
export const useRem = (): number => useSyncExternalStore(subscribe, read, () => 16)

const wide = (): boolean => window.matchMedia('(min-width: 640px)').matches

/** Whether the window is wide enough for columns. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, wide, () => true)
