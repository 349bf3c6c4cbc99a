import { NAME_MAX } from '@tidenet/contract/constants'
import { KeyRound, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ApiError, api } from '../../lib/api.ts'
import { formatDate } from '../../lib/format.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
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
  // Suggest the name of this device from the list of sessions.
  const { data } = useQuery({ ...query('sessions.list', {}), enabled: adding })
  const device = data?.sessions.find(({ current }) => current)?.device

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
  /** Returns false if the user cancels. */
  const add = async (name: string) => {
    try {
      const done = await withRecentAuth(async () => {
        await addPasskey(name)
        return true
      })
      if (!done) return false
    } catch (failure) {
      if (wasCancelled(failure)) return false
      throw isAlreadyRegistered(failure) ? new ApiError('refused', p.held) : failure
    }
    toast.success(p.added)
    reload()
    return true
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
          description={p.text}
          label={p.name}
          hint={p.nameHint}
          suggested={device ? p.suggestion(device.program, device.system) : ''}
          max={NAME_MAX}
          action={p.go}
          onClose={() => setAdding(false)}
          onSubmit={add}
        />
      )}
      {renaming && (
        <NameDialog
          title={p.renameOf(renaming.name)}
          label={p.name}
          hint={p.nameHint}
          initial={renaming.name}
          max={NAME_MAX}
          action={shell.words.save}
          onClose={() => setRenaming(undefined)}
          onSubmit={async (name) => {
            await api('passkeys.rename', { id: renaming.id, name })
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
