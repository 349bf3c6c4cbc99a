import { NAME_MAX } from '@tidenet/contract/constants'
import { type FormEvent, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { nameProblem } from '../files/entries.ts'
import { t } from './texts.ts'

interface NameDialogProps {
  title: string
  action: string
  value?: string
  onClose: () => void
  onSubmit: (name: string) => Promise<unknown>
}

/** Asks for the name of a team. */
export function NameDialog({ title, action, value = '', onClose, onSubmit }: NameDialogProps) {
  const [name, setName] = useState(value)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wrong = nameProblem(name, NAME_MAX)
    setProblem(wrong)
    if (wrong) return
    setBusy(true)
    try {
      await onSubmit(name.trim())
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      form
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{shell.words.cancel}</Button>
          <Button look="primary" type="submit" form="team-form" busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      <form id="team-form" onSubmit={(event) => void submit(event)} noValidate>
        <Field label={t.name} hint={t.nameHint} error={problem}>
          <TextInput
            autoComplete="off"
            value={name}
            onChange={(event) => {
              setName(event.target.value)
              setProblem(undefined)
            }}
          />
        </Field>
      </form>
    </Dialog>
  )
}

/** Invites an e-mail address. */
export function InviteDialog({ team, onClose }: { team: string; onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<'viewer' | 'editor'>('editor')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
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
