import type { ConsoleWorkload } from '@tidenet/contract'
import { FolderInput } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { formatSize } from '../../lib/format.ts'
import { shortenEmail } from '../../lib/phrases.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choices.tsx'
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { FolderDialog } from './folder-dialog.tsx'
import { withFolderKey } from './folder-key.ts'
import { usePortalPerson } from './portal-person.ts'
import { call } from './session.ts'
import { t } from './texts.ts'

/** Copies a folder of the account's storage to a program's disk, with an API key restricted to that folder. */
export function FilesView({ workload }: { workload: ConsoleWorkload }) {
  // Only the portal's session, if there is one in this browser, can create API keys; the console's cannot.
  const person = usePortalPerson()
  const [how, setHow] = useState<'choose' | 'key'>(person ? 'choose' : 'key')
  const [folder, setFolder] = useState<{ id: number; name: string }>()
  const [picking, setPicking] = useState(false)
  const [key, setKey] = useState('')
  const [target, setTarget] = useState('')
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<{ tone: 'good' | 'bad'; text: string }>()
  const runs = workload.state === 'running'
  const byKey = how === 'key' || !person

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    setResult(undefined)
    if (byKey ? key.trim() === '' : !folder) return
    setBusy(true)
    const copy = (apiKey: string) => call('clusters.copyIn', { id: workload.id, key: apiKey, target: target.trim() })
    try {
      const { files, bytes } = byKey
        ? await copy(key.trim())
        : await withFolderKey(
            { name: t.files.keyName(workload.name), terms: { group_id: folder?.id ?? 0 }, lifetime: 'call' },
            copy,
          )
      setResult({ tone: 'good', text: t.files.done(files, formatSize(bytes)) })
    } catch (error) {
      setResult({ tone: 'bad', text: messageOf(error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card className="max-w-3xl p-5 sm:p-6">
      <h2 className="font-medium">{t.files.title}</h2>
      <p className="mt-1 mb-5 text-sm text-muted">
        {t.files.intro} {t.files.sealed}
      </p>
      <form className="grid gap-5" onSubmit={(event) => void submit(event)} noValidate>
        {!runs && <Notice tone="warn">{t.files.notRunning}</Notice>}
        {person ? (
          <RadioCards
            label={t.files.how}
            value={how}
            onChange={setHow}
            columns="grid-cols-1"
            options={[
              {
                value: 'choose',
                title: t.files.choose,
                hint: t.files.chooseHint(person.includes('@') ? shortenEmail(person) : person),
              },
              { value: 'key', title: t.files.key, hint: t.files.keyHint },
            ]}
          />
        ) : (
          <p className="text-sm text-muted">{t.files.keyAside}</p>
        )}
        {byKey ? (
          <Field
            label={t.files.keyLabel}
            hint={person ? undefined : t.files.keyHint}
            error={checked && key.trim() === '' ? t.files.keyMissing : undefined}
          >
            <PasswordInput
              autoComplete="off"
              className="font-mono text-sm"
              value={key}
              onChange={(event) => setKey(event.target.value)}
            />
          </Field>
        ) : (
          <div className="flex flex-wrap items-center gap-3">
            <span className="text-sm">
              <span className="text-muted">{t.files.folder}: </span>
              <span translate={folder ? 'no' : undefined} className="font-medium wrap-anywhere">
                {folder?.name ?? t.files.noFolder}
              </span>
            </span>
            <Button onClick={() => setPicking(true)}>{folder ? t.files.another : t.files.pick}</Button>
            {checked && !folder && (
              <p role="alert" className="w-full text-sm text-danger">
                {t.files.folderMissing}
              </p>
            )}
          </div>
        )}
        <Field label={t.files.target} hint={t.files.targetHint}>
          <TextInput
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
            placeholder="/data"
            className="max-w-sm font-mono text-sm"
            value={target}
            onChange={(event) => setTarget(event.target.value)}
          />
        </Field>
        {busy && <Notice live>{t.files.going}</Notice>}
        {result && (
          <Notice tone={result.tone} live>
            {result.text}
          </Notice>
        )}
        <div>
          <Button
            type="submit"
            look="primary"
            icon={<FolderInput aria-hidden className="size-4" />}
            busy={busy}
            disabled={!runs}
          >
            {t.files.go}
          </Button>
        </div>
      </form>
      {picking && <FolderDialog value={folder} onClose={() => setPicking(false)} onChoose={setFolder} />}
    </Card>
  )
}
