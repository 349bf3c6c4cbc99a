import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { addressAt } from '../addresses.ts'
import { pageNames } from './page-names.ts'
import { t } from './texts.ts'

/** Sets the document title. @param given defaults to the name of the current address @returns the name */
export function usePageTitle(given?: string): string {
  const { pathname } = useLocation()
  const address = addressAt(pathname)
  const name = given ?? (address ? pageNames[address] : t.errors.notFoundTitle)
  useEffect(() => {
    document.title = t.titles.page(name)
  }, [name])
  return name
}
