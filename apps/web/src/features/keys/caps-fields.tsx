import { t as shell } from '../../lib/texts.ts'
import { Field, TextInput } from '../../ui/field.tsx'
import { t } from './caps-texts.ts'
import type { Key } from './key.ts'

const GB = 1e9
/** The most that a key can be capped to: beyond that, a number of bytes is not exact. */
const TRAFFIC_MAX_GB = 9_000_000
const SPENDING_MAX = 1_000_000_000

/** As typed; empty: none. */
export interface Caps {
  /** GB per month. */
  traffic: string
  /** TNT per month. */
  spending: string
}

export const capsOf = (key?: Pick<Key, 'traffic_cap' | 'spending_cap'>): Caps => ({
  traffic: typeof key?.traffic_cap === 'number' ? String(key.traffic_cap / GB) : '',
  spending: typeof key?.spending_cap === 'number' ? String(key.spending_cap) : '',
})

/** For the API: bytes and coins, empty for none; undefined: no number. */
export function readCaps({ traffic, spending }: Caps) {
  const bytes = readNumber(traffic, TRAFFIC_MAX_GB)
  const coins = readNumber(spending, SPENDING_MAX)
  return {
    traffic_cap: typeof bytes === 'number' ? Math.round(bytes * GB) : bytes,
    spending_cap: typeof coins === 'number' && !Number.isInteger(coins) ? undefined : coins,
  }
}

function readNumber(text: string, max: number): number | '' | undefined {
  const typed = text.trim()
  if (typed === '') return ''
  const number = /^\d+(\.\d+)?$/.test(typed) ? Number(typed) : Number.NaN
  return number <= max ? number : undefined
}

/** What the key may transfer, and what its orders may cost, in a month. */
export function CapsFields({
  value,
  errors,
  onChange,
}: {
  value: Caps
  errors: { traffic?: string | undefined; spending?: string | undefined }
  onChange: (caps: Caps) => void
}) {
  const optional = <span className="font-normal text-muted">({shell.words.optional})</span>
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <Field
        label={
          <>
            {t.traffic} {optional}
          </>
        }
        hint={t.trafficHint}
        error={errors.traffic}
      >
        <TextInput
          inputMode="decimal"
          autoComplete="off"
          value={value.traffic}
          onChange={(event) => onChange({ ...value, traffic: event.target.value })}
        />
      </Field>
      <Field
        label={
          <>
            {t.spending} {optional}
          </>
        }
        hint={t.spendingHint}
        error={errors.spending}
      >
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          value={value.spending}
          onChange={(event) => onChange({ ...value, spending: event.target.value })}
        />
      </Field>
    </div>
  )
}
