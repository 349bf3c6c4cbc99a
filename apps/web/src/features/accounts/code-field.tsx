import { OTPField } from '@base-ui/react/otp-field'
import { CODE_RESEND } from '@tidenet/contract/constants'
import { useEffect, useId, useRef, useState } from 'react'
import { ApiError, api } from '../../lib/api.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { useCountdown } from '../../ui/countdown.ts'
import { inputClass } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { useMailbox } from './mailbox.ts'
import { t } from './texts.ts'

const LENGTH = 6

/** Purpose of a verification code in the API. */
export type CodePurpose = 1 | 2 | 3

interface CodeFieldProps {
  email: string
  /** Validates the address and shows its error; a code is sent only if this returns true. */
  checkEmail: () => boolean
  /** Of a code that anyone can request, or what requests another one; it resolves to undefined if the user cancels. */
  purpose: CodePurpose | ((email: string) => Promise<unknown>)
  /** What is said once a code was requested. Default: that it was sent. */
  sent?: (email: string) => string
  value: string
  onChange: (code: string) => void
  error: string | undefined
  /** The server has locked the codes of this address. A new object for each refusal restarts the countdown. */
  locked: { seconds: number } | undefined
}

/** Input for a verification code, with a button that sends one. */
export function CodeField({
  email,
  checkEmail,
  purpose,
  sent = t.form.codeSent,
  value,
  onChange,
  error,
  locked,
}: CodeFieldProps) {
  const id = useId()
  const [sentTo, setSentTo] = useState('')
  const [wait, startWait] = useCountdown()
  const [busy, setBusy] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  const mailbox = useMailbox()

  useEffect(() => {
    if (locked) startWait(locked.seconds)
  }, [locked, startWait])

  const send = async () => {
    if (!checkEmail()) return
    setBusy(true)
    try {
      const to = email.trim()
      const asked =
        typeof purpose === 'function' ? purpose(to) : api('accounts.verifyCode', { username: to, type: purpose })
      if ((await asked) === undefined) return
      setSentTo(email.trim())
      startWait(CODE_RESEND / 1000)
      first.current?.focus()
    } catch (failure) {
      // After a reload only the server knows when the last code was sent.
      if (failure instanceof ApiError && failure.seconds > 0) startWait(failure.seconds)
      toast.error(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {t.form.code}
      </label>
      <div className="flex flex-wrap items-center gap-2">
        <OTPField.Root
          id={id}
          length={LENGTH}
          value={value}
          onValueChange={onChange}
          aria-describedby={`${id}-note`}
          className="flex flex-1 gap-1.5"
        >
          {Array.from({ length: LENGTH }, (_, index) => (
            <OTPField.Input
              // biome-ignore lint/suspicious/noArrayIndexKey: a digit is identified by its position
              key={index}
              ref={index === 0 ? first : undefined}
              aria-label={index === 0 ? undefined : t.form.codeDigit(index + 1)}
              aria-invalid={error || (locked && wait > 0) ? true : undefined}
              className={classes(inputClass, 'w-full max-w-11 min-w-8 px-0 text-center font-mono text-lg')}
            />
          ))}
        </OTPField.Root>
        <Button busy={busy} disabled={wait > 0} onClick={() => void send()} className="min-h-10">
          {wait > 0 ? t.form.sendAgain(wait) : t.form.sendCode}
        </Button>
      </div>
      <div id={`${id}-note`} role="status" className="text-sm">
        {error || (locked && wait > 0) ? (
          // Otherwise screen readers would announce the countdown every second.
          <p className="text-danger" aria-live={error ? undefined : 'off'}>
            {error ?? t.form.codeLocked(wait)}
          </p>
        ) : (
          sentTo && <p className="text-muted">{sent(sentTo)}</p>
        )}
      </div>
      {mailbox && (
        <p className="text-sm text-muted">
          {t.mailboxNote}{' '}
          <a href={mailbox} target="_blank" rel="noreferrer" className="text-accent underline">
            {t.form.mailbox}
          </a>
        </p>
      )}
    </div>
  )
}
