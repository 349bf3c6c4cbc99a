import { Link } from '@tanstack/react-router'
import type { LeadKind, ServiceName } from '@tidenet/contract'
import { ArrowRight, CircleDashed, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'
import { Section } from '../../ui/page.tsx'
import { LeadForm } from '../feedback/lead-form.tsx'
import { articles } from '../learn/articles.ts'
import type { State } from './states.ts'
import { t } from './texts.ts'
import { useServices, useStates } from './use-services.ts'

/** The state of a service as a word with an icon. */
export function StateMark({ state }: { state: State }) {
  return (
    <span
      data-state={state}
      className={classes(
        'inline-flex items-baseline gap-1.5 font-medium whitespace-nowrap',
        state === 'available' ? 'text-good' : state === 'checking' ? 'text-muted' : 'text-warn',
      )}
    >
      {state === 'available' ? (
        <span aria-hidden className="mx-0.75 size-2.5 self-center rounded-full bg-good" />
      ) : (
        <CircleDashed aria-hidden className="size-4 self-center" />
      )}
      {t.states[state]}
    </span>
  )
}

/** The state of a service with an explanation; for an unavailable service, the server's reason. */
export function StateLine({ name, children }: { name: ServiceName; children: ReactNode }) {
  const { state, reason } = useStates()(name)
  return (
    <p className="flex max-w-xl flex-col gap-x-4 gap-y-0.5 sm:flex-row sm:items-baseline">
      <StateMark state={state} />
      <span>{reason || children}</span>
    </p>
  )
}

export interface Question {
  q: string
  a: string
}

/** Frequently asked questions, collapsed. */
export function Questions({ list, children }: { list: readonly Question[]; children?: ReactNode }) {
  return (
    <Section title={t.questions}>
      <div className="max-w-3xl border-t border-line">
        {list.map(({ q, a }) => (
          <details key={q} className="group border-b border-line">
            <summary className="flex min-h-14 cursor-pointer list-none items-center justify-between gap-4 py-3 font-medium hover:text-accent [&::-webkit-details-marker]:hidden">
              {q}
              <Plus aria-hidden className="size-4 shrink-0 text-muted transition-transform group-open:rotate-45" />
            </summary>
            <p className="max-w-prose pr-8 pb-5 text-muted">{a}</p>
          </details>
        ))}
      </div>
      {children}
    </Section>
  )
}

/** Links to articles, by slug. */
export function Reading({ slugs }: { slugs: readonly string[] }) {
  const list = slugs.flatMap((slug) => articles.find((article) => article.slug === slug) ?? [])
  return (
    <Section sunken title={t.reading}>
      <ul className="grid gap-x-10 gap-y-8 md:grid-cols-3">
        {list.map(({ slug, title, summary }) => (
          <li key={slug} className="border-t-2 border-line pt-4">
            <h3 className="text-base font-semibold">
              <Link to="/learndetail" search={{ slug }} className="hover:text-accent hover:underline">
                {title}
              </Link>
            </h3>
            <p className="mt-1.5 text-sm text-muted">{summary}</p>
          </li>
        ))}
      </ul>
      <p className="mt-8">
        <Link to="/learn" className="inline-flex min-h-7 items-center gap-1.5 text-accent hover:underline">
          {t.readingTo}
          <ArrowRight aria-hidden className="size-4" />
        </Link>
      </p>
    </Section>
  )
}

/** Contact form to request a service, with hints and next steps. */
export function Request({
  kind,
  title,
  intro,
  hints,
  textLabel,
}: {
  kind: LeadKind
  title: string
  intro: string
  /** What to include in the request. */
  hints: readonly string[]
  textLabel: string
}) {
  const { data } = useServices()
  return (
    <Section id="request" sunken title={title} intro={intro}>
      <div className="grid items-start gap-10 lg:grid-cols-[1fr_1.25fr] lg:gap-16">
        <div>
          <ul className="grid gap-2.5 border-l-2 border-line pl-5">
            {hints.map((hint) => (
              <li key={hint}>{hint}</li>
            ))}
          </ul>
          <h3 className="mt-9 mb-3 text-lg font-semibold">{t.next}</h3>
          <ol className="grid gap-3">
            {t.nextSteps(data?.mail).map((step, index) => (
              <li key={step} className="grid grid-cols-[1.5rem_1fr] text-sm text-muted">
                <span aria-hidden className="font-mono text-accent">
                  {index + 1}
                </span>
                {step}
              </li>
            ))}
          </ol>
          <p className="mt-5 text-sm text-muted">{t.nothing}</p>
        </div>
        <div className="rounded-2xl border border-line bg-surface p-5 sm:p-7">
          <LeadForm kind={kind} textLabel={textLabel} />
        </div>
      </div>
    </Section>
  )
}

/** A definition list, one pair per line. */
export function Facts({ list }: { list: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="border-t border-line">
      {list.map(([name, value]) => (
        <div key={name} className="flex items-baseline justify-between gap-6 border-b border-line py-3">
          <dt className="text-muted">{name}</dt>
          <dd className="text-right font-mono text-[0.9375rem] tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
