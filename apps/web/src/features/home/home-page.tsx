import { useEffect } from 'react'
import { t as shell } from '../../lib/texts.ts'
import { Below } from './below.tsx'
import { Hero } from './hero.tsx'

/** The first page: the network at work, a file to try it with, and what follows from it. */
export function HomePage() {
  useEffect(() => {
    document.title = shell.titles.home
  }, [])
  return (
    <>
      <Hero />
      <Below />
    </>
  )
}
