import { Link } from '@tanstack/react-router'
import { decideConsent } from '../../lib/consent.ts'
import { Button } from '../../ui/button.tsx'
import { t } from './texts.ts'

/** Says how high the question reaches where it takes the whole width, for what floats in the corner: `--asked` of the document. */
function tellHeight(card: HTMLElement) {
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => {
    const whole = card.getBoundingClientRect().right > innerWidth - 64
    style.setProperty('--asked', whole ? `${card.offsetHeight + 12}px` : '0px')
  })
  observer.observe(card)
  return () => {
    observer.disconnect()
    style.removeProperty('--asked')
  }
}

/** Asks whether visits may be counted. */
export function Question() {
  return (
    <section
      ref={tellHeight}
      aria-label={t.title}
      className="fixed right-3 bottom-[calc(var(--taken,0px)+0.75rem)] left-3 z-30 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-2xl border border-line bg-surface p-4 shadow-raised sm:right-20 sm:bottom-[calc(var(--taken,0px)+1.25rem)] sm:left-auto sm:max-w-sm"
    >
      <p className="min-w-0 flex-1 basis-72 text-sm text-muted">
        {t.text}{' '}
        <Link to="/privacy-policy" className="text-accent underline">
          {t.more}
        </Link>
      </p>
      <div className="flex gap-2">
        <Button onClick={() => decideConsent(false)}>{t.decline}</Button>
        <Button look="primary" onClick={() => decideConsent(true)}>
          {t.accept}
        </Button>
      </div>
    </section>
  )
}
