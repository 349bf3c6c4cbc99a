import type { LeadKind } from '@tidenet/contract'
import { useId, useState } from 'react'
import { api } from '../../lib/api.ts'
import { useSession } from '../../lib/session-store.ts'
import { lang } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import { control, FormField } from './form-field.tsx'
import { type Lead, type LeadField, type LeadProblem, leadProblems, NAME_MAX, TEXT_MAX } from './lead-checks.ts'
import { Sent } from './sent.tsx'
import { t } from './texts.ts'
import { useForm } from './use-form.ts'

const fields: readonly LeadField[] = ['name', 'email', 'organisation', 'text']
/** Remaining characters from which a counter is shown. */
const COUNT_BELOW = 500

/** A contact request. Operators receive it by mail, and the sender a confirmation. */
export function LeadForm({ kind, textLabel = t.text }: { kind: LeadKind; textLabel?: string }) {
  const id = useId()
  const account = useSession((session) => session.emailAddress)
  const own = account.includes('@') ? account : ''
  const [sentTo, setSentTo] = useState<string>()
  const {
    form,
    values: lead,
    found,
    sending,
    failure,
    valueProps,
    submit,
    restart,
  } = useForm<Lead, LeadProblem>({
    fields,
    initial: { name: '', email: own, organisation: '', text: '' },
    problemsOf: leadProblems,
    async send(values) {
      await api('leads.create', { kind, ...values, lang })
      setSentTo(values.email.trim())
    },
  })
  const problem = (field: LeadField): string | undefined => {
    const key = found[field]
    if (!key) return undefined
    const text = t.problems[key]
    return typeof text === 'string' ? text : text(field === 'text' ? TEXT_MAX : NAME_MAX)
  }
  const again = () => {
    restart({ name: lead.name, email: lead.email, organisation: lead.organisation })
    setSentTo(undefined)
  }

  if (sentTo)
    return (
      <Sent title={t.sentTitle} again={t.again} onAgain={again}>
        <p className="wrap-anywhere text-muted">{t.sentText(sentTo)}</p>
        <p className="text-muted">{t.sentLater}</p>
      </Sent>
    )
  const left = TEXT_MAX - lead.text.trim().length
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <FormField id={`${id}-name`} label={t.name} problem={problem('name')}>
          {(props) => <input {...props} {...valueProps('name')} autoComplete="name" required className={control} />}
        </FormField>
        <FormField id={`${id}-organisation`} label={t.organisation} optional problem={problem('organisation')}>
          {(props) => (
            <input {...props} {...valueProps('organisation')} autoComplete="organization" className={control} />
          )}
        </FormField>
      </div>
      <FormField id={`${id}-email`} label={t.email} hint={t.emailHint} problem={problem('email')}>
        {(props) => (
          <input
            {...props}
            {...valueProps('email')}
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            required
            className={control}
          />
        )}
      </FormField>
      <FormField
        id={`${id}-text`}
        label={textLabel}
        hint={left < COUNT_BELOW && left >= 0 ? t.left(left) : undefined}
        problem={problem('text')}
      >
        {(props) => <textarea {...props} {...valueProps('text')} rows={5} required className={`${control} resize-y`} />}
      </FormField>
      {failure && (
        <Notice tone="bad" live>
          {failure}
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" look="primary" busy={sending} className="min-h-11 px-6">
          {sending ? t.sending : t.send}
        </Button>
        <p role="status" className="text-sm text-danger">
          {Object.keys(found).length > 0 && t.problems.summary(Object.keys(found).length)}
        </p>
      </div>
    </form>
  )
}
