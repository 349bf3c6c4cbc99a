import { useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { estimateMonth } from './estimate.ts'
import { t } from './texts.ts'

const MAX = { held: 1_000_000, served: 100_000, percent: 100, crowd: 1000 }

/** A number between 0 and `max`; anything else counts as 0. */
function numberIn(text: string, max: number): number {
  const value = Number(text.trim().replace(',', '.'))
  return Number.isFinite(value) ? Math.min(max, Math.max(0, value)) : 0
}

const points = (amount: number): string => formatNumber(amount / 1_000_000, 2)

/** Estimates the earnings of a month. @param paidShare the network's current one, in percent */
export function Calculator({ paidShare, at }: { paidShare: number | undefined; at: number }) {
  const [held, setHeld] = useState('500')
  const [served, setServed] = useState('5')
  const [online, setOnline] = useState('100')
  const [crowd, setCrowd] = useState('1')
  const [typed, setTyped] = useState<string>()
  const paid = typed ?? formatPlain(paidShare ?? 50)
  const { traffic, storage } = estimateMonth(
    {
      held: numberIn(held, MAX.held),
      servedPerDay: numberIn(served, MAX.served),
      online: numberIn(online, MAX.percent) / 100,
      paid: numberIn(paid, MAX.percent) / 100,
      crowd: Math.max(1, Math.round(numberIn(crowd, MAX.crowd))),
    },
    at,
  )
  return (
    <Card className="grid overflow-hidden lg:grid-cols-[1.4fr_1fr]">
      <div className="grid content-start gap-x-6 gap-y-5 p-5 sm:grid-cols-2 sm:p-7">
        <NumberField label={t.held} hint={t.heldHint} value={held} onChange={setHeld} />
        <NumberField label={t.served} hint={t.servedHint} value={served} onChange={setServed} />
        <NumberField label={t.online} value={online} onChange={setOnline} />
        <NumberField label={t.crowd} hint={t.crowdHint} value={crowd} onChange={setCrowd} />
        <NumberField
          label={t.paidShare}
          hint={t.paidShareHint(paidShare === undefined ? undefined : `${formatNumber(paidShare, 2)}%`)}
          value={paid}
          onChange={setTyped}
        />
      </div>
      <div className="border-line bg-sunken/60 p-5 max-lg:border-t sm:p-7 lg:border-l">
        <p className="text-sm font-medium text-warn">{t.estimate}</p>
        <output className="mt-2 block">
          <span className="block text-2xl font-semibold tracking-tight tabular-nums">
            {t.perMonth(points(traffic + storage))}
          </span>
          <span className="mt-1 block text-muted tabular-nums">{t.parts(points(traffic), points(storage))}</span>
        </output>
        <p className="mt-5 text-sm text-muted">{t.estimateNote}</p>
      </div>
    </Card>
  )
}

const formatPlain = (value: number): string => String(Number(value.toFixed(2)))

const NumberField = ({
  label,
  hint,
  value,
  onChange,
}: {
  label: string
  hint?: string
  value: string
  onChange: (text: string) => void
}) => (
  <Field label={label} hint={hint}>
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="font-mono tabular-nums"
    />
  </Field>
)
