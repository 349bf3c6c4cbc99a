import { type Check, type Fact, factsOf, type Verification } from '@tidenet/receipts'
import { CircleAlert, CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatNumber, formatSize, formatUtc } from '../../lib/format.ts'
import { formatDuration } from '../../lib/phrases.ts'
import { Card } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import { t } from './texts.ts'

export interface Checked {
  id: number
  name: string
  verification: Verification
}

const LOOKS = {
  valid: { Icon: CircleCheck, tone: 'text-good' },
  unknown_network: { Icon: CircleAlert, tone: 'text-warn' },
  invalid: { Icon: CircleX, tone: 'text-danger' },
} as const

/** What one receipt says, and what was checked. */
export function ResultCard({ name, verification: { result, checks, proven, claims, file, checkpoint } }: Checked) {
  const { Icon, tone } = LOOKS[result]
  return (
    <Card className="p-5 sm:p-7" label={name}>
      <div className="flex items-start gap-3">
        <Icon aria-hidden className={classes('mt-0.5 size-6 shrink-0', tone)} />
        <div className="min-w-0">
          <h3 className="text-lg leading-7 font-semibold">{t.results[result]}</h3>
          <p className="text-sm wrap-anywhere text-muted" translate="no">
            {name}
          </p>
          {proven.length > 0 && (
            <p className="mt-1 text-sm wrap-anywhere">
              {t.proven}
              {t.colon}
              {proven.map((level) => t.levels[level](file?.anchor?.chain ?? '')).join(t.and)}
            </p>
          )}
        </div>
      </div>
      <div className="mt-6 grid items-start gap-x-12 gap-y-8 lg:grid-cols-2">
        {claims && (
          <Part title={t.says}>
            <dl className="divide-y divide-line border-y border-line">
              <Row name={t.receipt}>{t.kinds[claims.kind]}</Row>
              {factsOf(claims).map((fact) => (
                <Row key={fact.name} name={t.facts[fact.name]} isCode={fact.form === 'id'}>
                  {formatFact(fact)}
                </Row>
              ))}
              {file && checkpoint && (
                <Row name={t.place}>{t.placeOf(formatNumber(file.proof.index + 1), formatNumber(checkpoint.size))}</Row>
              )}
              {file && (
                <Row name={t.ownKey} isCode>
                  {file.key}
                </Row>
              )}
            </dl>
          </Part>
        )}
        {/* First what is wrong: a statement that is not proven matters less. */}
        <Part title={t.checked} isFirst={result !== 'valid'}>
          <ul className="flex flex-col gap-2.5">
            {checks.map((check) => (
              <CheckRow key={check.name} check={check} />
            ))}
          </ul>
        </Part>
      </div>
    </Card>
  )
}

const Part = ({ title, isFirst = false, children }: { title: string; isFirst?: boolean; children: ReactNode }) => (
  <div className={classes(isFirst && '-order-1')}>
    <h4 className="mb-3 text-sm font-medium text-muted">{title}</h4>
    {children}
  </div>
)

const Row = ({ name, isCode = false, children }: { name: string; isCode?: boolean; children: ReactNode }) => (
  <div className="grid gap-x-4 py-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
    <dt className="text-sm text-muted">{name}</dt>
    <dd
      className={classes('text-sm wrap-anywhere', isCode ? 'font-mono text-[0.8125rem]' : 'tabular-nums')}
      translate={isCode ? 'no' : undefined}
    >
      {children}
    </dd>
  </div>
)

const CHECK_LOOKS = {
  passed: { Icon: CircleCheck, tone: 'text-good' },
  failed: { Icon: CircleX, tone: 'text-danger' },
  not_asked: { Icon: CircleDashed, tone: 'text-muted' },
} as const

function CheckRow({ check }: { check: Check }) {
  const { Icon, tone } = CHECK_LOOKS[check.state]
  const reasons: Record<string, string> = t.reasons[check.name]
  return (
    <li className="flex items-start gap-2.5 text-sm leading-5">
      <Icon aria-hidden className={classes('mt-0.5 size-4 shrink-0', tone)} />
      <p>
        <span className={check.state === 'passed' ? 'sr-only' : classes('font-medium', tone)}>
          {t.states[check.state]}
          {t.colon}
        </span>
        {check.state === 'passed' ? t.passed[check.name] : reasons[check.reason]}
      </p>
    </li>
  )
}

function formatFact({ form, value }: Fact): string {
  const number = Number(value)
  switch (form) {
    case 'bytes':
      return number < 1024 ? formatSize(number) : t.bytes(formatSize(number), formatNumber(number))
    case 'time':
      return formatUtc(number)
    case 'seconds':
      return formatDuration(number * 1000)
    case 'share':
      return `${formatNumber(number / 10_000, 4)}%`
    case 'points':
      return t.points(formatNumber(number / 1_000_000, 6))
    case 'coins':
      return t.coins(typeof value === 'number' ? formatNumber(value) : value)
    case 'count':
      return formatNumber(number)
    case 'word':
      return t.words[value] ?? String(value)
    default:
      return String(value)
  }
}
