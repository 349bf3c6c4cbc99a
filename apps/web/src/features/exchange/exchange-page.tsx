import { ReceiptText } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { locale } from '../../lib/texts.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Hero, Section } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { Request, StateLine } from '../products/parts.tsx'
import { CREDITS_MAX, CREDITS_MIN, formatUnits, parseCredits, type Quote, quote, RATE, TNT4_DECIMALS } from './rate.ts'
import { RateDrawing } from './rate-drawing.tsx'
import { t } from './texts.ts'

const control =
  'w-full min-h-11 rounded-lg border border-control bg-surface px-3 py-2 text-text transition-colors ' +
  'focus-visible:outline-2 focus-visible:-outline-offset-1 aria-invalid:border-danger disabled:opacity-60'

const PRESETS = [100n, 1000n, 10_000n, 1_000_000n]
const formatCredits = (amount: bigint) => formatUnits(amount, 0, locale)
const formatTnt4 = (amount: bigint) => t.tnt4(formatUnits(amount, TNT4_DECIMALS, locale))

/** Exchange of TNT4 for credits at the partner. The calculator works; the other steps are disabled until the partner is ready. */
export function ExchangePage() {
  usePageTitle()
  const [typed, setTyped] = useState('1000')
  const read = parseCredits(typed)
  return (
    <>
      <Hero
        eyebrow={t.eyebrow}
        title={t.title}
        intro={t.intro}
        actions={
          <>
            <a href="#exchange" className={buttonClass('primary', 'min-h-11 px-5')}>
              {t.calculate}
            </a>
            <a href="#request" className={buttonClass('secondary', 'min-h-11 px-5')}>
              {t.ask}
            </a>
          </>
        }
        note={<StateLine name="exchange">{t.state}</StateLine>}
      >
        <RateDrawing />
      </Hero>

      <Section id="exchange" title={t.stepsTitle} intro={t.stepsIntro}>
        <div className="grid items-start gap-8 lg:grid-cols-[1.35fr_1fr] lg:gap-14">
          <Steps typed={typed} onTyped={setTyped} />
          <Bill of={'credits' in read ? quote(read.credits) : undefined} />
        </div>
      </Section>

      <Section title={t.recordsTitle}>
        <Records />
      </Section>

      <Request kind="exchange" title={t.requestTitle} intro={t.requestIntro} hints={t.hints} textLabel={t.textLabel} />
    </>
  )
}

function Steps({ typed, onTyped }: { typed: string; onTyped: (text: string) => void }) {
  const id = useId()
  return (
    <ol className="relative ml-3.5 border-l border-control">
      <Step number={1} title={t.wallet.title} text={t.wallet.text} off={`${id}-1`}>
        <Button disabled aria-describedby={`${id}-1`}>
          {t.wallet.button}
        </Button>
      </Step>
      <Step number={2} title={t.account.title} text={t.account.text} off={`${id}-2`}>
        <div className="flex max-w-md gap-2">
          <input
            disabled
            aria-label={t.account.label}
            placeholder={t.account.label}
            aria-describedby={`${id}-2`}
            className={control}
          />
          <Button disabled aria-describedby={`${id}-2`} className="shrink-0">
            {t.account.button}
          </Button>
        </div>
      </Step>
      <Step number={3} title={t.points.title} here>
        <Points typed={typed} onTyped={onTyped} />
      </Step>
      <Step number={4} title={t.confirm.title} text={t.confirm.text} off={`${id}-4`}>
        <Button look="primary" disabled aria-describedby={`${id}-4`}>
          {t.confirm.button}
        </Button>
      </Step>
    </ol>
  )
}

function Step({
  number,
  title,
  text,
  off,
  here = false,
  children,
}: {
  number: number
  title: string
  text?: string
  /** Id of the sentence that explains why the step is disabled. */
  off?: string
  here?: boolean
  children: ReactNode
}) {
  return (
    <li className="relative pb-10 pl-9 last:pb-0">
      <span
        aria-hidden
        className={classes(
          'absolute top-0 -left-3.5 flex size-7 items-center justify-center rounded-full border font-mono text-sm',
          here ? 'border-accent bg-accent text-on-accent' : 'border-control bg-surface text-muted',
        )}
      >
        {number}
      </span>
      <h3 className="text-lg font-semibold">{title}</h3>
      {text && <p className="mt-1 text-muted">{text}</p>}
      <div className="mt-4">{children}</div>
      {off && (
        <p id={off} className="mt-2 text-sm text-warn">
          {t.off}
        </p>
      )}
    </li>
  )
}

function Points({ typed, onTyped }: { typed: string; onTyped: (text: string) => void }) {
  const id = useId()
  const p = t.points
  const read = parseCredits(typed)
  const problem =
    'problem' in read
      ? {
          missing: p.problems.missing,
          whole: p.problems.whole,
          least: p.problems.least(formatCredits(CREDITS_MIN)),
          most: p.problems.most(formatCredits(CREDITS_MAX)),
        }[read.problem]
      : undefined
  return (
    <div className="flex max-w-md flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {p.label}
      </label>
      <input
        id={id}
        inputMode="numeric"
        autoComplete="off"
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-hint`}
        className={`${control} font-mono text-lg tabular-nums`}
        value={typed}
        onChange={(event) => onTyped(event.target.value)}
      />
      <p id={`${id}-hint`} aria-live="polite" className={problem ? 'text-sm text-danger' : 'text-sm text-muted'}>
        {problem ?? p.hint(formatCredits(CREDITS_MIN), formatCredits(CREDITS_MAX))}
      </p>
      <fieldset className="mt-1.5 flex flex-wrap gap-2">
        <legend className="sr-only">{p.picks}</legend>
        {PRESETS.map((credits) => (
          <Button
            key={String(credits)}
            aria-pressed={'credits' in read && read.credits === credits}
            className="font-mono tabular-nums aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
            onClick={() => onTyped(formatCredits(credits))}
          >
            {formatCredits(credits)}
          </Button>
        ))}
      </fieldset>
      {/* On small screens the bill is below all steps, so the total is shown here too. */}
      {'credits' in read && (
        <p className="mt-2 flex items-baseline justify-between gap-4 border-t border-line pt-3 lg:hidden">
          <span className="text-sm text-muted">{t.quote.due}</span>
          <span className="font-mono tabular-nums">{formatTnt4(quote(read.credits).due)}</span>
        </p>
      )}
    </div>
  )
}

/** The cost of the credits, line by line; without amounts if the input is invalid. */
function Bill({ of }: { of: Quote | undefined }) {
  const q = t.quote
  const format = (amount: ((one: Quote) => string) | string) =>
    typeof amount === 'string' ? amount : of ? amount(of) : '–'
  const lines: [string, ((one: Quote) => string) | string][] = [
    [q.credits, (one) => formatCredits(one.credits)],
    [q.value, (one) => t.usd(formatUnits(one.usd, 4, locale, 2))],
    [q.rate, `${q.rateText}\n${q.perUsd}`],
    [q.full, (one) => formatTnt4(one.full)],
    [q.discount, `${RATE.discount}%`],
    [q.saved, (one) => formatTnt4(one.full - one.due)],
  ]
  return (
    <section
      aria-labelledby="bill"
      className="rounded-2xl border border-line bg-surface p-6 sm:p-7 lg:sticky lg:top-20"
    >
      <h3 id="bill" className="text-lg font-semibold">
        {t.quoteTitle}
      </h3>
      <dl className="mt-4 text-sm">
        {lines.map(([name, amount]) => (
          <div key={name} className="flex items-baseline justify-between gap-4 py-1.5">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right font-mono whitespace-pre-line tabular-nums">{format(amount)}</dd>
          </div>
        ))}
        <div className="mt-3 border-t border-control pt-4">
          <dt className="font-medium">{q.due}</dt>
          <dd
            aria-live="polite"
            className="mt-1 font-mono text-2xl font-medium tracking-tight wrap-anywhere tabular-nums"
          >
            {format((one) => formatTnt4(one.due))}
          </dd>
        </div>
      </dl>
      <p className="mt-3 text-sm text-muted">{t.rounding}</p>
      <p className="mt-3 border-t border-line pt-3 text-sm text-muted">{t.validity}</p>
    </section>
  )
}

function Records() {
  return (
    <>
      <div className="overflow-x-auto rounded-2xl border border-line bg-surface">
        <table className="w-full text-left text-sm max-sm:hidden">
          <thead>
            <tr className="border-b border-line text-muted">
              {t.columns.map((name) => (
                <th key={name} scope="col" className="px-5 py-3 font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
        </table>
        <Empty icon={<ReceiptText aria-hidden className="size-5" />} title={t.none}>
          {t.noneText}
        </Empty>
      </div>
      <h3 className="mt-10 mb-5 text-lg font-semibold">{t.statesTitle}</h3>
      <dl className="grid gap-x-10 gap-y-6 md:grid-cols-3">
        {t.states.map(([name, text]) => (
          <div key={name} className="border-t-2 border-line pt-3">
            <dt className="font-semibold">{name}</dt>
            <dd className="mt-1 text-sm text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
