import { lazy, Suspense } from 'react'
import { isServicesVariant } from '../../lib/variant.ts'
import { usePageTitle } from '../shell/page-title.tsx'
import { Below } from './below.tsx'
import { Hero } from './hero.tsx'

const ServicesHome = lazy(async () => ({ default: (await import('./services-home.tsx')).ServicesHome }))

/** The first page: the network at work; on the services host, what can be rented there. */
export function HomePage() {
  usePageTitle()
  if (isServicesVariant())
    return (
      <Suspense>
        <ServicesHome />
      </Suspense>
    )
  return (
    <>
      <Hero />
      <Below />
    </>
  )
}
