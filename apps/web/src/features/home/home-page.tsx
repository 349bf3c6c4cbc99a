import { usePageTitle } from '../shell/page-title.tsx'
import { Below } from './below.tsx'
import { Hero } from './hero.tsx'

/** The first page: the network at work, a file to try it with, and what follows from it. */
export function HomePage() {
  usePageTitle()
  return (
    <>
      <Hero />
      <Below />
    </>
  )
}
