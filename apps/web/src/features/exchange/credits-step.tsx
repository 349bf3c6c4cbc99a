import { CREDITS_MAX, CREDITS_MIN } from '@tidenet/contract/exchange'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { parseCredits } from './credits.ts'
import { t } from './texts.ts'
import { formatTnt4, type Price } from './use-terms.ts'

const p = t.points
const PRESETS = [100, 1000, 10_000, 100_000]

/** Step 3: how many credits, and what they cost. */
export function CreditsStep({
  typed,
  price,
  discount,
  disabled,
  onTyped,
}: {
  typed: string
  /** Undefined if the input is invalid. */
  price: Price | undefined
  /** In percent. */
  discount: number
  disabled: boolean
  onTyped: (text: string) => void
}) {
  const read = parseCredits(typed)
  const problem =
    'problem' in read
      ? {
          missing: p.problems.missing,
          whole: p.problems.whole,
          least: p.problems.least(formatNumber(CREDITS_MIN)),
          most: p.problems.most(formatNumber(CREDITS_MAX)),
        }[read.problem]
      : undefined
  return (
    <div className="max-w-md">
      <Field
        label={p.label}
        hint={problem ? undefined : p.hint(formatNumber(CREDITS_MIN), formatNumber(CREDITS_MAX))}
        error={problem}
      >
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          className="min-h-11 font-mono text-lg tabular-nums"
          disabled={disabled}
          value={typed}
          onChange={(event) => onTyped(event.target.value)}
        />
      </Field>
      <fieldset disabled={disabled} className="mt-3 flex flex-wrap gap-2">
        <legend className="sr-only">{p.picks}</legend>
        {PRESETS.map((credits) => (
          <Button
            key={credits}
            aria-pressed={'credits' in read && read.credits === credits}
            className="font-mono tabular-nums aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
            onClick={() => onTyped(formatNumber(credits))}
          >
            {formatNumber(credits)}
          </Button>
        ))}
      </fieldset>
      <p className="mt-4 flex flex-wrap items-baseline gap-x-3 gap-y-1 border-t border-line pt-4" aria-live="polite">
        <span className="text-sm text-muted">{p.due}</span>
        {price ? (
          <>
            <Before price={price} discount={discount} />
            <strong className="font-mono text-xl font-medium wrap-anywhere tabular-nums">
              {formatTnt4(price.due)}
            </strong>
          </>
        ) : (
          <span>–</span>
        )}
      </p>
    </div>
  )
}

/** The price before the discount, crossed out, and the discount. */
export function Before({ price: { full, due }, discount }: { price: Price; discount: number }) {
  if (full === due) return null
  return (
    <>
      <span className="text-sm">
        <span className="sr-only">{p.before} </span>
        <del className="font-mono text-muted tabular-nums">{formatTnt4(full)}</del>
      </span>
      <span className="rounded-md bg-signal-soft px-1.5 py-px text-xs leading-5 font-medium text-signal">
        {p.discount(String(discount))}
      </span>
    </>
  )
}
