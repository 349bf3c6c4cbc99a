import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../lib/format.ts'
import { linkTo } from '../../lib/link.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Metric } from '../../ui/metric.tsx'
import { Hero, Section } from '../../ui/page.tsx'
import { AiProxyDrawing } from './ai-proxy-drawing.tsx'
import { t } from './ai-proxy-texts.ts'
import { Questions, Reading, Request, StateLine } from './parts.tsx'

/** AI Proxy: planned modes, limits, and what agents can use today. */
export function AiProxyPage() {
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
            <a href="#today" className={buttonClass('secondary', 'min-h-11 px-5')}>
              {t.today}
            </a>
          </>
        }
        note={<StateLine name="aiProxy">{t.state}</StateLine>}
      >
        <AiProxyDrawing />
      </Hero>

      <Section title={t.modesTitle}>
        <div className="grid gap-x-16 gap-y-10 md:grid-cols-2">
          {t.modes.map((mode) => (
            <div key={mode.name} className="border-t-2 border-accent pt-5">
              <h3 className="text-lg font-semibold">{mode.name}</h3>
              <p className="mt-2 text-muted">{mode.text}</p>
              <p className="mt-4 text-sm">
                <span className="text-muted">{t.modeFor}</span> <span className="font-medium">{mode.for}</span>
              </p>
            </div>
          ))}
        </div>
      </Section>

      <Section sunken title={t.limitsTitle} intro={t.limitsIntro}>
        <dl className="grid gap-px overflow-hidden rounded-2xl border border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
          {t.limits.map(([name, text]) => (
            <div key={name} className="bg-surface p-6">
              <dt className="font-semibold">{name}</dt>
              <dd className="mt-1 text-sm text-muted">{text}</dd>
            </div>
          ))}
        </dl>
      </Section>

      <Section id="today" title={t.todayTitle} intro={t.todayIntro}>
        <ul className="max-w-4xl border-t border-line">
          {t.tools.map(([name, text, href, link]) => (
            <li
              key={name}
              className="grid gap-x-8 gap-y-2 border-b border-line py-5 sm:grid-cols-[1fr_auto] sm:items-center"
            >
              <div>
                <h3 className="font-semibold">{name}</h3>
                <p className="mt-1 text-sm text-muted">{text}</p>
              </div>
              <Link {...linkTo(href)} className={buttonClass('secondary', 'justify-self-start')}>
                {link}
              </Link>
            </li>
          ))}
        </ul>
        <h3 className="mt-14 mb-6 text-lg font-semibold">{t.claimTitle}</h3>
        <div className="grid max-w-4xl gap-x-10 gap-y-8 md:grid-cols-2">
          <Metric value={t.ips.value} what={t.ips.what} how={t.ips.how} today={formatNumber(0)} />
          <Metric
            value={t.countries.value}
            what={t.countries.what}
            how={t.countries.how}
            today={now ? formatNumber(now.countries) : null}
            href="/storagenetwork"
          />
        </div>
      </Section>

      <Request kind="aiproxy" title={t.requestTitle} intro={t.requestIntro} hints={t.hints} textLabel={t.textLabel} />
      <Questions list={t.questions} />
      <Reading slugs={['run-a-node', 'build-artefacts-ci', 'encryption-before-upload']} />
    </>
  )
}
