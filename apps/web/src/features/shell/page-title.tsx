import { useEffect } from 'react'
import { t } from '../../lib/texts.ts'

/** Names the page in the browser's tab. */
export function usePageTitle(name?: string): void {
  useEffect(() => {
    document.title = name ? t.titles.page(name) : t.titles.home
  }, [name])
}
