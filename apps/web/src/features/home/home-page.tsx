import { useEffect } from 'react'
import { t as shell } from '../../lib/texts.ts'
import { Hero } from './hero.tsx'
import { LazySections } from './lazy-sections.tsx'

/**
 * The home page: the live network, an anonymous upload, and the sections below.
 * @public imported dynamically
 */
export function HomePage() {
  useEffect(() => {
    document.title = shell.titles.home
  }, [])
  return (
    <>
      <Hero />
      <LazySections />
    </>
  )
}
