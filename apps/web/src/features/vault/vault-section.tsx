import type { KitDraft, VaultKey } from '@tidenet/storage'
import { FileKey, KeyRound, type LucideIcon, TextCursorInput } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { formatDate } from '../../lib/format.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { storage } from '../../lib/storage.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Card, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import type { WithRecentAuth } from '../recent-auth/recent-auth.tsx'
import { hasPasskeys } from '../recent-auth/webauthn.ts'
import { askVault } from './ask.ts'
import { KitSteps } from './kit-steps.tsx'
import { LockButton } from './lock-button.tsx'
import { PassphraseForm } from './passphrase-form.tsx'
import { dataOf } from './results.ts'
import { lockVault, useVault } from './store.ts'
import { t } from './texts.ts'

const icons: Record<'kit' | 'passphrase' | 'passkey', LucideIcon> = {
  kit: FileKey,
  passphrase: TextCursorInput,
  passkey: KeyRound,
}

interface Removing {
  id: number
  name: string
}

type Asking =
  | { what: 'passphrase'; key: VaultKey; replaces: number | undefined }
  | { what: 'passkey'; key: VaultKey }
  | { what: 'kit'; draft: KitDraft<{ id: number }> }
  | { what: 'end' }

/** The ways to unlock encrypted files: adds and removes them, makes a new recovery kit, and ends encryption. */
export function VaultSection({ withRecentAuth }: { withRecentAuth: WithRecentAuth }) {
  const w = t.ways
  const info = useQuery(query('vault.info', {}))
  const unlocked = useVault(({ key }) => key !== undefined)
  const [asking, setAsking] = useState<Asking>()
  const [removing, setRemoving] = useState<Removing>()
  const { data } = info
  const reload = () => refresh('vault.info')
  const close = () => setAsking(undefined)

  /** Opens a dialog that needs the key. */
  const withKey = async (next: (key: VaultKey) => Promise<Asking>) => {
    const key = await askVault()
    if (!key) return
    try {
      setAsking(await next(key))
    } catch (error) {
      toast.error(error)
    }
  }
  const add = async (work: () => Promise<unknown>) => {
    const added = await withRecentAuth(work)
    if (!added) return
    reload()
    toast.success(w.added)
    close()
  }
  return (
    <Card className="p-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-56">
          <h2 className="text-lg font-semibold">{w.title}</h2>
          <p className="mt-1 text-sm text-muted">{w.text}</p>
        </div>
        {data?.vault && <LockButton unlocked={unlocked} />}
      </div>
      {info.isPending ? (
        <Loading />
      ) : info.isError ? (
        <LoadFailed title={w.failed} error={info.error} onRetry={() => void info.refetch()} />
      ) : !data?.vault ? (
        <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
          <p className="min-w-0 flex-1 basis-56 text-sm text-muted">{w.off}</p>
          <Button onClick={() => void askVault()}>{w.setUp}</Button>
        </div>
      ) : (
        <>
          <ul className="mt-4 border-t border-line">
            {data.vault.ways.map((way) => {
              const Icon = icons[way.kind]
              const name = way.kind === 'passkey' ? way.name : w.kinds[way.kind]
              return (
                <li key={way.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-3">
                  <Icon aria-hidden className="size-4 shrink-0 text-muted" />
                  <div className="min-w-0 flex-1 basis-40">
                    <p className="font-medium wrap-anywhere">
                      {way.kind === 'passkey' ? `${w.kinds.passkey}: ${way.name}` : name}
                    </p>
                    <p className="text-sm text-muted">{w.made(formatDate(way.created_at))}</p>
                  </div>
                  <span className="-mr-2 flex">
                    {way.kind === 'kit' && (
                      <Button look="ghost" onClick={() => void withKey(newKit)}>
                        {w.newKit}
                      </Button>
                    )}
                    {way.kind === 'passphrase' && (
                      <Button
                        look="ghost"
                        onClick={() => void withKey(async (key) => ({ what: 'passphrase', key, replaces: way.id }))}
                      >
                        {w.changePassphrase}
                      </Button>
                    )}
                    {way.kind !== 'kit' && (data.vault?.ways.length ?? 0) > 2 && (
                      <Button
                        look="quietDanger"
                        aria-label={w.removeOf(name)}
                        onClick={() => setRemoving({ id: way.id, name })}
                      >
                        {w.remove}
                      </Button>
                    )}
                  </span>
                </li>
              )
            })}
          </ul>
          <p className="mt-3 text-sm text-muted">
            {w.last} {w.count(data.folders, data.files)}
          </p>
          <div className="mt-4 flex flex-wrap gap-2">
            {!data.vault.ways.some(({ kind }) => kind === 'passphrase') && (
              <Button onClick={() => void withKey(async (key) => ({ what: 'passphrase', key, replaces: undefined }))}>
                {w.addPassphrase}
              </Button>
            )}
            {hasPasskeys() && (
              <Button onClick={() => void withKey(async (key) => ({ what: 'passkey', key }))}>{w.addPasskey}</Button>
            )}
            <Button look="quietDanger" onClick={() => setAsking({ what: 'end' })}>
              {w.end}
            </Button>
          </div>
        </>
      )}
      {asking?.what === 'passphrase' && (
        <Ask title={asking.replaces === undefined ? w.addPassphrase : w.changePassphrase} onClose={close}>
          <PassphraseForm
            action={w.add}
            onPassphrase={(passphrase) =>
              add(async () => {
                const { replaces } = asking
                const way = { passphrase, name: 'passphrase', ...(replaces !== undefined && { replaces }) }
                return dataOf(await (await storage()).vault.addWay(asking.key, way))
              })
            }
          />
        </Ask>
      )}
      {asking?.what === 'passkey' && (
        <Ask title={w.addPasskey} text={t.setup.passkeyText} onClose={close}>
          <PasskeyForm
            onName={(name) =>
              add(async () => dataOf(await (await storage()).vault.addWay(asking.key, { passkey: true, name })))
            }
          />
        </Ask>
      )}
      {asking?.what === 'kit' && (
        <Ask title={w.newKit} wide onClose={close}>
          <div className="mb-4">
            <Notice>{w.newKitText}</Notice>
          </div>
          <KitSteps kit={asking.draft.kit} onKept={() => add(async () => dataOf(await asking.draft.save()))} />
        </Ask>
      )}
      {asking?.what === 'end' && (
        <EndDialog
          files={data?.files ?? 0}
          needed={(data?.files ?? 0) + (data?.folders ?? 0) > 0}
          onClose={close}
          onEnd={async (loseFiles) => {
            const ended = await withRecentAuth(async () => dataOf(await (await storage()).vault.remove({ loseFiles })))
            if (!ended) return
            lockVault()
            reload()
            toast.success(w.ended)
            close()
          }}
        />
      )}
      {removing && (
        <Confirm
          title={w.removeTitle}
          text={w.removeText(removing.name)}
          action={w.remove}
          onClose={() => setRemoving(undefined)}
          onConfirm={async () => {
            const done = await withRecentAuth(async () => dataOf(await (await storage()).vault.removeWay(removing.id)))
            if (done) toast.success(w.removed)
            setRemoving(undefined)
            reload()
          }}
        />
      )}
    </Card>
  )
}

const newKit = async (key: VaultKey): Promise<Asking> => ({
  what: 'kit',
  draft: dataOf(await (await storage()).vault.newKit(key)),
})

interface AskProps {
  title: string
  text?: string
  wide?: boolean
  onClose: () => void
  children: ReactNode
}

const Ask = ({ title, text, wide = false, onClose, children }: AskProps) => (
  <Dialog open persistent form wide={wide} title={title} description={text} onClose={onClose}>
    {children}
  </Dialog>
)

function PasskeyForm({ onName }: { onName: (name: string) => Promise<void> }) {
  const w = t.ways
  const [name, setName] = useState(t.setup.passkeyName)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await onName(name)
    } catch (error) {
      setProblem(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <form method="post" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
      <Field label={w.name} hint={w.nameHint} error={problem}>
        <TextInput
          name="passkey-name"
          maxLength={50}
          autoComplete="off"
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            setProblem(undefined)
          }}
        />
      </Field>
      <Button look="primary" type="submit" busy={busy} disabled={name.trim() === ''} className="min-h-10">
        {w.add}
      </Button>
    </form>
  )
}

interface EndProps {
  files: number
  /** Encrypted files or folders exist. */
  needed: boolean
  onClose: () => void
  onEnd: (loseFiles: boolean) => Promise<void>
}

function EndDialog({ files, needed, onClose, onEnd }: EndProps) {
  const w = t.ways
  const [given, setGiven] = useState(false)
  const [busy, setBusy] = useState(false)
  const end = () => {
    setBusy(true)
    onEnd(needed)
      .catch((error: unknown) => toast.error(error))
      .finally(() => setBusy(false))
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={w.endTitle}
      actions={
        <Button look="danger" busy={busy} disabled={needed && !given} onClick={end}>
          {w.end}
        </Button>
      }
    >
      {needed ? (
        <div className="flex flex-col gap-4">
          <Notice tone="bad">{w.endLoses(files)}</Notice>
          <Checkbox checked={given} onChange={setGiven}>
            {w.endAnyway}
          </Checkbox>
        </div>
      ) : (
        <p>{w.endText}</p>
      )}
    </Dialog>
  )
}
