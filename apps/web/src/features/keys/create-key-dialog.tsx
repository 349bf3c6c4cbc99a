import type { Permission } from '@tidenet/contract'
import { NAME_MAX } from '@tidenet/contract/constants'
import { PERMISSIONS } from '@tidenet/contract/route'
import { type FormEvent, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, RadioCards } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { nameProblem } from '../files/entries.ts'
import type { NewKey } from './new-key-dialog.tsx'
import { abilities, permissionText } from './permissions.ts'
import { t } from './texts.ts'

export function CreateKeyDialog({ onClose, onCreated }: { onClose: () => void; onCreated: (key: NewKey) => void }) {
  const [name, setName] = useState('')
  const [type, setType] = useState<'admin' | 'normal'>('admin')
  const [perms, setPerms] = useState<Permission[]>(['readFile', 'createFile', 'readFolder'])
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [checked, setChecked] = useState(false)
  const noPerms = type === 'normal' && perms.length === 0

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    const wrong = nameProblem(name, NAME_MAX)
    setProblem(wrong)
    if (wrong || noPerms) return
    setBusy(true)
    try {
      const created = await api('apiKeys.create', {
        key_name: name.trim(),
        type,
        ...(type === 'normal' && { perms: perms.join(',') }),
      })
      refresh('apiKeys.list')
      onClose()
      onCreated({ name: name.trim(), type, perms, ...created })
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.page.createTitle}
      actions={
        <>
          <Button onClick={onClose}>{shell.words.cancel}</Button>
          <Button look="primary" type="submit" form="key-form" busy={busy}>
            {t.page.create}
          </Button>
        </>
      }
    >
      <form id="key-form" className="flex flex-col gap-5" onSubmit={(event) => void submit(event)} noValidate>
        <Field label={t.page.name} hint={t.nameHint} error={problem}>
          <TextInput
            autoFocus
            autoComplete="off"
            value={name}
            onChange={(event) => {
              setName(event.target.value)
              setProblem(undefined)
            }}
          />
        </Field>
        <RadioCards
          label={t.page.type}
          value={type}
          onChange={setType}
          columns="grid-cols-1"
          options={[
            { value: 'admin', title: t.page.admin, hint: t.page.adminHint },
            { value: 'normal', title: t.page.normal, hint: t.page.normalHint },
          ]}
        />
        {type === 'normal' && (
          <fieldset>
            <legend className="mb-2 text-sm font-medium">{t.page.permissions}</legend>
            <div className="grid gap-2 sm:grid-cols-2">
              {PERMISSIONS.map((perm) => (
                <Checkbox
                  key={perm}
                  checked={perms.includes(perm)}
                  onChange={(on) => setPerms(on ? [...perms, perm] : perms.filter((each) => each !== perm))}
                >
                  {permissionText(perm)}
                </Checkbox>
              ))}
            </div>
            {checked && noPerms ? (
              <p role="alert" className="mt-2 text-sm text-danger">
                {t.page.choosePermission}
              </p>
            ) : (
              perms.length > 0 && <p className="mt-3 text-sm text-muted">{abilities({ type, perms }).join(' ')}</p>
            )}
          </fieldset>
        )}
      </form>
    </Dialog>
  )
}
