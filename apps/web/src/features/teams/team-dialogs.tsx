import { type FormEvent, useRef, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './texts.ts'

/** Invites an e-mail address. */
export function InviteDialog({ team, onClose }: { team: string; onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<'viewer' | 'editor'>('editor')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await api('teams.invite', { team, email, role })
      refresh('teams.members', 'teams.activity')
      toast.success(t.invited)
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
      input.current?.focus()
    }
  }
  return (
    <Dialog
      open
      form
      onClose={onClose}
      title={t.inviteTitle}
      actions={
        <>
          <Button onClick={onClose}>{shell.words.cancel}</Button>
          <Button look="primary" type="submit" form="invite-form" busy={busy}>
            {t.invite}
          </Button>
        </>
      }
    >
      <form id="invite-form" className="flex flex-col gap-5" onSubmit={(event) => void submit(event)} noValidate>
        <Field label={t.email} hint={t.emailHint} error={problem}>
          <TextInput
            ref={input}
            type="email"
            autoComplete="off"
            value={email}
            onChange={(event) => {
              setEmail(event.target.value)
              setProblem(undefined)
            }}
          />
        </Field>
        <RadioCards
          label={t.role}
          value={role}
          onChange={setRole}
          columns="grid-cols-1"
          options={(['viewer', 'editor'] as const).map((value) => ({
            value,
            title: t.roles[value],
            hint: t.roleHints[value],
          }))}
        />
      </form>
    </Dialog>
  )
}
