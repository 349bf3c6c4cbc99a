import { Link } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { consentGiven, decideConsent, onConsent } from '../../lib/consent.ts'
import { t } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'

/** Asks once whether visits may be counted, until it is answered. */
export function CookieNotice() {
  // Drawn at build it would flash at everyone who has answered.
  const answer = useSyncExternalStore(onConsent, consentGiven, () => false)
  if (answer !== undefined) return null
  return (
    <section
      aria-label={t.cookies.title}
      className="fixed right-3 bottom-3 left-3 z-30 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-2xl border border-line bg-surface p-4 shadow-raised sm:right-auto sm:left-5 sm:bottom-5 sm:max-w-xl"
    >
      <p className="min-w-0 flex-1 basis-72 text-sm text-muted">
        {t.cookies.text}{' '}
        <Link to="/privacy-policy" className="text-accent underline">
          {t.cookies.more}
        </Link>
      </p>
      <div className="flex gap-2">
        <Button onClick={() => decideConsent(false)}>{t.cookies.decline}</Button>
        <Button look="primary" onClick={() => decideConsent(true)}>
          {t.cookies.accept}
        </Button>
      </div>
    </section>
  )
}
