import type { LeadKind } from '@tidenet/contract'
import { CircleCheck } from 'lucide-react'
import { type FormEvent, type Ref, useEffect, useId, useRef, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { useSession } from '../../lib/session-store.ts'
import { lang } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import { control, FormField } from './form-field.tsx'
import { type Lead, type LeadField, leadProblems, NAME_MAX, TEXT_MAX } from './lead-checks.ts'
import { t } from './texts.ts'

const fields: readonly LeadField[] = ['name', 'email', 'organisation', 'text']
/** Remaining characters from which a counter is shown. */
const COUNT_BELOW = 500

/** A contact request. Operators receive it by mail, and the sender a confirmation. */
export function LeadForm({ kind, textLabel = t.text }: { kind: LeadKind; textLabel?: string }) {
  const id = useId()
  const account = useSession((session) => session.emailAddress)
  const own = account.includes('@') ? account : ''
  const [typed, setTyped] = useState<Partial<Lead>>({})
  const [tried, setTried] = useState(false)
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [sentTo, setSentTo] = useState<string>()
  const form = useRef<HTMLFormElement>(null)

  const lead: Lead = { name: '', email: own, organisation: '', text: '', ...typed }
  const found = tried ? leadProblems(lead) : {}
  const problem = (field: LeadField): string | undefined => {
    const key = found[field]
    if (!key) return undefined
    const text = t.problems[key]
    return typeof text === 'string' ? text : text(field === 'text' ? TEXT_MAX : NAME_MAX)
  }
  const valueProps = (field: LeadField) => ({
    name: field,
    value: lead[field],
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [field]: event.target.value }),
  })

  const send = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const problems = leadProblems(lead)
    const first = fields.find((field) => problems[field])
    if (first) {
      form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus()
      return
    }
    setSending(true)
    setFailure(undefined)
    try {
      await api('leads.create', { kind, ...lead, lang })
      setSentTo(lead.email.trim())
    } catch (error) {
      setFailure(messageOf(error))
    } finally {
      setSending(false)
    }
  }
  const again = () => {
    setTyped({ name: lead.name, email: lead.email, organisation: lead.organisation })
    setTried(false)
    setSentTo(undefined)
  }

  if (sentTo) return <Sent email={sentTo} onAgain={again} />
  const left = TEXT_MAX - lead.text.trim().length
  return (
    <form ref={form} noValidate onSubmit={(event) => void send(event)} className="grid gap-5">
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

function Sent({ email, onAgain }: { email: string; onAgain: () => void }) {
  const heading: Ref<HTMLParagraphElement> = useRef(null)
  // The pressed button is gone, so move the focus here for keyboards and screen readers.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div role="status" className="flex flex-col items-start gap-3">
      <CircleCheck aria-hidden className="size-7 text-good" />
      <p ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        {t.sentTitle}
      </p>
      <p className="wrap-anywhere text-muted">{t.sentText(email)}</p>
      <p className="text-muted">{t.sentLater}</p>
      <Button className="mt-2" onClick={onAgain}>
        {t.again}
      </Button>
    </div>
  )
}
