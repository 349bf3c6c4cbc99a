import { priceOf, RESOURCE_BOUNDS, type Resources } from '@tidenet/contract/price'
import { useId, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choices.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { t } from './texts.ts'

const c = t.center
const CLAIM = 400

/** Four sliders and what they cost. */
export function BuyResources() {
  const [region, setRegion] = useState<'distributed' | 'centralized'>('distributed')
  const [wanted, setWanted] = useState<Resources>({ cpu: 1, ram: 1, storage: 40, duration: 4 })
  const price = priceOf(wanted)
  const sliders = [
    ['cpu', c.cpu, c.cores],
    ['ram', c.ram, c.gigabytes],
    ['storage', c.storage, c.gigabytes],
    ['duration', c.duration, c.hours],
  ] as const
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1.6fr_1fr]">
      <Card className="p-6">
        <RadioCards
          label={c.region}
          value={region}
          onChange={setRegion}
          columns="sm:grid-cols-2"
          options={[
            { value: 'distributed', title: c.distributed, hint: c.distributedHint },
            { value: 'centralized', title: c.centralized, hint: c.centralizedHint },
          ]}
        />
        <div className="mt-7 grid gap-7">
          {sliders.map(([key, name, say]) => (
            <Amount
              key={key}
              name={name}
              says={say(wanted[key])}
              value={wanted[key]}
              bounds={RESOURCE_BOUNDS[key]}
              onChange={(value) => setWanted({ ...wanted, [key]: value })}
            />
          ))}
        </div>
      </Card>
      <Card className="p-6 lg:sticky lg:top-20">
        <h2 className="text-sm text-muted">{c.price}</h2>
        <p className="mt-1 font-mono text-3xl tabular-nums" aria-live="polite">
          {formatNumber(price)} {t.coin}
        </p>
        <p className="mt-1 text-sm text-muted">{c.perHour(formatNumber(price / wanted.duration, 1))}</p>
        <p className="text-sm text-muted">{c.claims(Math.ceil(price / CLAIM))}</p>
        {price > CLAIM && (
          <div className="mt-4">
            <Notice tone="warn">{c.over}</Notice>
          </div>
        )}
        <Button look="primary" disabled aria-describedby="buy-off" className="mt-5 min-h-11 w-full">
          {c.now}
        </Button>
        <p id="buy-off" className="mt-2 text-sm text-muted">
          {c.off}
        </p>
        <ul className="mt-5 grid list-disc gap-1.5 border-t border-line pt-4 pl-5 text-sm text-muted">
          <li>{c.early}</li>
          <li>{c.after}</li>
        </ul>
      </Card>
    </div>
  )
}

interface AmountProps {
  name: string
  says: string
  value: number
  bounds: { least: number; most: number; step: number }
  onChange: (value: number) => void
}

/** A slider and, for who knows what they want, a number. */
function Amount({ name, says, value, bounds: { least, most, step }, onChange }: AmountProps) {
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const settle = () => {
    const number = Math.round(Number(typed) / step) * step
    if (typed !== undefined && typed.trim() !== '' && Number.isFinite(number)) {
      onChange(Math.min(most, Math.max(least, number)))
    }
    setTyped(undefined)
  }
  return (
    <div>
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="font-medium">
          {name}
        </label>
        <span className="flex items-center gap-2">
          <span className="text-sm text-muted">{says}</span>
          <input
            aria-label={c.value(name)}
            inputMode="numeric"
            className="w-20 rounded-lg border border-control bg-surface px-2 py-1 text-right font-mono text-sm tabular-nums"
            value={typed ?? value}
            onChange={(event) => setTyped(event.target.value.replace(/[^\d]/g, ''))}
            onBlur={settle}
            onKeyDown={(event) => event.key === 'Enter' && settle()}
          />
        </span>
      </div>
      <input
        id={id}
        type="range"
        min={least}
        max={most}
        step={step}
        value={value}
        aria-valuetext={says}
        onChange={(event) => onChange(Number(event.target.value))}
        className="mt-2 h-6 w-full cursor-pointer accent-accent"
      />
      <div className="flex justify-between font-mono text-xs text-muted tabular-nums">
        <span>{least}</span>
        <span>{formatNumber(most)}</span>
      </div>
    </div>
  )
}
