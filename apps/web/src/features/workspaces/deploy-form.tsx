import { useNavigate } from '@tanstack/react-router'
import type { ConsoleWorkspace, Output, RouteOf, TemplateName } from '@tidenet/contract'
import { type FormEvent, useRef, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choices.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { tell } from '../../ui/toast.ts'
import { EnvFields, envProblem, type Variable } from './env-fields.tsx'
import { askAgain } from './queries.ts'
import { call } from './session.ts'
import { isShare, ShareFields, type ShareText, shareText, sizeOf } from './share-fields.tsx'
import { floored, LEAST, type Size } from './sizes.ts'
import { t } from './texts.ts'
import { freeName, IMAGE, NAME, portsOf, wordsOf } from './words.ts'

type Template = Output<RouteOf<'clusters.templates'>>['list'][number]
type What = TemplateName | 'image'

/** What a program is offered with, as far as it is left. */
const within = (wanted: Size, free: Size): Size => ({
  cpu: Math.max(LEAST.cpu, Math.min(wanted.cpu, floored('cpu', free.cpu))),
  memory: Math.max(LEAST.memory, Math.min(wanted.memory, floored('memory', free.memory))),
  storage: Math.max(LEAST.storage, Math.min(wanted.storage, floored('storage', free.storage))),
})
const IMAGE_SIZE: Size = { cpu: 0.5, memory: 512, storage: 5 }

const variablesOf = (template: Template | undefined): Variable[] =>
  (template?.env ?? []).map(({ name, value, secret }, index) => ({ key: index + 1, name, value, secret, fixed: true }))

export function DeployForm({ space, templates }: { space: ConsoleWorkspace; templates: readonly Template[] }) {
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const taken = space.workloads.map(({ name }) => name)
  const first = templates[0] as Template
  const [what, setWhat] = useState<What>(first.name)
  const [image, setImage] = useState('')
  const [command, setCommand] = useState('')
  /** Nothing until somebody types one: it follows what is chosen. */
  const [typedName, setTypedName] = useState<string>()
  const [share, setShare] = useState<ShareText>(() => shareText(within(first, space.free)))
  const [env, setEnv] = useState<Variable[]>(() => variablesOf(first))
  const [ports, setPorts] = useState('')
  const [checked, setChecked] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)

  const template = templates.find(({ name }) => name === what)
  const name = typedName ?? freeName(what === 'image' ? image || 'program' : what, taken)
  const wrong = {
    image: what === 'image' && !IMAGE.test(image.trim()) ? t.deploy.imageMissing : undefined,
    name: !NAME.test(name.trim().toLowerCase())
      ? t.deploy.nameWrong
      : taken.includes(name.trim().toLowerCase())
        ? t.deploy.nameTaken
        : undefined,
    ports: portsOf(ports) === undefined ? t.deploy.portsWrong : undefined,
  }
  const choose = (next: What) => {
    const found = templates.find(({ name }) => name === next)
    setWhat(next)
    setEnv(variablesOf(found))
    setShare(shareText(within(found ?? IMAGE_SIZE, space.free)))
    setPorts('')
    setChecked(false)
    setProblem(undefined)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    setProblem(undefined)
    if (
      wrong.image ||
      wrong.name ||
      wrong.ports ||
      !isShare(share, space.free) ||
      env.some((row) => envProblem(env, row))
    ) {
      // What is wrong is marked by then.
      setTimeout(() => form.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')?.focus())
      return setProblem(t.deploy.unfinished)
    }
    setBusy(true)
    try {
      const { id } = await call('clusters.deploy', {
        workspace: space.id,
        name: name.trim().toLowerCase(),
        ...(what === 'image' ? { image: image.trim(), command: wordsOf(command) } : { template: what }),
        env: Object.fromEntries(env.filter((row) => row.name !== '').map((row) => [row.name, row.value])),
        ports: portsOf(ports) ?? [],
        ...sizeOf(share),
      })
      await askAgain('clusters.workspaces')
      tell(t.deploy.done(name))
      void navigate({ to: '/console/workloads/$workload', params: { workload: id } })
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <form ref={form} className="grid max-w-3xl gap-6" onSubmit={(event) => void submit(event)} noValidate>
      <Card className="grid gap-5 p-5 sm:p-6">
        <RadioCards
          label={t.deploy.what}
          value={what}
          onChange={choose}
          options={[
            ...templates.map((each) => ({
              value: each.name as What,
              title: t.program[each.name].name,
              hint: t.program[each.name].text,
            })),
            { value: 'image' as What, title: t.deploy.image, hint: t.deploy.imageText },
          ]}
        />
        {what === 'image' ? (
          <>
            <Field label={t.deploy.imageName} hint={t.deploy.imageHint} error={checked ? wrong.image : undefined}>
              <TextInput
                autoCapitalize="off"
                autoComplete="off"
                spellCheck={false}
                className="font-mono text-sm"
                value={image}
                onChange={(event) => setImage(event.target.value)}
              />
            </Field>
            <Field label={t.deploy.command} hint={t.deploy.commandHint}>
              <TextInput
                autoCapitalize="off"
                autoComplete="off"
                spellCheck={false}
                className="font-mono text-sm"
                value={command}
                onChange={(event) => setCommand(event.target.value)}
              />
            </Field>
          </>
        ) : (
          <p className="text-sm text-muted">
            {template?.image ? (
              <>
                <code className="font-mono text-xs wrap-anywhere">{template.image}</code> · {t.deploy.registry}
              </>
            ) : (
              t.deploy.local
            )}
          </p>
        )}
        <Field label={t.deploy.name} hint={t.deploy.nameHint} error={checked ? wrong.name : undefined}>
          <TextInput
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
            maxLength={30}
            className="max-w-sm font-mono text-sm"
            value={name}
            onChange={(event) => setTypedName(event.target.value)}
          />
        </Field>
      </Card>
      <Card className="grid gap-5 p-5 sm:p-6">
        <h2 className="font-medium">{t.deploy.share}</h2>
        <ShareFields value={share} onChange={setShare} left={space.free} checked={checked} />
      </Card>
      <Card className="grid gap-6 p-5 sm:p-6">
        <EnvFields rows={env} onChange={setEnv} checked={checked} />
        {space.network && (
          <Field label={t.deploy.ports} hint={t.deploy.portsHint} error={checked ? wrong.ports : undefined}>
            <TextInput
              inputMode="numeric"
              autoComplete="off"
              placeholder={template?.ports.join(', ') ?? ''}
              className="max-w-sm font-mono text-sm"
              value={ports}
              onChange={(event) => setPorts(event.target.value)}
            />
          </Field>
        )}
      </Card>
      {problem && (
        <Notice tone="bad" live>
          {problem}
        </Notice>
      )}
      <div>
        <Button look="primary" type="submit" busy={busy} className="min-h-11 px-6">
          {t.deploy.go}
        </Button>
      </div>
    </form>
  )
}
