import { useSearch } from '@tanstack/react-router'
import { BLOCK_CATEGORIES, type BlockCategory } from '@tidenet/contract'
import { CircleCheck } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { lang } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { control, FormField } from '../feedback/form-field.tsx'
import { type Report, type ReportField, reportProblems, TARGET_MAX, TEXT_MAX } from './report-checks.ts'
import { t } from './texts.ts'

const fields: readonly ReportField[] = ['target', 'category', 'text', 'email']
/** Remaining characters from which a counter is shown. */
const COUNT_BELOW = 500

/** Reports a content to the operators. Nothing of the target is loaded. */
export function ReportPage() {
  const title = usePageTitle()
  return (
    <Page>
      <div className="mb-8 max-w-3xl">
        <h1 className="text-3xl font-semibold tracking-tight">{title}</h1>
        <p className="mt-3 text-muted">{t.intro}</p>
      </div>
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Card className="p-5 sm:p-7">
          <ReportForm />
        </Card>
        <aside aria-labelledby="next" className="flex flex-col gap-4 text-sm">
          <h2 id="next" className="text-lg font-semibold">
            {t.next}
          </h2>
          <ol className="flex list-decimal flex-col gap-2 pl-5">
            {t.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <p className="text-muted">{t.limits}</p>
          <p className="font-medium">{t.urgent}</p>
        </aside>
      </div>
    </Page>
  )
}

function ReportForm() {
  const id = useId()
  const search = useSearch({ from: '/site/report' })
  const [typed, setTyped] = useState<Partial<Report>>({})
  const [tried, setTried] = useState(false)
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [sent, setSent] = useState<Report>()
  const form = useRef<HTMLFormElement>(null)

  const report: Report = { target: search.target ?? '', category: '', text: '', email: '', ...typed }
  const found = tried ? reportProblems(report) : {}
  const problem = (field: ReportField) => {
    const key = found[field]
    return key && t.problems[key]
  }
  const valueProps = (field: ReportField) => ({
    name: field,
    value: report[field],
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [field]: event.target.value }),
    className: control,
  })
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const problems = reportProblems(report)
    const first = fields.find((field) => problems[field])
    if (first) {
      form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus()
      return
    }
    setSending(true)
    setFailure(undefined)
    try {
      await api('abuse.report', { ...report, category: report.category as BlockCategory, lang })
      setSent(report)
    } catch (error) {
      setFailure(messageOf(error))
    } finally {
      setSending(false)
    }
  }

  if (sent)
    return (
      <Sent
        email={sent.email.trim()}
        onAgain={() => {
          setTyped({ target: '', email: sent.email })
          setTried(false)
          setSent(undefined)
        }}
      />
    )
  const left = TEXT_MAX - report.text.trim().length
  return (
    <form ref={form} noValidate onSubmit={(event) => void send(event)} className="grid gap-5">
      <FormField id={`${id}-target`} label={t.target} hint={t.targetHint} problem={problem('target')}>
        {(props) => (
          <input
            {...props}
            {...valueProps('target')}
            maxLength={TARGET_MAX}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
        )}
      </FormField>
      <FormField id={`${id}-category`} label={t.category} problem={problem('category')}>
        {(props) => (
          <select {...props} {...valueProps('category')} required>
            <option value="" disabled>
              {t.chooseCategory}
            </option>
            {BLOCK_CATEGORIES.map((category) => (
              <option key={category} value={category}>
                {t.categories[category]}
              </option>
            ))}
          </select>
        )}
      </FormField>
      <FormField
        id={`${id}-text`}
        label={t.words}
        hint={left < COUNT_BELOW && left >= 0 ? t.left(left) : t.wordsHint}
        problem={problem('text')}
      >
        {(props) => <textarea {...props} {...valueProps('text')} rows={6} required className={`${control} resize-y`} />}
      </FormField>
      <FormField id={`${id}-email`} label={t.email} optional hint={t.emailHint} problem={problem('email')}>
        {(props) => (
          <input
            {...props}
            {...valueProps('email')}
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </FormField>
      {failure && (
        <Notice tone="bad" live>
          {failure}
        </Notice>
      )}
      <div>
        <Button type="submit" look="primary" busy={sending} className="min-h-11 px-6">
          {sending ? t.sending : t.send}
        </Button>
      </div>
    </form>
  )
}

function Sent({ email, onAgain }: { email: string; onAgain: () => void }) {
  const heading = useRef<HTMLParagraphElement>(null)
  // The pressed button is gone, so move the focus here for keyboards and screen readers.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div role="status" className="flex flex-col items-start gap-3">
      <CircleCheck aria-hidden className="size-7 text-good" />
      <p ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        {t.sentTitle}
      </p>
      <p className="text-muted">{t.sentText}</p>
      {email && <p className="wrap-anywhere text-muted">{t.sentMail(email)}</p>}
      <Button className="mt-2" onClick={onAgain}>
        {t.again}
      </Button>
    </div>
  )
}
