import { Link } from '@tanstack/react-router'
import type { Output, RouteOf } from '@tidenet/contract'
import { formatDate, formatNumber, formatPoints } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Metric } from '../../ui/metric.tsx'
import { Hero, Section } from '../../ui/page.tsx'
import { Notice } from '../../ui/states.tsx'
import { usePolled } from '../network/use-polled.ts'
import { Calculator } from './calculator.tsx'
import { crowdFactor, versionAt } from './estimate.ts'
import { t } from './texts.ts'

type Figures = Output<RouteOf<'earnings.public'>>

const REFRESH_MS = 600_000
const nothing = {}

/** What devices earned, the formula, and a calculator. */
export function EarnPage() {
  usePageTitle()
  const { data, failed } = usePolled('earnings.public', nothing, REFRESH_MS)
  const at = Math.floor(Date.now() / 1000)
  return (
    <>
      <Hero
        eyebrow={t.eyebrow}
        title={t.title}
        intro={t.intro}
        actions={
          <>
            <Link to="/download" className={buttonClass('primary', 'min-h-11 px-5')}>
              {t.get}
            </Link>
            <Link to="/devices" className={buttonClass('secondary', 'min-h-11 px-5')}>
              {t.devices}
            </Link>
          </>
        }
      />
      <Section id="real" title={t.realTitle} intro={t.realIntro}>
        {data ? <Real figures={data} /> : <p className="text-muted">{failed ? t.realFailed : t.loading}</p>}
      </Section>
      <Section id="formula" title={t.formulaTitle} intro={t.formulaIntro(versionAt(at))} sunken>
        <Formula at={at} />
      </Section>
      <Section id="calculator" title={t.calculatorTitle} intro={t.calculatorIntro}>
        <Calculator
          at={at}
          paidShare={data?.paid_share === null || data === undefined ? undefined : data.paid_share / 10_000}
        />
      </Section>
      <Section title={t.checkTitle} sunken>
        <ul className="grid gap-x-10 gap-y-8 md:grid-cols-3">
          {t.check.map(([title, text]) => (
            <li key={title} className="border-t-2 border-line pt-4">
              <h3 className="font-semibold">{title}</h3>
              <p className="mt-1.5 text-muted">{text}</p>
            </li>
          ))}
        </ul>
        <p className="mt-8 flex flex-wrap gap-x-6 gap-y-2">
          <Link to="/verify" className="inline-flex min-h-7 items-center text-accent underline">
            {t.verify}
          </Link>
          <Link
            to="/learndetail"
            search={{ slug: 'run-a-node' }}
            className="inline-flex min-h-7 items-center text-accent underline"
          >
            {t.article}
          </Link>
        </p>
      </Section>
    </>
  )
}

/** Measured figures, and the target beside them. */
function Real({ figures: { from, to, devices, earning, counted, owners, median, paid_share } }: { figures: Figures }) {
  const period = from && to ? t.period(formatDate(from), formatDate(to)) : ''
  return (
    <div className="grid gap-x-12 gap-y-10 sm:grid-cols-2">
      {median === null || !to ? (
        <div className="sm:col-span-2">
          <Notice>
            <strong className="font-semibold">{t.tooFew}</strong>
            <br />
            {t.tooFewText(devices, owners)}
          </Notice>
        </div>
      ) : (
        <>
          <Metric
            value={t.median(formatPoints(median))}
            what={t.medianWhat}
            how={t.medianHow(formatNumber(owners), formatNumber(counted), period)}
            when={to}
          />
          <Metric
            value={t.earning(formatNumber(earning), formatNumber(devices))}
            what={t.earningWhat}
            how={t.earningHow(period)}
            when={to}
          />
        </>
      )}
      {paid_share !== null && (
        <Metric value={`${formatNumber(paid_share / 10_000, 2)}%`} what={t.paid} how={t.paidHow} when={new Date()} />
      )}
      <Metric value={t.target} what={t.targetWhat} how={t.targetHow} />
    </div>
  )
}

const CROWDS = [1, 2, 3, 4, 5] as const

/** In words and in numbers, which come from the module itself. */
function Formula({ at }: { at: number }) {
  const factor = (crowd: number) => `${formatNumber(crowdFactor(crowd, at) * 100, 1)}%`
  return (
    <div className="grid gap-x-14 gap-y-10 lg:grid-cols-[1.6fr_1fr]">
      <div>
        <dl className="grid gap-px overflow-hidden rounded-2xl border border-line bg-line">
          {t.formula.map(([cause, rate, text]) => (
            <div key={cause} className="bg-surface p-5 sm:p-6">
              <dt className="flex flex-wrap items-baseline justify-between gap-x-6">
                <span className="text-lg font-semibold">{cause}</span>
                <span className="font-medium tabular-nums">{rate}</span>
              </dt>
              <dd className="mt-2 text-muted">{text}</dd>
            </div>
          ))}
        </dl>
        <h3 className="mt-8 font-semibold">{t.conditionsTitle}</h3>
        <ul className="mt-2 grid list-disc gap-1.5 pl-5 text-muted">
          {t.conditions.map((condition) => (
            <li key={condition}>{condition}</li>
          ))}
        </ul>
        <p className="mt-3 text-muted">{t.conditionsNote}</p>
      </div>
      <div>
        <h3 className="font-semibold">{t.crowdTitle}</h3>
        <p className="mt-1.5 text-muted">{t.crowdText}</p>
        <table className="mt-4 w-full text-left">
          <thead className="text-sm text-muted">
            <tr className="border-b border-line">
              <th scope="col" className="py-2 font-medium">
                {t.crowdDevices}
              </th>
              <th scope="col" className="py-2 text-right font-medium">
                {t.crowdFactor}
              </th>
            </tr>
          </thead>
          <tbody className="font-mono tabular-nums">
            {CROWDS.map((crowd) => (
              <tr key={crowd} className="border-b border-line">
                <td className="py-2">{crowd === 5 ? '5–11' : crowd}</td>
                <td className="py-2 text-right">{factor(crowd)}</td>
              </tr>
            ))}
            <tr>
              <td className="py-2 font-sans">{t.crowdMore}</td>
              <td className="py-2 text-right font-sans">{t.crowdOneNth}</td>
            </tr>
          </tbody>
        </table>
      </div>
    </div>
  )
}
