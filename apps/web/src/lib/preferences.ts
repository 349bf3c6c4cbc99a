import { PAGE_SIZE, PAGE_SIZES } from '@tidenet/contract/constants'
import { createPersistedStore } from './persisted-store.ts'

interface Preferences {
  /** Rows of a page in lists. */
  rows: number
}

/** What this browser remembers of how its person likes things. */
export const usePreferences = createPersistedStore<Preferences>(
  'tidenet.preferences',
  { rows: PAGE_SIZE },
  ({ rows }) => ({
    rows: PAGE_SIZES.find((size) => size === rows) ?? PAGE_SIZE,
  }),
)
