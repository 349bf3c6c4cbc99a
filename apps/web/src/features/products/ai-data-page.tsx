import { Link } from '@tanstack/react-router'
import { Check, X } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Metric } from '../../ui/metric.tsx'
import { Hero, Section } from '../../ui/page.tsx'
import { openSupport } from '../feedback/support.ts'
import { AiDataDrawing } from './ai-data-drawing.tsx'
import { t } from './ai-data-texts.ts'
import { Questions, Reading, Request, StateLine } from './parts.tsx'

/** AI Data: collecting public web pages through leased connections. Rules, process and request form. */
export function AiDataPage() {
  usePageTitle()
  const { data: now } = useQuery(query('explorer.figures', {}))
  return (
    <>
      <Hero
        eyebrow={t.eyebrow}
        title={t.title}
        intro={t.intro}
        actions={
          <>
            <a href="#request" className={buttonClass('primary', 'min-h-11 px-5')}>
              {t.ask}
            </a>
            <a href="#rules" className={buttonClass('secondary', 'min-h-11 px-5')}>
              {t.rules}
            </a>
          </>
        }
        note={<StateLine name="aiData">{t.state}</StateLine>}
      >
        <AiDataDrawing />
      </Hero>

      <Section id="rules" title={t.rulesTitle} intro={t.rulesIntro}>
        <div className="grid gap-px overflow-hidden rounded-2xl border border-line bg-line md:grid-cols-2">
          <Rules title={t.may} list={t.mayList} good />
          <Rules title={t.never} list={t.neverList} />
        </div>
      </Section>

      <Section sunken title={t.pathTitle}>
        <ol className="max-w-4xl">
          {t.path.map(([name, text], index) => (
            <li
              key={name}
              className="grid gap-x-8 gap-y-1 border-t border-line py-6 sm:grid-cols-[3rem_12rem_1fr] sm:items-baseline"
            >
              <span aria-hidden className="font-mono text-accent">
                {String(index + 1).padStart(2, '0')}
              </span>
              <h3 className="text-lg font-semibold">{name}</h3>
              <p className="text-muted">{text}</p>
            </li>
          ))}
        </ol>
      </Section>

      <Section title={t.todayTitle} intro={t.todayText}>
        <div className="-mt-2 flex flex-wrap gap-3">
          <Link to="/tss" className={buttonClass('secondary')}>
            {t.todayActions.storage}
          </Link>
          <Link to="/key" className={buttonClass('secondary')}>
            {t.todayActions.keys}
          </Link>
          <Link
            to="/learndetail"
            search={{ slug: 'dataset-between-laboratories' }}
            className={buttonClass('secondary')}
          >
            {t.todayActions.example}
          </Link>
        </div>
        <h3 className="mt-14 mb-6 text-lg font-semibold">{t.claimTitle}</h3>
        <div className="grid max-w-4xl gap-x-10 gap-y-8 md:grid-cols-2">
          <Metric value={t.ips.value} what={t.ips.what} how={t.ips.how} />
          <Metric
            value={t.countries.value}
            what={t.countries.what}
            how={t.countries.how}
            today={now ? formatNumber(now.countries) : null}
            href="/storagenetwork"
          />
        </div>
      </Section>

      <Request kind="aidata" title={t.requestTitle} intro={t.requestIntro} hints={t.hints} textLabel={t.textLabel} />
      <Questions list={t.questions}>
        <Button className="mt-6" onClick={() => openSupport('contact')}>
          {t.siteOwner}
        </Button>
      </Questions>
      <Reading slugs={['dataset-between-laboratories', 'folders-as-archives', 'what-is-a-cid']} />
    </>
  )
}

function Rules({ title, list, good = false }: { title: string; list: readonly string[]; good?: boolean }) {
  const Mark = good ? Check : X
  return (
    <div className="bg-surface p-6 sm:p-8">
      <h3 className="text-lg font-semibold">{title}</h3>
      <ul className="mt-4 grid gap-3.5">
        {list.map((line) => (
          <li key={line} className="flex gap-3">
            <Mark
              aria-hidden
              className={good ? 'mt-1 size-4.5 shrink-0 text-good' : 'mt-1 size-4.5 shrink-0 text-danger'}
            />
            <span>{line}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
