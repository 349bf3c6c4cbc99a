import { SHARE_PERMANENT, SHORT_PASS } from '@tidenet/contract/constants'
import { WandSparkles } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choices.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { t } from './texts.ts'

export interface ShareTerms {
  /** Unix seconds. */
  expires: number
  /** Six letters or digits, or empty. */
  password: string
}

type Validity = 'permanent' | '3' | '7' | '30' | 'date'
const DAY = 86_400

/** Validity and access password. Submitted by a button with `form="share-form"`. */
export function ShareForm({ initial, onSubmit }: { initial: ShareTerms; onSubmit: (terms: ShareTerms) => void }) {
  const dated = initial.expires > 0 && initial.expires < SHARE_PERMANENT
  const [validity, setValidity] = useState<Validity>(dated ? 'date' : 'permanent')
  const [date, setDate] = useState(dated ? dayOf(initial.expires) : '')
  const [password, setPassword] = useState(initial.password)
  const [checked, setChecked] = useState(false)

  const badPassword = password !== '' && !SHORT_PASS.test(password)
  // Keep an unchanged expiry to the second.
  const expires =
    validity === 'date' && dated && date === dayOf(initial.expires) ? initial.expires : expiryOf(validity, date)
  const badDate = validity === 'date' && !(expires > Date.now() / 1000)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (!badPassword && !badDate) onSubmit({ expires, password })
  }
  return (
    <form id="share-form" className="flex flex-col gap-5" onSubmit={submit} noValidate>
      <RadioCards
        label={t.dialog.validity}
        value={validity}
        onChange={setValidity}
        columns="grid-cols-2"
        options={[
          { value: 'permanent', title: t.dialog.permanent },
          { value: '3', title: t.dialog.days(3) },
          { value: '7', title: t.dialog.days(7) },
          { value: '30', title: t.dialog.days(30) },
          { value: 'date', title: t.dialog.until },
        ]}
      />
      {validity === 'date' && (
        <Field label={t.dialog.date} error={checked && badDate ? t.dialog.dateMissing : undefined}>
          <TextInput
            type="date"
            value={date}
            min={dayOf(Date.now() / 1000)}
            onChange={(event) => setDate(event.target.value)}
          />
        </Field>
      )}
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <Field
            label={
              <>
                {t.dialog.password} <span className="font-normal text-muted">({shell.words.optional})</span>
              </>
            }
            hint={t.dialog.passwordHint}
            error={checked && badPassword ? t.dialog.passwordFormat : undefined}
          >
            <div className="flex gap-2">
              <TextInput
                value={password}
                maxLength={6}
                autoComplete="off"
                spellCheck={false}
                className="font-mono"
                onChange={(event) => setPassword(event.target.value)}
              />
              <Button
                className="shrink-0"
                icon={<WandSparkles aria-hidden className="size-4" />}
                onClick={() => setPassword(randomPassword())}
              >
                {t.dialog.generate}
              </Button>
            </div>
          </Field>
        </div>
      </div>
    </form>
  )
}

/** Unix seconds: a number of days from now, or the end of the chosen day in local time; NaN if no day is chosen. */
function expiryOf(validity: Validity, date: string): number {
  if (validity === 'permanent') return SHARE_PERMANENT
  if (validity === 'date') return Math.floor(new Date(`${date}T23:59:59`).getTime() / 1000)
  return Math.floor(Date.now() / 1000) + Number(validity) * DAY
}

/** Local date in the format of date inputs. */
function dayOf(seconds: number): string {
  const date = new Date(seconds * 1000)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Six random characters, without easily confused ones. */
function randomPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
  const fair = Math.floor(256 / letters.length) * letters.length
  let password = ''
  while (password.length < 6)
    for (const byte of crypto.getRandomValues(new Uint8Array(12)))
      if (byte < fair && password.length < 6) password += letters[byte % letters.length]
  return password
}
