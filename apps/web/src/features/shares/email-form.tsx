import { Link } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { ApiError, api, messageOf } from '../../lib/api.ts'
import { useSession } from '../../lib/session-store.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { codeProblem, emailProblem } from '../accounts/checks.ts'
import { CodeField } from '../accounts/code-field.tsx'
import { EmailField } from '../accounts/email-field.tsx'
import { t } from './texts.ts'

/** Asks a visitor for an e-mail address that may open the link, and for the code that is sent to it. */
export function EmailForm({ token, onProven }: { token: string; onProven: (proof: string) => Promise<void> }) {
  const signedIn = useSession(({ token: session }) => session !== '')
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const [problems, setProblems] = useState<{ email?: string | undefined; code?: string | undefined }>({})
  const [locked, setLocked] = useState<{ seconds: number }>()
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const checkEmail = () => {
    const problem = emailProblem(email)
    setProblems({ email: problem })
    return problem === undefined
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setRefusal(undefined)
    const found = { email: emailProblem(email), code: codeProblem(code) }
    setProblems(found)
    if (found.email || found.code) return
    setBusy(true)
    try {
      const { proof } = await api('shortLinks.verify', { token, email: email.trim(), verify_code: code })
      await onProven(proof)
    } catch (error) {
      const refused = error instanceof ApiError && error.kind === 'refused'
      if (refused && error.seconds > 0) setLocked({ seconds: error.seconds })
      else if (refused) setProblems({ code: messageOf(error) })
      else setRefusal(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Card className="mx-auto max-w-xl p-6 sm:p-8">
      <MailCheck aria-hidden className="mb-3 size-7 text-accent" />
      <h1 className="text-xl font-semibold">{t.email.title}</h1>
      <p className="mt-1 mb-5 text-muted">{t.email.text}</p>
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        <EmailField
          email={email}
          onEmail={(next) => {
            setEmail(next)
            setProblems({ ...problems, email: undefined })
            setLocked(undefined)
          }}
          error={problems.email}
        />
        <CodeField
          email={email}
          checkEmail={checkEmail}
          purpose={(to) => api('shortLinks.sendCode', { token, email: to })}
          sent={t.email.sent}
          value={code}
          onChange={(next) => {
            setCode(next)
            setProblems({ ...problems, code: undefined })
          }}
          error={problems.code}
          locked={locked}
        />
        {refusal && (
          <Notice tone="bad" live>
            {refusal}
          </Notice>
        )}
        <Button look="primary" type="submit" busy={busy} className="self-start">
          {t.email.open}
        </Button>
      </form>
      {!signedIn && (
        <p className="mt-5 text-sm text-muted">
          {t.email.account}{' '}
          <Link to="/login" search={{ redirect: `/s/${token}` }} className="text-accent underline">
            {t.email.signIn}
          </Link>
        </p>
      )}
    </Card>
  )
}
