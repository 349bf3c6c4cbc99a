import { Link } from '@tanstack/react-router'
import { formatNumber, formatSize } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Metric } from '../../ui/metric.tsx'
import { Hero, Section } from '../../ui/page.tsx'
import { Questions, Reading, Request, StateLine } from './parts.tsx'
import { PcdnDrawing } from './pcdn-drawing.tsx'
import { t } from './pcdn-texts.ts'

/** PCDN: comparison with a CDN, what is available today, plans and request form. */
export function PcdnPage() {
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
            <Link to="/Upload" className={buttonClass('secondary', 'min-h-11 px-5')}>
              {t.tryLink}
            </Link>
          </>
        }
        note={<StateLine name="pcdn">{t.state}</StateLine>}
      >
        <PcdnDrawing />
      </Hero>

      <Section title={t.twoTitle}>
        <table className="w-full text-left max-sm:text-sm">
          <thead>
            <tr className="border-b-2 border-line">
              {t.two.head.map((name) =>
                name ? (
                  <th key={name} scope="col" className="py-3 pr-3 sm:pr-6 text-lg font-semibold">
                    {name}
                  </th>
                ) : (
                  <td key={name} className="w-1/4" />
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {t.two.rows.map(([name, cdn, pcdn]) => (
              <tr key={name} className="border-b border-line align-top">
                <th scope="row" className="py-4 pr-3 sm:pr-6 font-normal text-muted">
                  {name}
                </th>
                <td className="py-4 pr-3 sm:pr-6">{cdn}</td>
                <td className="py-4 pr-2">{pcdn}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="mt-6 max-w-3xl border-l-2 border-accent pl-5 text-muted">{t.twoNote}</p>
      </Section>

      <Section sunken title={t.todayTitle} intro={t.todayIntro}>
        <div className="grid gap-12 lg:grid-cols-[1.5fr_1fr] lg:gap-16">
          <dl className="grid gap-x-10 sm:grid-cols-2">
            {t.today.map(([name, text]) => (
              <div key={name} className="border-t border-line py-5">
                <dt className="font-semibold">{name}</dt>
                <dd className="mt-1 text-sm text-muted">{text}</dd>
              </div>
            ))}
          </dl>
          <div className="self-start rounded-2xl border border-line bg-surface p-6">
            <h3 className="font-semibold">{t.live.title}</h3>
            <dl className="mt-4 grid gap-4">
              {[
                [t.live.nodes, now && formatNumber(now.online_devices)],
                [t.live.countries, now && formatNumber(now.countries)],
                [t.live.moved, now && formatSize(now.bytes_transferred_24h)],
              ].map(([name, value]) => (
                <div key={name} className="flex items-baseline justify-between gap-4">
                  <dt className="text-sm text-muted">{name}</dt>
                  <dd className="font-mono text-xl tabular-nums">{value ?? '–'}</dd>
                </div>
              ))}
            </dl>
            <Link to="/storagenetwork" className={buttonClass('secondary', 'mt-5')}>
              {t.live.see}
            </Link>
          </div>
        </div>
      </Section>

      <Section title={t.plannedTitle}>
        <ul className="max-w-4xl border-t border-line">
          {t.planned.map(([state, text]) => (
            <li key={text} className="grid gap-x-8 gap-y-1 border-b border-line py-4 sm:grid-cols-[8rem_1fr]">
              <span className="font-medium text-warn">{state}</span>
              <span>{text}</span>
            </li>
          ))}
        </ul>
        <h3 className="mt-14 mb-6 text-lg font-semibold">{t.claimTitle}</h3>
        <div className="grid max-w-4xl gap-x-10 gap-y-8 md:grid-cols-2">
          <Metric {...t.cheaper} />
          <Metric
            value={t.countries.value}
            what={t.countries.what}
            how={t.countries.how}
            today={now ? formatNumber(now.countries) : null}
            href="/storagenetwork"
          />
        </div>
      </Section>

      <Request kind="pcdn" title={t.requestTitle} intro={t.requestIntro} hints={t.hints} textLabel={t.textLabel} />
      <Questions list={t.questions} />
      <Reading slugs={['how-a-download-is-verified', 'replicas-audits-repair', 'expiring-download-page']} />
    </>
  )
}
