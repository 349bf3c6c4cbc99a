import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'
import { consentGiven, onConsent } from '../../lib/consent.ts'

// Loaded only if unanswered. If loading fails, nothing is asked and visits are not counted.
const ConsentBanner = lazy<() => ReactNode>(() =>
  import('../consent/banner.tsx').then(
    ({ ConsentBanner }) => ({ default: ConsentBanner }),
    () => ({ default: () => null }),
  ),
)

/** Asks whether visits may be counted, until it is answered. */
export function CookieNotice() {
  // Not prerendered: it would flash for everyone who has answered.
  const answer = useSyncExternalStore(onConsent, consentGiven, () => false)
  return (
    answer === undefined && (
      <Suspense>
        <ConsentBanner />
      </Suspense>
    )
  )
}
