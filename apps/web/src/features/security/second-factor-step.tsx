import type { SecondFactor } from '@tidenet/contract'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError, api, messageOf } from '../../lib/api.ts'
import { focusFirstError } from '../../lib/focus.ts'
import { openSession } from '../../lib/open-session.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import { CodeInput, isTotp } from '../recent-auth/code-input.tsx'
import { t as recentAuth } from '../recent-auth/texts.ts'
import { hasPasskeys, requestCredential, wasCancelled } from '../recent-auth/webauthn.ts'
import { clearPendingSignIn, type PendingSignIn } from './pending-sign-in.ts'
import { t } from './texts.ts'

/** Error number: the second-factor token has expired. */
const TOKEN_EXPIRED = 1014

/** The second step of a sign-in. */
export function SecondFactorStep({ pending }: { pending: PendingSignIn }) {
  const s = t.step
  const form = useRef<HTMLFormElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const [method, setMethod] = useState<SecondFactor>(pending.methods[0] ?? 'recovery')
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const [expired, setExpired] = useState(false)
  const [busy, setBusy] = useState(false)

  // Move the focus, so that screen readers announce the second step.
  useEffect(() => title.current?.focus(), [])

  const choose = (next: SecondFactor) => {
    setMethod(next)
    setCode('')
    setProblem(undefined)
    setRefusal(undefined)
  }
  const finish = async (shown: () => Promise<object>) => {
    setBusy(true)
    setRefusal(undefined)
    try {
      const { token } = await api(
        'secondFactors.complete',
        { ticket: pending.secondFactorToken, ...(await shown()) },
        { token: '' },
      )
      await openSession(token, pending.loginType)
      clearPendingSignIn()
    } catch (failure) {
      setBusy(false)
      if (wasCancelled(failure)) return
      setRefusal(messageOf(failure))
      setExpired(failure instanceof ApiError && failure.err === TOKEN_EXPIRED)
      form.current?.querySelector('input')?.select()
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = method === 'totp' ? !isTotp(code) && recentAuth.codeProblem : !code.trim() && s.recoveryProblem
    if (wrong) return focusFirstError(form.current, () => setProblem(wrong))
    setProblem(undefined)
    void finish(async () => (method === 'totp' ? { code } : { recovery: code }))
  }
  const byPasskey = () =>
    finish(async () => {
      const options = await api('passkeys.secondOptions', { ticket: pending.secondFactorToken }, { token: '' })
      return { credential: await requestCredential(options) }
    })
  const names = { totp: s.useTotp, passkey: s.usePasskey, recovery: s.useRecovery }
  return (
    <>
      <h1 ref={title} tabIndex={-1} className="text-2xl font-semibold tracking-tight outline-none">
        {s.title}
      </h1>
      <p className="mt-1 mb-6 text-sm text-muted">{s.intro}</p>
      {method === 'passkey' ? (
        <div className="flex flex-col gap-4">
          <p className="text-sm">{hasPasskeys() ? s.passkey : s.onlyPasskeyHere}</p>
          {refusal && (
            <Notice tone="bad" live>
              {refusal}
            </Notice>
          )}
          <Button
            look="primary"
            icon={<KeyRound aria-hidden className="size-4" />}
            busy={busy}
            disabled={expired || !hasPasskeys()}
            className="min-h-10 w-full"
            onClick={() => void byPasskey()}
          >
            {s.usePasskey}
          </Button>
        </div>
      ) : (
        <form ref={form} method="post" className="flex flex-col gap-4" onSubmit={submit} noValidate>
          <CodeInput
            key={method}
            kind={method}
            label={method === 'totp' ? s.totp : s.recovery}
            hint={method === 'totp' ? s.totpHint : s.recoveryHint}
            value={code}
            error={problem}
            onChange={(next) => {
              setCode(next)
              setProblem(undefined)
            }}
          />
          {refusal && (
            <Notice tone="bad" live>
              {refusal}
            </Notice>
          )}
          <Button look="primary" type="submit" busy={busy} disabled={expired} className="min-h-10 w-full">
            {s.go}
          </Button>
        </form>
      )}
      <div className="mt-6 flex flex-wrap justify-between gap-x-6 gap-y-1 text-sm">
        <span className="flex flex-wrap gap-x-6 gap-y-1">
          {pending.methods
            .filter((each) => each !== method)
            .map((each) => (
              <TextButton key={each} onClick={() => choose(each)}>
                {names[each]}
              </TextButton>
            ))}
        </span>
        <TextButton onClick={clearPendingSignIn}>{s.again}</TextButton>
      </div>
    </>
  )
}

function TextButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" onClick={onClick} className="inline-flex min-h-7 items-center text-accent hover:underline">
      {children}
    </button>
  )
}
