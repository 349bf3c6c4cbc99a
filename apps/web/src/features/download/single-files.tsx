import { Link } from '@tanstack/react-router'
import type { Release } from '@tidenet/contract'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { formatSize } from '../../lib/format.ts'
import { pageNames } from '../../lib/page-names.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Section } from '../../ui/page.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { CodeBlock } from '../developer/code-block.tsx'
import { portalOrigin } from '../developer/origin.ts'
import { singleCommands } from './commands.ts'
import { handheldOf, isPlatform, PLATFORMS, type Platform, platformOf } from './platform.ts'
import { t } from './texts.ts'

/** Programs as one file that needs nothing else, for the visitor's system first. */
export function SingleFiles() {
  const { data, error } = useQuery(query('releases.list', {}))
  const [chosen, choose] = useState(() => (import.meta.env.SSR ? undefined : platformOf(navigator.userAgent)))
  const singles = data?.list.filter(({ platform }) => isPlatform(platform)) ?? []
  const offered = PLATFORMS.filter((each) => singles.some(({ platform }) => platform === each))
  const [handheld] = useState(() => (import.meta.env.SSR ? undefined : handheldOf(navigator.userAgent)))
  const failed = error !== null && !data
  const shown = chosen && offered.includes(chosen) ? chosen : undefined
  return (
    <Section id="single" sunken title={t.single.title} intro={t.single.intro}>
      {offered.length === 0 && (
        <p className="text-muted">{failed ? t.failed : data ? t.single.none : t.states.checking}</p>
      )}
      {handheld && (
        <div className="mb-6">
          <Notice>
            {handheld === 'android' ? t.single.android : t.single.ios}{' '}
            {handheld === 'android' && (
              <a href="#android" className="underline">
                {t.single.toAndroid}
              </a>
            )}
          </Notice>
        </div>
      )}
      {offered.length > 0 && (
        <fieldset className="flex flex-wrap gap-2">
          <legend className="mb-2 text-sm font-medium">{t.single.system}</legend>
          {offered.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === shown}
              className={buttonClass(each === shown ? 'primary' : 'secondary')}
              onClick={() => choose(each)}
            >
              {t.single.platforms[each]}
            </button>
          ))}
        </fieldset>
      )}
      {!shown && offered.length > 0 && <p className="mt-4 text-sm text-muted">{t.single.choose}</p>}
      {shown && (
        <div className="mt-6 grid items-start gap-6 lg:grid-cols-2">
          {(['node', 'cli'] as const).map((kind) => {
            const release = singles.find((each) => each.kind === kind && each.platform === shown)
            return release && <SingleFile key={kind} kind={kind} release={release} platform={shown} />
          })}
        </div>
      )}
    </Section>
  )
}

function SingleFile({ kind, release, platform }: { kind: 'node' | 'cli'; release: Release; platform: Platform }) {
  const title = kind === 'node' ? t.nodeTitle : t.cliTitle
  return (
    <Card className="min-w-0 p-6">
      <h3 className="text-lg font-semibold">{title}</h3>
      <a
        href={release.url}
        download
        className={buttonClass(kind === 'node' ? 'primary' : 'secondary', 'mt-4 min-h-11 w-full')}
      >
        <Download aria-hidden className="size-4 shrink-0" />
        {t.single.download(t.single.platforms[platform], formatSize(release.size))}
      </a>
      {!release.tested && (
        <div className="mt-4">
          <Notice>{t.single.untested}</Notice>
        </div>
      )}
      <p className="mt-5 mb-1.5 text-sm font-medium">{t.checksum}</p>
      <CopyField text={release.sha256} label={t.copyChecksum} />
      <p className="mt-5 mb-1.5 text-sm font-medium">{t.single.terminal}</p>
      <CodeBlock plain label={title} code={singleCommands(portalOrigin(), kind, release.file)} />
      {kind === 'node' && (
        <p className="mt-4 text-sm">
          {t.single.toEarn}{' '}
          <Link to="/devices" className="inline-flex min-h-6 items-center text-accent underline">
            {pageNames.devices}
          </Link>
        </p>
      )}
    </Card>
  )
}
