import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'
import { consentGiven, onConsent } from '../../lib/consent.ts'

// Most have answered: they do not fetch it. Where it does not come nothing is asked, and nothing counted.
const ConsentBanner = lazy<() => ReactNode>(() =>
  import('../consent/banner.tsx').then(
    ({ ConsentBanner }) => ({ default: ConsentBanner }),
    () => ({ default: () => null }),
  ),
)

/** Asks once whether visits may be counted, until it is answered. */
export function CookieNotice() {
  // Drawn at build it would flash at everyone who has answered.
  const answer = useSyncExternalStore(onConsent, consentGiven, () => false)
  return (
    answer === undefined && (
      <Suspense>
        <ConsentBanner />
      </Suspense>
    )
  )
}
