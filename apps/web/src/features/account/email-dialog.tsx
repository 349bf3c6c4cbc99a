import { type FormEvent, useRef, useState } from 'react'
import { ApiError, api, messageOf } from '../../lib/api.ts'
import { focusFirstError } from '../../lib/focus.ts'
import { refresh } from '../../lib/queries.ts'
import { storeSession } from '../../lib/session.ts'
import { currentToken } from '../../lib/session-store.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { codeProblem, emailProblem } from '../accounts/checks.ts'
import { CodeField } from '../accounts/code-field.tsx'
import { useRecentAuth } from '../recent-auth/recent-auth.tsx'
import { t } from './texts.ts'

/** The field that an error code is about. */
const errorFields: Readonly<Record<number, 'email' | 'code'>> = {
  1001: 'email',
  1011: 'email',
  1013: 'code',
  1014: 'code',
  1022: 'email',
}

/** Adds or changes the e-mail address of the account. */
export function EmailDialog({ current, onClose }: { current: string; onClose: () => void }) {
  const m = t.mail
  const form = useRef<HTMLFormElement>(null)
  const { withRecentAuth, dialog } = useRecentAuth()
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const [problems, setProblems] = useState<{ email?: string | undefined; code?: string | undefined }>({})
  const [locked, setLocked] = useState<{ seconds: number }>()
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)

  const show = (found: typeof problems) => {
    if (found.email || found.code) focusFirstError(form.current, () => setProblems(found))
    else setProblems(found)
  }
  const checkEmail = () => {
    const problem = emailProblem(email)
    show({ ...problems, email: problem })
    return problem === undefined
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setRefusal(undefined)
    const found = { email: emailProblem(email), code: codeProblem(code) }
    show(found)
    if (found.email || found.code) return
    setBusy(true)
    try {
      const done = await withRecentAuth(() => api('emails.change', { email: email.trim(), verify_code: code }))
      if (!done) return setBusy(false)
      await storeSession(currentToken()).catch(() => {})
      refresh('accounts.info', 'secondFactors.overview', 'wallets.bindInfo')
      toast.success(m.done)
      onClose()
    } catch (error) {
      const field = error instanceof ApiError && error.err !== undefined ? errorFields[error.err] : undefined
      if (field === 'code' && error instanceof ApiError && error.seconds > 0) setLocked({ seconds: error.seconds })
      else if (field) show({ [field]: messageOf(error) })
      else setRefusal(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <>
      <Dialog
        open
        persistent
        form
        onClose={onClose}
        title={current ? m.changeTitle : m.addTitle}
        description={current ? m.changeText : m.addText}
      >
        <form
          ref={form}
          method="post"
          className="mt-2 flex flex-col gap-4"
          onSubmit={(event) => void submit(event)}
          noValidate
        >
          <Field label={m.field} error={problems.email}>
            <TextInput
              type="email"
              name="email"
              inputMode="email"
              autoComplete="email"
              autoCapitalize="none"
              spellCheck={false}
              value={email}
              onChange={(event) => {
                setEmail(event.target.value)
                setProblems((known) => ({ ...known, email: undefined }))
                setLocked(undefined)
              }}
            />
          </Field>
          <CodeField
            email={email}
            checkEmail={checkEmail}
            purpose={(to) => withRecentAuth(() => api('emails.sendCode', { email: to }))}
            value={code}
            onChange={(next) => {
              setCode(next)
              setProblems((known) => ({ ...known, code: undefined }))
            }}
            error={problems.code}
            locked={locked}
          />
          {refusal && (
            <Notice tone="bad" live>
              {refusal}
            </Notice>
          )}
          <Button look="primary" type="submit" busy={busy} className="min-h-10">
            {m.go}
          </Button>
        </form>
      </Dialog>
      {dialog}
    </>
  )
}
