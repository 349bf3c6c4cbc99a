import type { Permission } from '@tidenet/contract'
import { KEY_FOLDERS_MAX, NAME_MAX } from '@tidenet/contract/constants'
import { PERMISSIONS } from '@tidenet/contract/route'
import { type FormEvent, useRef, useState } from 'react'
import { ApiError, api, messageOf } from '../../lib/api.ts'
import { focusFirstError } from '../../lib/focus.ts'
import { formatDateTime } from '../../lib/format.ts'
import { refresh } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { nameProblem } from '../../ui/name-problem.ts'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { type Caps, CapsFields, capsOf, readCaps } from './caps-fields.tsx'
import { t as capTexts } from './caps-texts.ts'
import { type Expiry, ExpiryField, readExpiry } from './expiry-field.tsx'
import { type ChosenFolders, FoldersField } from './folders-field.tsx'
import { t as form } from './form-texts.ts'
import { type Key, type NewKey, secretsOf } from './key.ts'
import { PermissionsField } from './permissions-field.tsx'
import { t } from './texts.ts'

const KEY_NAME_TAKEN = 10014

interface Props {
  /** Undefined: a new one. */
  apiKey?: Key | undefined
  onClose: () => void
  onCreated: (key: NewKey) => void
}

/** Creates a key, or changes its name, permissions and limits. */
export function KeyDialog({ apiKey, onClose, onCreated }: Props) {
  const [name, setName] = useState(apiKey?.name ?? '')
  const [type, setType] = useState<Key['type']>(apiKey?.type ?? 'admin')
  const [perms, setPerms] = useState<readonly Permission[]>(
    apiKey?.type === 'normal'
      ? PERMISSIONS.filter((perm) => apiKey.perms.includes(perm))
      : ['readFile', 'createFile', 'readFolder'],
  )
  const [limit, setLimit] = useState<'all' | 'some'>(apiKey?.folders ? 'some' : 'all')
  const [folders, setFolders] = useState<ChosenFolders>(apiKey?.folders ?? [])
  const [expiry, setExpiry] = useState<Expiry>({ preset: apiKey ? 'same' : 'never', date: '' })
  const [ips, setIps] = useState(apiKey?.ips.join('\n') ?? '')
  const [caps, setCaps] = useState<Caps>(() => capsOf(apiKey))
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<{ field: 'name' | 'ips' | 'form'; text: string }>()
  const element = useRef<HTMLFormElement>(null)

  // The server does not change what a key for a workspace can do.
  const isFixed = typeof apiKey?.group_id === 'number'
  const problems = {
    name: nameProblem(name, NAME_MAX),
    perms: !isFixed && type === 'normal' && perms.length === 0 ? t.page.choosePermission : undefined,
    folders: isFixed || limit === 'all' ? undefined : problemOf(folders),
    date: readExpiry(expiry, Date.now()) === null ? form.dateMissing : undefined,
    traffic: readCaps(caps).traffic_cap === undefined ? capTexts.badNumber : undefined,
    spending: readCaps(caps).spending_cap === undefined ? capTexts.badWhole : undefined,
  }
  const shown = checked ? problems : undefined
  const refusedAt = (field: 'name' | 'ips' | 'form') => (refusal?.field === field ? refusal.text : undefined)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const expires = readExpiry(expiry, Date.now())
    if (expires === null || Object.values(problems).some(Boolean))
      return focusFirstError(element.current, () => {
        setRefusal(undefined)
        setChecked(true)
      })
    setRefusal(undefined)
    setBusy(true)
    const terms = {
      ...(!isFixed && {
        type,
        ...(type === 'normal' && { perms: [...perms] }),
        folders: limit === 'some' ? folders.map(({ id }) => id) : [],
        ...readCaps(caps),
      }),
      ...(expires !== undefined && { expires_at: expires }),
      ips: ips.split(/[\s,，]+/).filter(Boolean),
    }
    try {
      if (apiKey) {
        await api('apiKeys.change', { key_name: apiKey.name, new_name: name.trim(), ...terms })
        toast.success(form.saved)
      } else {
        const created = await api('apiKeys.create', { key_name: name.trim(), ...terms })
        onCreated({ name: name.trim(), type, perms: [...perms], ...secretsOf(created) })
      }
      refresh('apiKeys.list')
      onClose()
    } catch (error) {
      focusFirstError(element.current, () => {
        setRefusal({ field: fieldOf(error), text: messageOf(error) })
        setBusy(false)
      })
    }
  }
  return (
    <Dialog
      open
      form
      persistent
      wide
      onClose={onClose}
      title={apiKey ? form.editTitle(apiKey.name) : t.page.createTitle}
      actions={
        <>
          <Button onClick={onClose}>{shell.words.cancel}</Button>
          <Button look="primary" type="submit" form="key-form" busy={busy}>
            {apiKey ? form.save : t.page.create}
          </Button>
        </>
      }
    >
      <form
        ref={element}
        id="key-form"
        className="flex flex-col gap-5"
        onSubmit={(event) => void submit(event)}
        noValidate
      >
        <Field label={t.page.name} hint={t.nameHint} error={shown?.name ?? refusedAt('name')}>
          <TextInput
            autoComplete="off"
            value={name}
            onChange={(event) => {
              setName(event.target.value)
              setRefusal(undefined)
            }}
          />
        </Field>
        {isFixed ? (
          <p className="text-muted">{t.forWorkspace}</p>
        ) : (
          <>
            <PermissionsField type={type} perms={perms} error={shown?.perms} onType={setType} onPerms={setPerms} />
            <FoldersField
              value={limit}
              chosen={folders}
              error={shown?.folders}
              onLimit={setLimit}
              onChoose={setFolders}
            />
          </>
        )}
        <ExpiryField
          value={expiry}
          {...(apiKey && { current: apiKey.expires_at ? formatDateTime(apiKey.expires_at) : form.never })}
          error={shown?.date}
          onChange={setExpiry}
        />
        <Field
          label={
            <>
              {form.ips} <span className="font-normal text-muted">({shell.words.optional})</span>
            </>
          }
          hint={form.ipsHint}
          error={refusedAt('ips')}
        >
          <TextInput
            render={<textarea rows={3} />}
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-sm"
            value={ips}
            onChange={(event) => {
              setIps(event.target.value)
              setRefusal(undefined)
            }}
          />
        </Field>
        {!isFixed && (
          <CapsFields value={caps} errors={{ traffic: shown?.traffic, spending: shown?.spending }} onChange={setCaps} />
        )}
        {refusedAt('form') && (
          <Notice tone="bad" live>
            {refusedAt('form')}
          </Notice>
        )}
      </form>
    </Dialog>
  )
}

function problemOf(folders: ChosenFolders): string | undefined {
  if (folders.length === 0) return form.chooseFolder
  return folders.length > KEY_FOLDERS_MAX ? form.tooManyFolders(KEY_FOLDERS_MAX) : undefined
}

/** The field that a refusal is about. */
function fieldOf(error: unknown): 'name' | 'ips' | 'form' {
  if (!(error instanceof ApiError)) return 'form'
  if (error.err === KEY_NAME_TAKEN) return 'name'
  return (error.data as { field?: unknown } | undefined)?.field === 'ips' ? 'ips' : 'form'
}
