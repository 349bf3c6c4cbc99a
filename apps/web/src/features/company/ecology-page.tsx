import { Link, useSearch } from '@tanstack/react-router'
import { ArrowUpRight } from 'lucide-react'
import { usePageTitle } from '../../lib/page-title.ts'
import { Eyebrow, Page } from '../../ui/page.tsx'
import { entries } from './ecology-entries.ts'
import { type EcologyEntry, kinds } from './ecology-facts.ts'
import { OnwardLinks } from './onward.tsx'
import { t } from './texts.ts'

const e = t.ecology
const pillClass =
  'inline-flex min-h-9 items-center rounded-lg border border-line px-3 text-sm text-muted hover:bg-sunken hover:text-text ' +
  'data-chosen:border-accent data-chosen:bg-accent-soft data-chosen:text-accent'

/** Software that works with Tidenet: how to use it, and how it is tested. */
export function EcologyPage() {
  usePageTitle()
  const { kind, open } = useSearch({ from: '/site/ecology' })
  const visible = entries.filter((entry) => !kind || entry.kind === kind)
  return (
    <>
      <Page>
        <Eyebrow>{e.eyebrow}</Eyebrow>
        <h1 className="text-[2.125rem] leading-tight font-semibold tracking-tight sm:text-[2.625rem]">{e.title}</h1>
        <p className="mt-3 max-w-2xl text-lg leading-8 text-muted">{e.intro}</p>
        <nav aria-label={e.filter} className="mt-8 flex flex-wrap gap-2">
          {[undefined, ...kinds].map((each) => (
            <Link
              key={each ?? 'all'}
              to="/ecology"
              search={each ? { kind: each } : {}}
              data-chosen={kind === each || undefined}
              activeOptions={{ exact: true, includeSearch: true }}
              activeProps={{}}
              className={pillClass}
              resetScroll={false}
            >
              {each ? e.kinds[each] : e.all}
            </Link>
          ))}
        </nav>
        <ul className="mt-8 border-t border-line">
          {visible.map((entry) => (
            <Entry key={entry.id} entry={entry} open={entry.id === open} kind={kind} />
          ))}
        </ul>
      </Page>
      <OnwardLinks to={['cases', 'developer', 'node']} />
    </>
  )
}

function Entry({ entry, open, kind }: { entry: EcologyEntry; open: boolean; kind: string | undefined }) {
  return (
    <li id={entry.id} className="border-b border-line py-6">
      <div className="grid gap-x-8 gap-y-2 sm:grid-cols-[14rem_1fr_auto]">
        <div>
          <h2 className="text-lg font-semibold" translate="no">
            {entry.name}
          </h2>
          <p className="text-sm text-muted">{e.kinds[entry.kind]}</p>
        </div>
        <p>{entry.use}</p>
        <Link
          to="/ecology"
          search={{ ...(kind && { kind }), ...(!open && { open: entry.id }) }}
          resetScroll={false}
          aria-expanded={open}
          aria-label={`${open ? e.close : e.open}: ${entry.name}`}
          activeProps={{}}
          className="inline-flex min-h-8 items-center self-start text-sm text-accent hover:underline"
        >
          {open ? e.close : e.open}
        </Link>
      </div>
      {open && (
        <dl className="mt-5 grid gap-x-8 gap-y-3 sm:ml-[16rem] sm:grid-cols-[6rem_1fr]">
          <dt className="text-sm text-muted">{e.how}</dt>
          <dd>
            {entry.how}
            {entry.code && (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
              <pre tabIndex={0} className="mt-3 overflow-x-auto rounded-xl border border-line bg-surface px-4 py-3">
                <code className="font-mono text-sm">{entry.code}</code>
              </pre>
            )}
          </dd>
          <dt className="text-sm text-muted">{e.tested}</dt>
          <dd>{entry.tested}</dd>
          <dt className="sr-only">{e.site}</dt>
          <dd className="sm:col-start-2">
            <Link
              to="/redirect"
              search={{ url: entry.site }}
              className="inline-flex items-center gap-1 text-accent underline"
            >
              {e.site}
              <ArrowUpRight aria-hidden className="size-4" />
            </Link>
          </dd>
        </dl>
      )}
    </li>
  )
}
