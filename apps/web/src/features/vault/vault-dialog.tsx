import type { KitDraft, VaultKey } from '@tidenet/storage'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { messageOf } from '../../lib/api.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { onSessionEnd } from '../../lib/session-store.ts'
import { storage } from '../../lib/storage.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { useRecentAuth } from '../recent-auth/recent-auth.tsx'
import { hasPasskeys } from '../recent-auth/webauthn.ts'
import { KitSteps } from './kit-steps.tsx'
import { PassphraseForm } from './passphrase-form.tsx'
import { dataOf } from './results.ts'
import { useVault } from './store.ts'
import { t } from './texts.ts'
import { UnlockForm } from './unlock-form.tsx'

let open: Promise<VaultKey | undefined> | undefined

/** Shows the dialog over any page, once. @returns the key; undefined if it is closed */
export function showVaultDialog(): Promise<VaultKey | undefined> {
  open ??= new Promise<VaultKey | undefined>((resolve) => {
    const host = document.createElement('div')
    document.body.append(host)
    const root = createRoot(host)
    const end = (key?: VaultKey) => {
      open = undefined
      forget()
      resolve(key)
      // Not while it renders.
      setTimeout(() => {
        root.unmount()
        host.remove()
      })
    }
    const forget = onSessionEnd(() => end())
    root.render(<VaultDialog onDone={end} />)
  })
  return open
}

function VaultDialog({ onDone }: { onDone: (key?: VaultKey) => void }) {
  const info = useQuery({ ...query('vault.info', {}), staleTime: 0 })
  const [settingUp, setSettingUp] = useState(false)
  const setup = settingUp || info.data?.vault === null
  if (setup) return <SetupDialog onBegun={() => setSettingUp(true)} onDone={onDone} />
  return (
    <Dialog open persistent form onClose={() => onDone()} title={t.unlock.title} description={t.unlock.text}>
      {info.isError ? (
        <LoadFailed title={t.ways.failed} error={info.error} onRetry={() => void info.refetch()} />
      ) : info.data?.vault ? (
        <UnlockForm
          kinds={info.data.vault.ways.map(({ kind }) => kind)}
          onUnlocked={(key) => {
            toast.success(t.unlock.done)
            onDone(key)
          }}
        />
      ) : (
        <Loading />
      )}
    </Dialog>
  )
}

/** Sets up the vault: passphrase, recovery kit, a check of the kit, and a passkey if wanted. */
function SetupDialog({ onBegun, onDone }: { onBegun: () => void; onDone: (key?: VaultKey) => void }) {
  const s = t.setup
  const [draft, setDraft] = useState<KitDraft<VaultKey>>()
  const [made, setMade] = useState<VaultKey>()
  const { withRecentAuth, dialog } = useRecentAuth()
  const prepare = async (passphrase: string) => {
    onBegun()
    setDraft(dataOf(await (await storage()).vault.prepare({ passphrase })))
  }
  const keep = async () => {
    const key = await withRecentAuth(async () => draft && dataOf(await draft.save()))
    if (!key) return
    useVault.setState({ key })
    refresh('vault.info')
    toast.success(s.done)
    if (hasPasskeys()) setMade(key)
    else onDone(key)
  }
  return (
    <Dialog
      open
      persistent
      form
      wide={Boolean(draft)}
      onClose={() => onDone(made)}
      title={made ? s.passkeyTitle : s.title}
    >
      {made ? (
        <AddPasskey vaultKey={made} withRecentAuth={withRecentAuth} onDone={() => onDone(made)} />
      ) : draft ? (
        <KitSteps kit={draft.kit} onKept={keep} />
      ) : (
        <PassphraseForm action={s.next} onPassphrase={prepare}>
          <p className="text-sm text-muted">{s.text}</p>
        </PassphraseForm>
      )}
      {dialog}
    </Dialog>
  )
}

interface AddPasskeyProps {
  vaultKey: VaultKey
  withRecentAuth: ReturnType<typeof useRecentAuth>['withRecentAuth']
  onDone: () => void
}

function AddPasskey({ vaultKey, withRecentAuth, onDone }: AddPasskeyProps) {
  const s = t.setup
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const add = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const { vault } = await storage()
      const added = await withRecentAuth(async () =>
        dataOf(await vault.addWay(vaultKey, { passkey: true, name: s.passkeyName })),
      )
      refresh('vault.info')
      if (added) return onDone()
    } catch (error) {
      setProblem(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-muted">{s.passkeyText}</p>
      {problem && (
        <Notice tone="bad" live>
          {problem}
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onDone}>{s.later}</Button>
        <Button look="primary" busy={busy} onClick={() => void add()}>
          {s.addPasskey}
        </Button>
      </div>
    </div>
  )
}
