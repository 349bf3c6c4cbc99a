import { PAGE_SIZE, PAGE_SIZES } from '@tidenet/contract/constants'
import { createPersistedStore } from './persisted-store.ts'

interface Preferences {
  /** Rows per page in lists. */
  rows: number
}

/** Display preferences, stored in this browser. */
export const usePreferences = createPersistedStore<Preferences>(
  'tidenet.preferences',
  { rows: PAGE_SIZE },
  ({ rows }) => ({
    rows: PAGE_SIZES.find((size) => size === rows) ?? PAGE_SIZE,
  }),
)
