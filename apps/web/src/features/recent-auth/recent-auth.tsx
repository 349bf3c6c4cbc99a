import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { ApiError, api, messageOf } from '../../lib/api.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { signOut } from '../../lib/sign-out.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { Notice } from '../../ui/states.tsx'
import { CodeInput, isTotp } from './code-input.tsx'
import { t } from './texts.ts'
import { hasPasskeys, requestCredential, wasCancelled } from './webauthn.ts'

const PROOF_NEEDED = 1030

/** Runs an operation that needs recent authentication. Rejects with the operation's error; undefined if the user cancels. */
export type WithRecentAuth = <T>(work: () => Promise<T>) => Promise<T | undefined>

/**
 * For `withRecentAuth`: asks for recent authentication before the user does something else for an operation that needs it.
 * @throws ApiError as the operation would
 */
export async function checkRecentAuth(): Promise<true> {
  const { proved_until } = await api('secondFactors.overview', {})
  if (proved_until === null) throw new ApiError('refused', '', PROOF_NEEDED)
  return true
}

/** Runs operations; if the server requires recent authentication, asks for it and runs the operation again. */
export function useRecentAuth(): { withRecentAuth: WithRecentAuth; dialog: React.ReactNode } {
  const [asked, setAsked] = useState<(given: boolean) => void>()
  const withRecentAuth = useCallback<WithRecentAuth>(async (work) => {
    try {
      return await work()
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.err !== PROOF_NEEDED) throw failure
      const given = await new Promise<boolean>((resolve) => setAsked(() => resolve))
      setAsked(undefined)
      return given ? work() : undefined
    }
  }, [])
  return { withRecentAuth, dialog: asked && <RecentAuthDialog onDone={asked} /> }
}

function RecentAuthDialog({ onDone }: { onDone: (given: boolean) => void }) {
  const form = useRef<HTMLFormElement>(null)
  const { data } = useQuery(query('secondFactors.overview', {}))
  const [secret, setSecret] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const passkey = Boolean(data?.passkeys.length) && hasPasskeys()
  const byCode = Boolean(data?.totp_since) && !data?.passkey_required
  const byPassword = data?.password && !data.totp_since && !data.passkey_required
  const asks = Boolean(byCode || byPassword)
  // The form may arrive after the dialog. On touch screens, the focus would open the on-screen keyboard.
  useEffect(() => {
    if (asks && !matchMedia('(pointer: coarse)').matches) form.current?.querySelector('input')?.focus()
  }, [asks])

  const show = async (given: () => Promise<object>) => {
    setBusy(true)
    setRefusal(undefined)
    try {
      await api('secondFactors.prove', await given())
      onDone(true)
    } catch (failure) {
      setBusy(false)
      if (!wasCancelled(failure)) setRefusal(messageOf(failure))
      form.current?.querySelector('input')?.select()
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The dialog may be in another form of the React tree, which would be submitted as well.
    event.stopPropagation()
    if (byCode && !isTotp(secret)) return setRefusal(t.codeProblem)
    void show(async () => (byCode ? { code: secret } : { password: secret }))
  }
  const byPasskey = () =>
    show(async () => ({ credential: await requestCredential(await api('passkeys.proveOptions', {})) }))
  return (
    <Dialog open form onClose={() => onDone(false)} title={t.title} description={t.text}>
      <div className="flex flex-col gap-4">
        {asks && (
          <form ref={form} method="post" className="flex flex-col gap-4" onSubmit={submit} noValidate>
            {byCode ? (
              <CodeInput kind="totp" label={t.code} value={secret} error={undefined} onChange={setSecret} />
            ) : (
              <Field label={t.password}>
                <PasswordInput
                  name="password"
                  autoComplete="current-password"
                  value={secret}
                  onChange={(event) => setSecret(event.target.value)}
                />
              </Field>
            )}
            <Button look="primary" type="submit" busy={busy} disabled={!secret} className="min-h-10">
              {t.go}
            </Button>
          </form>
        )}
        {passkey && (
          <Button busy={busy} className="min-h-10" onClick={() => void byPasskey()}>
            {t.passkey}
          </Button>
        )}
        {data && !byCode && !byPassword && !passkey && (
          <>
            <p className="text-sm">{t.none}</p>
            <Button look="primary" onClick={() => void signOut()}>
              {t.signInAgain}
            </Button>
          </>
        )}
        {refusal && (
          <Notice tone="bad" live>
            {refusal}
          </Notice>
        )}
      </div>
    </Dialog>
  )
}
