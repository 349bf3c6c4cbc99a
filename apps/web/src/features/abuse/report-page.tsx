import { useSearch } from '@tanstack/react-router'
import { BLOCK_CATEGORIES, type BlockCategory } from '@tidenet/contract'
import { useId, useState } from 'react'
import { api } from '../../lib/api.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { lang } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { control, FormField } from '../feedback/form-field.tsx'
import { Sent } from '../feedback/sent.tsx'
import { useForm } from '../feedback/use-form.ts'
import {
  type Report,
  type ReportField,
  type ReportProblem,
  reportProblems,
  TARGET_MAX,
  TEXT_MAX,
} from './report-checks.ts'
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
  const [sent, setSent] = useState<Report>()
  const {
    form,
    values: report,
    found,
    sending,
    failure,
    valueProps,
    submit,
    restart,
  } = useForm<Report, ReportProblem>({
    fields,
    initial: { target: search.target ?? '', category: '', text: '', email: '' },
    problemsOf: reportProblems,
    async send(values) {
      await api('abuse.report', { ...values, category: values.category as BlockCategory, lang })
      setSent(values)
    },
  })
  const problem = (field: ReportField) => {
    const key = found[field]
    return key && t.problems[key]
  }
  const again = (email: string) => {
    restart({ target: '', email })
    setSent(undefined)
  }

  if (sent)
    return (
      <Sent title={t.sentTitle} again={t.again} onAgain={() => again(sent.email)}>
        <p className="text-muted">{t.sentText}</p>
        {sent.email.trim() && <p className="wrap-anywhere text-muted">{t.sentMail(sent.email.trim())}</p>}
      </Sent>
    )
  const left = TEXT_MAX - report.text.trim().length
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <FormField id={`${id}-target`} label={t.target} hint={t.targetHint} problem={problem('target')}>
        {(props) => (
          <input
            {...props}
            {...valueProps('target')}
            className={control}
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
          <select {...props} {...valueProps('category')} required className={control}>
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
            className={control}
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
