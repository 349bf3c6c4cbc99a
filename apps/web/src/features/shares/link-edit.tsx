import type { ShortLink } from '@tidenet/contract'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choices.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { change, expiryAfter } from './link-actions.ts'
import {
  areGood,
  emailsOf,
  type FieldValues,
  LinkFields,
  UploadFields,
  uploadLimits,
  uploadValues,
} from './link-fields.tsx'
import { t } from './link-texts.ts'

type Validity = 'same' | '0' | '3' | '7' | '30' | 'date'

/** Changes the terms of a link; its address stays the same. */
export function LinkEdit({ link, onClose }: { link: ShortLink; onClose: () => void }) {
  const [validity, setValidity] = useState<Validity>('same')
  const [date, setDate] = useState('')
  const [values, setValues] = useState<FieldValues>({
    password: link.short_pass,
    downloads: link.max_downloads > 0 ? String(link.max_downloads) : '',
    note: link.note,
    emails: link.emails.join('\n'),
    uploads: link.upload ? uploadValues(link.upload) : undefined,
  })
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const expires = expiryOf(validity, date)
  const badDate = validity === 'date' && !(expires > Date.now() / 1000)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (badDate || !areGood(values)) return
    setBusy(true)
    try {
      const { password, downloads, note } = values
      await change(link, {
        expires,
        password,
        downloads: Number(downloads.trim() || 0),
        note: note.trim(),
        emails: emailsOf(values),
        uploads: uploadLimits(values),
      })
      onClose()
    } catch (error) {
      toast.error(error)
      setBusy(false)
    }
  }
  return (
    <form className="flex flex-col gap-5 pt-2" onSubmit={(event) => void submit(event)} noValidate>
      <RadioCards
        label={t.form.validity}
        value={validity}
        onChange={setValidity}
        columns="grid-cols-2 sm:grid-cols-3"
        options={[
          { value: 'same', title: t.form.unchanged },
          { value: '3', title: t.dialog.days(3) },
          { value: '7', title: t.dialog.days(7) },
          { value: '30', title: t.dialog.days(30) },
          { value: '0', title: t.dialog.permanent },
          { value: 'date', title: t.form.until },
        ]}
      />
      {validity === 'date' && (
        <Field label={t.form.date} error={checked && badDate ? t.form.dateMissing : undefined}>
          <TextInput type="date" value={date} min={today()} onChange={(event) => setDate(event.target.value)} />
        </Field>
      )}
      {values.uploads && (
        <UploadFields values={values} uploads={values.uploads} onChange={setValues} checked={checked} />
      )}
      <LinkFields values={values} onChange={setValues} checked={checked} long={link.form === 'long'} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t.form.cancel}</Button>
        <Button look="primary" type="submit" busy={busy}>
          {t.form.save}
        </Button>
      </div>
    </form>
  )
}

/** Unix seconds; the end of the chosen day in local time, NaN if no day is chosen, 0 for an unchanged expiry. */
function expiryOf(validity: Validity, date: string): number {
  if (validity === 'same') return 0
  if (validity === 'date') return Math.floor(new Date(`${date}T23:59:59`).getTime() / 1000)
  return expiryAfter(Number(validity))
}

/** In local time, in the format of date inputs. */
function today(): string {
  const date = new Date()
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
