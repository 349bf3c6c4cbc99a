import { CircleCheck } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Simulated } from './simulated.tsx'
import { t } from './texts.ts'

const a = t.account

/** An account that the partner confirmed. */
export interface PartnerAccount {
  uid: string
  name: string
  simulated: boolean
}

/** Step 2: the partner confirms that an account exists. */
export function AccountStep({
  account,
  disabled,
  simulated,
  onChange,
}: {
  account: PartnerAccount | undefined
  disabled: boolean
  simulated: boolean
  onChange: (account: PartnerAccount | undefined) => void
}) {
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const change = useRef<HTMLButtonElement>(null)
  // The control that was used is replaced: what takes its place gets the focus.
  const wasUsed = useRef(false)
  useEffect(() => {
    if (wasUsed.current) (account ? change : input).current?.focus()
    wasUsed.current = false
  }, [account])
  const refuse = (why: string) => {
    setProblem(why)
    // Its description, the problem, is read then.
    input.current?.focus()
  }
  const verify = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (typed.trim() === '') return refuse(a.missing)
    setBusy(true)
    setProblem(undefined)
    try {
      const found = await api('exchange.account', { account: typed.trim() })
      wasUsed.current = true
      onChange({ uid: found.account, name: found.account_name, simulated: found.simulated })
    } catch (error) {
      refuse(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  if (account)
    return (
      <div role="status" className="flex max-w-md flex-wrap items-center gap-x-3 gap-y-2">
        <CircleCheck aria-hidden className="size-5 shrink-0 text-good" />
        <span className="min-w-0 font-medium wrap-anywhere">
          <bdi>{a.verified(account.name, account.uid)}</bdi>
        </span>
        <Simulated when={account.simulated} />
        <Button
          ref={change}
          disabled={disabled}
          onClick={() => {
            wasUsed.current = true
            onChange(undefined)
          }}
        >
          {a.change}
        </Button>
      </div>
    )
  return (
    <form className="max-w-md" noValidate onSubmit={(event) => void verify(event)}>
      <Field label={a.label} hint={simulated ? t.simulatedAccounts : undefined} error={problem}>
        <div className="flex gap-2">
          <TextInput
            ref={input}
            value={typed}
            maxLength={254}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            disabled={disabled}
            onChange={(event) => {
              setTyped(event.target.value)
              setProblem(undefined)
            }}
          />
          <Button type="submit" busy={busy} disabled={disabled} className="shrink-0">
            {busy ? a.verifying : a.button}
          </Button>
        </div>
      </Field>
    </form>
  )
}
