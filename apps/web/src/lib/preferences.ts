import { PAGE_SIZE, PAGE_SIZES } from '@tidenet/contract/constants'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'

interface Preferences {
  /** Rows of a page in lists. */
  rows: number
}

/** What this browser remembers of how its person likes things. */
export const usePreferences = create<Preferences>()(
  persist(() => ({ rows: PAGE_SIZE }), {
    name: 'tidenet.preferences',
    version: 1,
    merge: (stored, initial) => {
      const rows = (stored as Partial<Preferences> | undefined)?.rows
      return PAGE_SIZES.some((size) => size === rows) ? { rows: rows as number } : initial
    },
  }),
)
