import { Link } from '@tanstack/react-router'
import { decideConsent } from '../../lib/consent.ts'
import { Button } from '../../ui/button.tsx'
import { t } from './texts.ts'

/** Publishes the banner's height as `--cookie-banner-height` while it spans the width of the window; floating elements stay above it. */
function publishHeight(card: HTMLElement) {
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => {
    const fullWidth = card.getBoundingClientRect().right > innerWidth - 64
    style.setProperty('--cookie-banner-height', fullWidth ? `${card.offsetHeight + 12}px` : '0px')
  })
  observer.observe(card)
  return () => {
    observer.disconnect()
    style.removeProperty('--cookie-banner-height')
  }
}

/** Asks for consent to visitor statistics. */
export function ConsentBanner() {
  return (
    <section
      ref={publishHeight}
      aria-label={t.title}
      className="fixed right-3 bottom-[calc(var(--upload-panel-height,0px)+0.75rem)] left-3 z-30 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-2xl border border-line bg-surface p-4 shadow-raised sm:right-20 sm:bottom-[calc(var(--upload-panel-height,0px)+1.25rem)] sm:left-auto sm:max-w-sm"
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
