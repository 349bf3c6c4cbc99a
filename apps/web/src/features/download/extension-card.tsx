import { Link } from '@tanstack/react-router'
import { Download, KeyRound } from 'lucide-react'
import { formatSize } from '../../lib/format.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { lang } from '../../lib/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Card } from '../../ui/states.tsx'
import { t } from './texts.ts'

/** The browser extension: from a store if there is one, otherwise as a file of this portal. */
export function Extension() {
  const { data } = useQuery(query('portal.settings', {}))
  const { data: releases } = useQuery(query('releases.list', {}))
  const store = data?.extension_store_urls[lang]
  const inStore = store !== undefined && !store.startsWith('/')
  const release = releases?.list.find(({ kind }) => kind === 'extension')
  return (
    <div className="max-w-5xl">
      <p className="max-w-3xl text-muted">
        {t.extensionText} {t.extensionKey}
      </p>
      {inStore ? (
        <p className="mt-4">{t.extensionReady}</p>
      ) : (
        releases && !release && <p className="mt-4">{t.extensionNone}</p>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        {inStore ? (
          <a href={store} className={buttonClass('primary')}>
            {t.toStore}
          </a>
        ) : (
          release && (
            <a href={release.url} download className={buttonClass('primary')}>
              <Download aria-hidden className="size-4" />
              {t.extensionDownload(formatSize(release.size))}
            </a>
          )
        )}
        <Link to="/key" className={buttonClass('secondary')}>
          <KeyRound aria-hidden className="size-4" />
          {t.toKeys}
        </Link>
      </div>
      {!inStore && release && (
        <>
          <div className="mt-6 max-w-3xl">
            <p className="mb-1.5 text-sm font-medium">{t.checksum}</p>
            <CopyField text={release.sha256} label={t.copyChecksum} />
          </div>
          <div className="mt-6 grid items-start gap-6 md:grid-cols-2">
            <Steps title={t.extensionChromium} steps={t.extensionChromiumSteps} />
            <Steps title={t.extensionFirefox} steps={t.extensionFirefoxSteps} />
          </div>
        </>
      )}
    </div>
  )
}

const Steps = ({ title, steps }: { title: string; steps: readonly string[] }) => (
  <Card className="p-6">
    <h3 className="font-semibold">{title}</h3>
    <ol className="mt-2 flex list-decimal flex-col gap-1.5 pl-5 wrap-anywhere">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  </Card>
)
