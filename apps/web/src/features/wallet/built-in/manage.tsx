import { type FormEvent, useEffect, useId, useState } from 'react'
import { query, useQuery } from '../../../lib/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyField } from '../../../ui/copy.tsx'
import { Field, PasswordInput, TextInput } from '../../../ui/field.tsx'
import { Badge } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { SETTINGS_STALE_MS } from '../chain.ts'
import { lazyView } from '../lazy-view.tsx'
import { walletMessage } from '../messages.ts'
import { t } from '../texts.ts'
import { deleteWallet, exportMnemonic, lock, unlock } from './signer.ts'
import { useBuiltIn } from './state.ts'
import { WordGrid } from './word-grid.tsx'

const SendForm = lazyView(async () => (await import('./send-form.tsx')).SendForm)

/** Unlock, send, export and remove the built-in wallet. */
export function ManageWallet({ onRemoved }: { onRemoved: () => void }) {
  const { stored, open } = useBuiltIn()
  const settings = useQuery({ ...query('chain.settings', {}), staleTime: SETTINGS_STALE_MS })
  const o = t.own
  if (!stored) return null
  return (
    <div className="grid gap-7">
      <section>
        <h3 className="mb-2 text-sm font-medium">{o.address}</h3>
        <CopyField text={stored.address} label={o.copy} />
        <p className="mt-3 flex flex-wrap items-center gap-2 text-sm text-muted">
          <Badge tone={open ? 'accent' : 'plain'}>{open ? o.open : o.locked}</Badge>
          {open ? o.openText : o.lockedText}
        </p>
        {open ? (
          <Button className="mt-3" onClick={lock}>
            {o.lock}
          </Button>
        ) : (
          <div className="mt-3">
            <PasswordForm action={o.unlock} onPassword={unlock} />
          </div>
        )}
      </section>
      <section className="border-t border-line pt-5">
        <h3 className="mb-2 font-semibold">{o.send}</h3>
        {settings.data ? (
          <SendForm settings={settings.data} address={stored.address} />
        ) : (
          <p className="text-sm text-muted">{settings.isError ? walletMessage(settings.error) : o.loading}</p>
        )}
      </section>
      <ExportWords />
      <RemoveWallet onRemoved={onRemoved} />
    </div>
  )
}

interface PasswordFormProps {
  action: string
  /** @throws WalletError */
  onPassword: (password: string) => Promise<void>
}

/** A password field with a submit button. */
function PasswordForm({ action, onPassword }: PasswordFormProps) {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (password === '') return setProblem(t.own.passwordMissing)
    setBusy(true)
    try {
      await onPassword(password)
      setPassword('')
    } catch (error) {
      setProblem(walletMessage(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form method="post" className="grid gap-3" onSubmit={(event) => void submit(event)} noValidate>
      <Field label={t.own.password} error={problem}>
        <PasswordInput
          name="wallet-password"
          autoComplete="off"
          value={password}
          onChange={(event) => {
            setPassword(event.target.value)
            setProblem(undefined)
          }}
        />
      </Field>
      <Button type="submit" busy={busy} className="justify-self-start">
        {action}
      </Button>
    </form>
  )
}

/** Shows the recovery phrase after the password was entered, until the page is hidden. */
function ExportWords() {
  const [words, setWords] = useState<readonly string[]>()
  const o = t.own
  useEffect(() => {
    if (!words) return
    const hide = () => document.hidden && setWords(undefined)
    document.addEventListener('visibilitychange', hide)
    return () => document.removeEventListener('visibilitychange', hide)
  }, [words])
  return (
    <section className="border-t border-line pt-5">
      <h3 className="mb-1 font-semibold">{o.exportTitle}</h3>
      <p className="mb-3 text-sm text-muted">{o.exportText}</p>
      {words ? (
        <>
          <WordGrid words={words} />
          <Button className="mt-3" onClick={() => setWords(undefined)}>
            {o.hide}
          </Button>
        </>
      ) : (
        <PasswordForm action={o.export} onPassword={async (password) => setWords(await exportMnemonic(password))} />
      )}
    </section>
  )
}

function RemoveWallet({ onRemoved }: { onRemoved: () => void }) {
  const [typed, setTyped] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const form = useId()
  const o = t.own
  const remove = async (event: FormEvent) => {
    event.preventDefault()
    try {
      await deleteWallet()
      toast.success(o.removed)
      onRemoved()
    } catch (error) {
      setProblem(walletMessage(error))
    }
  }
  return (
    <section className="border-t border-line pt-5">
      <h3 className="mb-1 font-semibold">{o.removeTitle}</h3>
      <p className="mb-3 text-sm text-muted">{o.removeText}</p>
      {typed === undefined ? (
        <Button look="quietDanger" className="-ml-3" onClick={() => setTyped('')}>
          {o.toRemove}
        </Button>
      ) : (
        <form id={form} method="post" className="grid gap-3" onSubmit={(event) => void remove(event)} noValidate>
          <Field label={o.removeType(o.removeWord)} error={problem}>
            <TextInput
              autoComplete="off"
              autoFocus
              spellCheck={false}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </Field>
          <Button
            look="danger"
            type="submit"
            className="justify-self-start"
            disabled={typed.trim().toLowerCase() !== o.removeWord}
          >
            {o.remove}
          </Button>
        </form>
      )}
    </section>
  )
}
