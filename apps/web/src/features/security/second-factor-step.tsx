import type { SecondFactor } from '@tidenet/contract'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError, api, messageOf } from '../../lib/api.ts'
import { focusFirstError } from '../../lib/focus.ts'
import { openSession } from '../../lib/open-session.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import { CodeInput, isTotp } from './code-input.tsx'
import { forgetOwed, type Owed } from './owed.ts'
import { t } from './texts.ts'
import { hasPasskeys, showPasskey, wasCancelled } from './webauthn.ts'

/** The number of the refusal after which the ticket is worth nothing. */
const TICKET_EXPIRED = 1014

/** The second half of a sign-in. */
export function SecondFactorStep({ owed }: { owed: Owed }) {
  const s = t.step
  const form = useRef<HTMLFormElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const [way, setWay] = useState<SecondFactor>(owed.ways[0] ?? 'recovery')
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const [over, setOver] = useState(false)
  const [busy, setBusy] = useState(false)

  // Whoever listens is told that the page goes on.
  useEffect(() => title.current?.focus(), [])

  const choose = (next: SecondFactor) => {
    setWay(next)
    setCode('')
    setProblem(undefined)
    setRefusal(undefined)
  }
  const finish = async (shown: () => Promise<object>) => {
    setBusy(true)
    setRefusal(undefined)
    try {
      const { token } = await api('secondFactors.complete', { ticket: owed.ticket, ...(await shown()) }, { token: '' })
      await openSession(token, owed.loginType)
      forgetOwed()
    } catch (failure) {
      setBusy(false)
      if (wasCancelled(failure)) return
      setRefusal(messageOf(failure))
      setOver(failure instanceof ApiError && failure.err === TICKET_EXPIRED)
      form.current?.querySelector('input')?.select()
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = way === 'totp' ? !isTotp(code) && s.codeProblem : !code.trim() && s.recoveryProblem
    setProblem(wrong || undefined)
    if (wrong) return focusFirstError(form.current)
    void finish(async () => (way === 'totp' ? { code } : { recovery: code }))
  }
  const byPasskey = () =>
    finish(async () => {
      const options = await api('passkeys.secondOptions', { ticket: owed.ticket }, { token: '' })
      return { credential: await showPasskey(options) }
    })
  const names = { totp: s.useTotp, passkey: s.usePasskey, recovery: s.useRecovery }
  return (
    <>
      <h1 ref={title} tabIndex={-1} className="text-2xl font-semibold tracking-tight outline-none">
        {s.title}
      </h1>
      <p className="mt-1 mb-6 text-sm text-muted">{s.intro}</p>
      {way === 'passkey' ? (
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
            disabled={over || !hasPasskeys()}
            className="min-h-10 w-full"
            onClick={() => void byPasskey()}
          >
            {s.usePasskey}
          </Button>
        </div>
      ) : (
        <form ref={form} method="post" className="flex flex-col gap-4" onSubmit={submit} noValidate>
          <CodeInput
            key={way}
            kind={way}
            label={way === 'totp' ? s.totp : s.recovery}
            hint={way === 'totp' ? s.totpHint : s.recoveryHint}
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
          <Button look="primary" type="submit" busy={busy} disabled={over} className="min-h-10 w-full">
            {s.go}
          </Button>
        </form>
      )}
      <div className="mt-6 flex flex-wrap justify-between gap-x-6 gap-y-1 text-sm">
        <span className="flex flex-wrap gap-x-6 gap-y-1">
          {owed.ways
            .filter((each) => each !== way)
            .map((each) => (
              <TextButton key={each} onClick={() => choose(each)}>
                {names[each]}
              </TextButton>
            ))}
        </span>
        <TextButton onClick={forgetOwed}>{s.again}</TextButton>
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
