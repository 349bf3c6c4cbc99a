import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { openSession } from '../../lib/open-session.ts'
import { useSession } from '../../lib/session-store.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import {
  cancelPasskeyRequest,
  hasPasskeys,
  requestCredential,
  supportsAutofill,
  wasCancelled,
} from '../recent-auth/webauthn.ts'

const requestPasskey = async (autofill: boolean) =>
  requestCredential(await api('passkeys.loginOptions', {}, { token: '' }), autofill)

const signIn = async (autofill: boolean) => {
  // Autofill fails silently; errors are shown only after the button was pressed.
  const credential = await requestPasskey(autofill).catch((failure: unknown) => {
    if (!autofill) throw failure
  })
  if (!credential) return
  const { token } = await api('passkeys.login', { credential }, { token: '' })
  await openSession(token)
}

/** Passkey sign-in, by a button and, if supported, by autofill of the e-mail field. */
export function PasskeySignIn({ label }: { label: string }) {
  const [supported, setSupported] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const signedOut = useSession((session) => session.address === '')

  useEffect(() => setSupported(hasPasskeys()), [])
  useEffect(() => {
    if (!supported || !signedOut) return
    let mounted = true
    void supportsAutofill()
      .then((offers) => (offers && mounted ? signIn(true) : undefined))
      .catch((failure: unknown) => {
        if (mounted && !wasCancelled(failure)) setRefusal(messageOf(failure))
      })
    return () => {
      mounted = false
      void cancelPasskeyRequest()
    }
  }, [supported, signedOut])

  if (!supported) return null
  const ask = async () => {
    setBusy(true)
    setRefusal(undefined)
    try {
      await signIn(false)
    } catch (failure) {
      if (!wasCancelled(failure)) setRefusal(messageOf(failure))
      setBusy(false)
    }
  }
  return (
    <>
      <Button
        icon={<KeyRound aria-hidden className="size-4" />}
        className="min-h-10 w-full"
        busy={busy}
        onClick={() => void ask()}
      >
        {label}
      </Button>
      {refusal && (
        <Notice tone="bad" live>
          {refusal}
        </Notice>
      )}
    </>
  )
}
