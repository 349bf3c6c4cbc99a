import { RESOURCE_BOUNDS } from '@tidenet/contract/price'
import { type ReactNode, useId, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { clamp, type Quantity } from './terms.ts'

interface AmountProps {
  quantity: Quantity
  name: string
  /** The formatted value. */
  valueText: string
  /** Label of the number field. */
  exactLabel: string
  value: number
  onChange: (value: number) => void
  /** Overrides the smallest value. */
  min?: number
  /** Shown beside the value, such as the previous one. */
  note?: ReactNode
}

/** A slider with a number field. */
export function Amount({ quantity, name, valueText, exactLabel, value, onChange, note, ...own }: AmountProps) {
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const { max, step, ...bounds } = RESOURCE_BOUNDS[quantity]
  const min = own.min ?? bounds.min
  const commit = () => {
    if (typed !== undefined && typed.trim() !== '') onChange(Math.max(min, clamp(quantity, Number(typed))))
    setTyped(undefined)
  }
  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <label htmlFor={id} className="font-medium">
          {name}
          {note && <span className="ml-2 text-sm font-normal text-muted">{note}</span>}
        </label>
        <span className="flex items-center gap-2">
          <span className="text-sm text-muted">{valueText}</span>
          <input
            aria-label={exactLabel}
            inputMode="numeric"
            className="min-h-9 w-20 rounded-lg border border-control bg-surface px-2 py-1 text-right font-mono text-sm tabular-nums"
            value={typed ?? value}
            onChange={(event) => setTyped(event.target.value.replace(/[^\d]/g, '').slice(0, 6))}
            onBlur={commit}
            onKeyDown={(event) => event.key === 'Enter' && commit()}
          />
        </span>
      </div>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={valueText}
        onChange={(event) => {
          setTyped(undefined)
          onChange(Number(event.target.value))
        }}
        className="mt-2 h-6 w-full cursor-pointer accent-accent"
      />
      <div className="flex justify-between font-mono text-xs text-muted tabular-nums">
        <span>{formatNumber(min)}</span>
        <span>{formatNumber(max)}</span>
      </div>
    </div>
  )
}
