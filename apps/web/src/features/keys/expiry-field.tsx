import { startOfDay } from '../../lib/local-day.ts'
import { RadioCards } from '../../ui/choices.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { t } from './form-texts.ts'

const DAY_MS = 86_400_000

export interface Expiry {
  preset: 'same' | 'never' | '7' | '30' | '90' | '365' | 'date'
  /** As typed: `2026-01-31`, the last day. */
  date: string
}

/** A time for the API, empty for never; undefined: unchanged; null: no valid choice. */
export function readExpiry({ preset, date }: Expiry, now: number): string | undefined | null {
  if (preset === 'same') return undefined
  if (preset === 'never') return ''
  if (preset !== 'date') return new Date(now + Number(preset) * DAY_MS).toISOString()
  const end = startOfDay(date, 1)
  return end && Date.parse(end) > now ? end : null
}

/** @param current the expiry that a key has, in words; absent for a new key */
export function ExpiryField({
  value,
  current,
  error,
  onChange,
}: {
  value: Expiry
  current?: string | undefined
  error?: string | undefined
  onChange: (value: Expiry) => void
}) {
  return (
    <div className="flex flex-col gap-3">
      <RadioCards
        label={t.expires}
        value={value.preset}
        onChange={(preset) => onChange({ ...value, preset })}
        columns="grid-cols-2 sm:grid-cols-3"
        options={[
          ...(current === undefined ? [] : [{ value: 'same' as const, title: t.unchanged, hint: current }]),
          { value: 'never', title: t.never },
          { value: '7', title: t.days(7) },
          { value: '30', title: t.days(30) },
          { value: '90', title: t.days(90) },
          { value: '365', title: t.year },
          { value: 'date', title: t.onDate },
        ]}
      />
      {value.preset === 'date' && (
        <Field label={t.date} hint={t.dateHint} error={error}>
          <TextInput
            type="date"
            value={value.date}
            onChange={(event) => onChange({ ...value, date: event.target.value })}
          />
        </Field>
      )}
    </div>
  )
}
