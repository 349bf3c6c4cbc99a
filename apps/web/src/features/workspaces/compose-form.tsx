import { useNavigate } from '@tanstack/react-router'
import type { ComposedFile, ConsoleWorkspace } from '@tidenet/contract'
import { type FormEvent, useRef, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { Button } from '../../ui/button.tsx'
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { ComposePreview } from './compose-preview.tsx'
import { refreshConsole } from './queries.ts'
import { call } from './session.ts'
import { t } from './texts.ts'

const TEXT_MAX_BYTES = 128 * 1024

/** Deploys the services of a Compose file: first a preview, then all of them or none. */
export function ComposeForm({ space }: { space: ConsoleWorkspace }) {
  const navigate = useNavigate()
  const picker = useRef<HTMLInputElement>(null)
  const [origin, setOrigin] = useState<'text' | 'storage'>('text')
  const [text, setText] = useState('')
  const [file, setFile] = useState({ key: '', file: '' })
  const [values, setValues] = useState<Record<string, string>>({})
  /** Undefined after every change: what is created is what was seen. */
  const [composed, setComposed] = useState<ComposedFile>()
  /** Names of variables that the file used when it was last read. */
  const [variables, setVariables] = useState<readonly string[]>([])
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const changed = () => {
    setComposed(undefined)
    setProblem(undefined)
  }

  const send = async (preview: boolean) => {
    setProblem(undefined)
    const isEmpty = origin === 'text' ? text.trim() === '' : file.key.trim() === '' || file.file.trim() === ''
    if (isEmpty) return setProblem(origin === 'text' ? t.compose.missing : t.archive.missing)
    setBusy(true)
    try {
      const answer = await call('clusters.compose', {
        workspace: space.id,
        ...(origin === 'text' ? { text } : { file: { key: file.key.trim(), file: file.file.trim() } }),
        variables: Object.fromEntries(
          Object.entries(values).filter(([name, value]) => value !== '' && variables.includes(name)),
        ),
        preview,
      })
      setVariables(answer.variables)
      setComposed(answer)
      if (preview) return
      await refreshConsole('clusters.workspaces')
      toast.success(t.compose.done(answer.ids.length))
      void navigate({ to: '/console/workspaces/$workspace', params: { workspace: space.id } })
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const pick = async (chosen: File | undefined) => {
    if (!chosen) return
    if (chosen.size > TEXT_MAX_BYTES) return setProblem(t.compose.tooLarge)
    setText(await chosen.text())
    changed()
  }
  const isReady = composed !== undefined && composed.refused.length === 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send(!isReady)
  }

  return (
    <form className="grid gap-6" onSubmit={submit} noValidate>
      <Card className="grid gap-5 p-5 sm:p-6">
        <Segments
          label={t.compose.origin}
          isWide
          options={[
            { value: 'text', name: t.compose.paste },
            { value: 'storage', name: t.compose.storage },
          ]}
          value={origin}
          onChange={(next) => {
            setOrigin(next)
            changed()
          }}
        />
        {origin === 'text' ? (
          <>
            <Field label={t.compose.content} hint={t.compose.fileHint}>
              <TextInput
                render={<textarea rows={12} />}
                autoCapitalize="off"
                autoComplete="off"
                spellCheck={false}
                className="font-mono text-sm"
                value={text}
                onChange={(event) => {
                  setText(event.target.value)
                  changed()
                }}
              />
            </Field>
            <div>
              <input
                ref={picker}
                type="file"
                accept=".yaml,.yml"
                className="sr-only"
                aria-label={t.compose.pick}
                tabIndex={-1}
                onChange={(event) => void pick(event.target.files?.[0])}
              />
              <Button onClick={() => picker.current?.click()}>{t.compose.pick}</Button>
            </div>
          </>
        ) : (
          <>
            <Field label={t.files.keyLabel} hint={t.files.keyHint}>
              <PasswordInput
                autoComplete="off"
                className="font-mono text-sm"
                value={file.key}
                onChange={(event) => {
                  setFile({ ...file, key: event.target.value })
                  changed()
                }}
              />
            </Field>
            <Field label={t.archive.file} hint={t.compose.pathHint}>
              <TextInput
                autoCapitalize="off"
                autoComplete="off"
                spellCheck={false}
                className="font-mono text-sm"
                value={file.file}
                onChange={(event) => {
                  setFile({ ...file, file: event.target.value })
                  changed()
                }}
              />
            </Field>
          </>
        )}
        {variables.length > 0 && (
          <fieldset className="grid gap-3">
            <legend className="mb-1.5 text-sm font-medium">{t.compose.variables}</legend>
            {variables.map((name) => (
              <Field key={name} label={name}>
                <TextInput
                  autoComplete="off"
                  spellCheck={false}
                  className="max-w-sm font-mono text-sm"
                  value={values[name] ?? ''}
                  onChange={(event) => {
                    setValues({ ...values, [name]: event.target.value })
                    changed()
                  }}
                />
              </Field>
            ))}
          </fieldset>
        )}
      </Card>
      {composed && <ComposePreview composed={composed} network={space.network} />}
      {problem && (
        <Notice tone="bad" live>
          {problem}
        </Notice>
      )}
      <div>
        <Button look="primary" type="submit" busy={busy} className="min-h-11 px-6">
          {isReady ? t.compose.create(composed.programs.length) : t.compose.preview}
        </Button>
      </div>
    </form>
  )
}
