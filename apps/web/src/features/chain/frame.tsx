import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'
import { CopyIcon } from '../../ui/copy.tsx'
import { Page, TideMark } from '../../ui/page.tsx'
import { Badge } from '../../ui/states.tsx'
import { ChainSearch } from './search.tsx'
import { t } from './texts.ts'
import { useChainSettings } from './use-settings.ts'

/** The frame of all explorer pages: title, chain name and search. */
export function ChainFrame({ title, code, children }: { title: string; code?: string; children: ReactNode }) {
  return (
    <Page>
      <div className="mb-8 grid items-center gap-x-10 gap-y-4 md:grid-cols-[1fr_minmax(0,27rem)]">
        <Link
          to="/chain"
          className="flex items-center gap-2.5 justify-self-start text-sm font-medium text-accent hover:underline"
        >
          <TideMark />
          {t.eyebrow}
        </Link>
        <ChainSearch />
      </div>
      <h1 className="text-[1.75rem] leading-tight font-semibold tracking-tight sm:text-[2.125rem]">{title}</h1>
      {code && (
        <p className="mt-2 flex items-start gap-1">
          <span className="min-w-0 py-1.5 font-mono text-sm break-all" translate="no">
            {code}
          </span>
          <CopyIcon text={code} label={t.copy} />
        </p>
      )}
      <ChainName />
      <div className="mt-8">{children}</div>
    </Page>
  )
}

/** The id of the chain, with a badge if it is a development chain. */
export function ChainName() {
  const { data } = useChainSettings()
  return (
    <p className="mt-3 flex min-h-6 flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-muted">
      {data?.development && <Badge tone="warn">{t.development}</Badge>}
      <span className="font-mono" translate="no">
        {data?.chain_id}
      </span>
      {data?.development && <span>{t.developmentText}</span>}
    </p>
  )
}

export function Facts({ label, columns = 3, children }: { label: string; columns?: 3 | 4; children: ReactNode }) {
  return (
    <dl
      aria-label={label}
      className={classes(
        'grid gap-x-8 gap-y-5 rounded-2xl border border-line bg-surface p-5 sm:grid-cols-2 sm:p-7',
        columns === 4 ? 'lg:grid-cols-4' : 'lg:grid-cols-3',
      )}
    >
      {children}
    </dl>
  )
}

export function Fact({ name, wide = false, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'col-span-full min-w-0' : 'min-w-0'}>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-0.5 wrap-anywhere">{children}</dd>
    </div>
  )
}
