import { create } from 'zustand'
import { persist } from 'zustand/middleware'

export interface View {
  layout: 'list' | 'grid'
  /** Pages of a chosen size, or one list that loads as it is scrolled. */
  paging: 'pages' | 'scroll'
  /** Whether images are fetched to show what is in them. */
  previews: boolean
}

const initial: View = { layout: 'list', paging: 'pages', previews: true }

/** How this browser's person likes to see their files. */
export const useView = create<View>()(
  persist(() => initial, {
    name: 'tidenet.files-view',
    version: 1,
    merge: (stored) => {
      const { layout, paging, previews } = (stored ?? {}) as Partial<View>
      return {
        layout: layout === 'grid' ? 'grid' : 'list',
        paging: paging === 'scroll' ? 'scroll' : 'pages',
        previews: previews !== false,
      }
    },
  }),
)
