import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { openSession } from '../../lib/open-session.ts'
import { useSession } from '../../lib/session-store.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import { hasPasskeys, offersInField, showPasskey, stopAsking, wasCancelled } from './webauthn.ts'

const pick = async (quietly: boolean) => showPasskey(await api('passkeys.loginOptions', {}, { token: '' }), quietly)

const signIn = async (quietly: boolean) => {
  // Whoever picks none types an address: that the browser cannot ask is told to who has pressed the button.
  const credential = await pick(quietly).catch((failure: unknown) => {
    if (!quietly) throw failure
  })
  if (!credential) return
  const { token } = await api('passkeys.login', { credential }, { token: '' })
  await openSession(token)
}

/** Signing in with a passkey: by a button, and where the browser can, by the list under the field for the address. */
export function PasskeyWay({ label }: { label: string }) {
  const [there, setThere] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const nobody = useSession((session) => session.address === '')

  useEffect(() => setThere(hasPasskeys()), [])
  useEffect(() => {
    if (!there || !nobody) return
    let here = true
    void offersInField()
      .then((offers) => (offers && here ? signIn(true) : undefined))
      .catch((failure: unknown) => {
        if (here && !wasCancelled(failure)) setRefusal(messageOf(failure))
      })
    return () => {
      here = false
      void stopAsking()
    }
  }, [there, nobody])

  if (!there) return null
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
