import type { VaultKey } from '@tidenet/storage'
import { FileKey, KeyRound } from 'lucide-react'
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { storage } from '../../lib/storage.ts'
import { Button } from '../../ui/button.tsx'
import { Field, inputClass, PasswordInput } from '../../ui/field.tsx'
import { dataOf } from './results.ts'
import { useVault } from './store.ts'
import { t } from './texts.ts'

interface Props {
  /** The kinds of ways that the vault has. */
  kinds: readonly string[]
  onUnlocked?: (key: VaultKey) => void
}

/** Unlocks by any way of the vault; a key that does not fit is called wrong. */
export function UnlockForm({ kinds, onUnlocked }: Props) {
  const u = t.unlock
  const canPassphrase = kinds.includes('passphrase')
  const [byKit, setByKit] = useState(!canPassphrase)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const file = useRef<HTMLInputElement>(null)

  const unlock = async (by: { passphrase: string } | { kit: string } | { passkey: true }) => {
    setBusy(true)
    setProblem(undefined)
    try {
      const { vault } = await storage()
      const key = dataOf(await vault.unlock(by))
      useVault.setState({ key })
      onUnlocked?.(key)
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text !== '') void unlock(byKit ? { kit: text } : { passphrase: text })
  }
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = currentTarget.files ?? []
    if (chosen)
      void chosen
        .slice(0, 100_000)
        .text()
        .then((kit) => unlock({ kit }))
    currentTarget.value = ''
  }
  const change = (next: string) => {
    setText(next)
    setProblem(undefined)
  }
  return (
    <form method="post" className="flex flex-col gap-4" onSubmit={submit} noValidate>
      {byKit ? (
        <Field label={u.kit} hint={u.kitHint} error={problem}>
          <textarea
            name="kit"
            rows={4}
            autoComplete="off"
            spellCheck={false}
            aria-label={u.kit}
            className={`${inputClass} font-mono text-sm`}
            value={text}
            onChange={(event) => change(event.target.value)}
          />
        </Field>
      ) : (
        <Field label={u.passphrase} error={problem}>
          <PasswordInput
            name="vault-passphrase"
            autoComplete="current-password"
            value={text}
            onChange={(event) => change(event.target.value)}
          />
        </Field>
      )}
      <Button look="primary" type="submit" busy={busy} disabled={text === ''} className="min-h-10">
        {u.go}
      </Button>
      <div className="flex flex-wrap gap-2">
        {byKit && (
          <>
            <Button
              icon={<FileKey aria-hidden className="size-4" />}
              disabled={busy}
              onClick={() => file.current?.click()}
            >
              {u.kitFile}
            </Button>
            <input ref={file} type="file" hidden accept=".txt,text/plain" aria-label={u.kitFile} onChange={take} />
          </>
        )}
        {(byKit ? canPassphrase : true) && (
          <Button
            disabled={busy}
            onClick={() => {
              setByKit(!byKit)
              change('')
            }}
          >
            {byKit ? u.byPassphrase : u.byKit}
          </Button>
        )}
        {kinds.includes('passkey') && (
          <Button
            icon={<KeyRound aria-hidden className="size-4" />}
            disabled={busy}
            onClick={() => void unlock({ passkey: true })}
          >
            {u.byPasskey}
          </Button>
        )}
      </div>
    </form>
  )
}
