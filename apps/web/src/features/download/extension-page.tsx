import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'
import { consentGiven } from '../../lib/consent.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { lang } from '../../lib/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Page, TideMark } from '../../ui/page.tsx'
import { destinationOf, isMobile, NO_SETTINGS, originalSearch, waitBeforeRedirect } from './extension.ts'
import { t } from './extension-texts.ts'

/** Redirects to the extension. Counts the visit, unless the visitor declined statistics; redirects even if counting fails. */
export function ExtensionPage() {
  const title = usePageTitle()
  const [href, setHref] = useState('/download#extension')
  useEffect(() => {
    let unmounted = false
    const search = originalSearch()
    const go = (settings = NO_SETTINGS) =>
      destinationOf(settings, { mobile: isMobile(navigator), lang, search, origin: location.origin })
    let target = go()
    setHref(target)
    const settings = api('portal.settings', {}).then((found) => {
      target = go(found)
      setHref(target)
    })
    void waitBeforeRedirect([count(search), settings]).then(() => {
      if (!unmounted) location.replace(target)
    })
    return () => {
      unmounted = true
    }
  }, [])

  return (
    <main>
      <Page width="narrow" className="flex min-h-dvh flex-col items-center justify-center text-center">
        <TideMark className="mb-6 text-accent" />
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        <p className="mt-3 text-muted">{t.leaving}</p>
        <a href={href} className={buttonClass('secondary', 'mt-7')}>
          {t.now}
        </a>
      </Page>
    </main>
  )
}

/** Adds one to today's counter, without identifying the visitor or storing anything; nothing if statistics were declined. */
async function count(search: string): Promise<void> {
  if (consentGiven() === false) return
  const query = new URLSearchParams(search)
  const label = (name: string) => [...(query.get(name) ?? '')].slice(0, 64).join('')
  await api('analytics.event', { name: 'ext_download', source: label('source'), medium: label('medium') })
}
