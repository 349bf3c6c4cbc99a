import { createPersistedStore } from '../../lib/persisted-store.ts'

export interface View {
  layout: 'list' | 'grid'
  /** Pages, or one list that loads while scrolling. */
  paging: 'pages' | 'scroll'
  /** Whether thumbnails of images are fetched. */
  previews: boolean
}

const initial: View = { layout: 'list', paging: 'pages', previews: true }

/** View options of the list of files, stored in this browser. */
export const useView = createPersistedStore<View>('tidenet.files-view', initial, ({ layout, paging, previews }) => ({
  layout: layout === 'grid' ? 'grid' : 'list',
  paging: paging === 'scroll' ? 'scroll' : 'pages',
  previews: previews !== false,
}))
