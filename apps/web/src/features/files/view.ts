import { createPersistedStore } from '../../lib/persisted-store.ts'

export interface View {
  layout: 'list' | 'grid'
  /** Pages of a chosen size, or one list that loads as it is scrolled. */
  paging: 'pages' | 'scroll'
  /** Whether images are fetched to show what is in them. */
  previews: boolean
}

const initial: View = { layout: 'list', paging: 'pages', previews: true }

/** How this browser's person likes to see their files. */
export const useView = createPersistedStore<View>('tidenet.files-view', initial, ({ layout, paging, previews }) => ({
  layout: layout === 'grid' ? 'grid' : 'list',
  paging: paging === 'scroll' ? 'scroll' : 'pages',
  previews: previews !== false,
}))
