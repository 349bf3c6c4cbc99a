import { KeyRound, Plus } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { formatDate } from '../../lib/format.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Badge, Card, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { addPasskey, hasPasskeys, isAlreadyRegistered, wasCancelled } from '../recent-auth/webauthn.ts'
import { formatMoment } from './format.ts'
import type { Overview, SectionProps } from './section.ts'
import { t } from './texts.ts'

type Passkey = Overview['passkeys'][number]

const reload = () => refresh('secondFactors.overview')

export function PasskeysSection({ overview, withRecentAuth, onCodes }: SectionProps) {
  const p = t.passkeys
  const [adding, setAdding] = useState(false)
  const [renaming, setRenaming] = useState<Passkey>()
  const [removing, setRemoving] = useState<Passkey>()
  const [can, setCan] = useState(true)
  const [busy, setBusy] = useState(false)
  useEffect(() => setCan(hasPasskeys()), [])

  const require = async (required: boolean) => {
    setBusy(true)
    try {
      const done = await withRecentAuth(() => api('secondFactors.requirePasskey', { required }))
      if (done) onCodes(done.recovery)
      reload()
    } catch (failure) {
      toast.error(failure)
    }
    setBusy(false)
  }
  return (
    <Card className="p-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-56">
          <h2 className="text-lg font-semibold">{p.title}</h2>
          <p className="mt-1 text-sm text-muted">{p.text}</p>
        </div>
        <Button icon={<Plus aria-hidden className="size-4" />} disabled={!can} onClick={() => setAdding(true)}>
          {p.add}
        </Button>
      </div>
      {!can && (
        <div className="mt-4">
          <Notice>{p.cannot}</Notice>
        </div>
      )}
      {overview.passkeys.length === 0 ? (
        <p className="mt-4 border-t border-line pt-4 text-sm text-muted">{p.none}</p>
      ) : (
        <>
          <ul className="mt-4 border-t border-line">
            {overview.passkeys.map((passkey) => (
              <li key={passkey.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-3">
                <KeyRound aria-hidden className="size-4 shrink-0 text-muted" />
                <div className="min-w-0 flex-1 basis-48">
                  <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
                    {passkey.name}
                    {passkey.synced && <Badge>{p.synced}</Badge>}
                  </p>
                  <p className="text-sm text-muted">
                    {p.made(formatDate(passkey.created_at))}
                    {' · '}
                    {passkey.used_at ? p.used(formatMoment(passkey.used_at)) : p.unused}
                  </p>
                </div>
                <span className="-mr-2 flex">
                  <Button look="ghost" aria-label={p.renameOf(passkey.name)} onClick={() => setRenaming(passkey)}>
                    {p.rename}
                  </Button>
                  <Button look="quietDanger" aria-label={p.removeOf(passkey.name)} onClick={() => setRemoving(passkey)}>
                    {p.remove}
                  </Button>
                </span>
              </li>
            ))}
          </ul>
          <div className="mt-4">
            <Checkbox
              checked={overview.passkey_required}
              disabled={busy}
              hint={p.requiredHint}
              onChange={(next) => void require(next)}
            >
              {p.required}
            </Checkbox>
          </div>
        </>
      )}
      {adding && (
        <NameDialog
          title={p.add}
          text={p.text}
          action={p.go}
          onClose={() => setAdding(false)}
          onName={async (name) => {
            const done = await withRecentAuth(async () => {
              await addPasskey(name)
              return true
            })
            if (done) toast.success(p.added)
            setAdding(false)
            reload()
          }}
        />
      )}
      {renaming && (
        <NameDialog
          title={p.renameOf(renaming.name)}
          name={renaming.name}
          action={shell.words.save}
          onClose={() => setRenaming(undefined)}
          onName={async (name) => {
            await api('passkeys.rename', { id: renaming.id, name })
            setRenaming(undefined)
            reload()
          }}
        />
      )}
      {removing && (
        <Confirm
          title={p.removeTitle}
          text={p.removeText(removing.name)}
          action={p.remove}
          onClose={() => setRemoving(undefined)}
          onConfirm={async () => {
            const done = await withRecentAuth(() => api('passkeys.remove', { id: removing.id }))
            if (done) toast.success(p.removed)
            setRemoving(undefined)
            reload()
          }}
        />
      )}
    </Card>
  )
}

interface NameDialogProps {
  title: string
  text?: string
  /** Empty: suggests a name for this browser. */
  name?: string
  action: string
  onClose: () => void
  onName: (name: string) => Promise<void>
}

function NameDialog({ title, text, name: given = '', action, onClose, onName }: NameDialogProps) {
  const p = t.passkeys
  const [name, setName] = useState(given)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  // Suggest the device name from the list of sessions.
  const { data } = useQuery({ ...query('sessions.list', {}), enabled: given === '' })
  const device = data?.sessions.find(({ current }) => current)?.device
  const suggested = given || (device ? p.suggestion(device.program, device.system) : '')
  const shown = name || suggested

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      await onName(shown)
    } catch (failure) {
      setBusy(false)
      if (isAlreadyRegistered(failure)) setProblem(p.held)
      else if (!wasCancelled(failure)) setProblem(messageOf(failure))
    }
  }
  return (
    <Dialog open onClose={onClose} title={title} description={text}>
      <form method="post" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        <Field label={p.name} hint={p.nameHint} error={problem}>
          <TextInput
            name="passkey-name"
            maxLength={50}
            autoComplete="off"
            placeholder={suggested}
            value={name}
            onChange={(event) => {
              setName(event.target.value)
              setProblem(undefined)
            }}
          />
        </Field>
        <Button look="primary" type="submit" busy={busy} className="min-h-10">
          {action}
        </Button>
      </form>
    </Dialog>
  )
}
