import type { ConsoleWorkload } from '@tidenet/contract'
import { type FormEvent, useRef, useState } from 'react'
import { focusFirstError } from '../../lib/focus.ts'
import { Button } from '../../ui/button.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { EnvFields, envProblem, type Variable } from './env-fields.tsx'
import { type ImageChoice, isChosen, NO_IMAGE, StoredImageFields, withImage } from './image-choice.tsx'
import { t as k } from './image-texts.ts'
import { IMAGE, joinCommand, portsOf } from './parse.ts'
import { changesOf, isUnchanged } from './program-changes.ts'
import { CommandField, ImageField, PortsField } from './program-fields.tsx'
import { call } from './session.ts'
import { t } from './texts.ts'
import { useSubmit } from './use-submit.ts'

type DeployedWorkload = Pick<ConsoleWorkload, 'id' | 'name' | 'image' | 'command' | 'env' | 'ports' | 'wanted'>

/** Changes when the initial values of the form change. */
export const settingsKey = ({
  image,
  command,
  env,
  ports,
}: Pick<DeployedWorkload, 'image' | 'command' | 'env' | 'ports'>): string =>
  JSON.stringify([image, command, env, ports.map(({ port }) => port)])

const existingVariables = (names: readonly string[]): Variable[] =>
  names.map((name, index) => ({ key: index + 1, name, value: '', fixed: false, secret: false, existing: true }))

/** Form to change image, command, variables and ports of a program. */
export function ProgramForm({
  workload,
  network,
  archives,
}: {
  workload: DeployedWorkload
  network: boolean
  archives: boolean
}) {
  const form = useRef<HTMLFormElement>(null)
  const isArchive = /^(archive|layout):/.test(workload.image)
  const [image, setImage] = useState(isArchive ? '' : workload.image)
  const [origin, setOrigin] = useState<'registry' | 'storage'>(isArchive && archives ? 'storage' : 'registry')
  const [stored, setStored] = useState<ImageChoice>(NO_IMAGE)
  const [command, setCommand] = useState(() => joinCommand(workload.command))
  const [env, setEnv] = useState<Variable[]>(() => existingVariables(workload.env))
  const [ports, setPorts] = useState(() => workload.ports.map(({ port }) => port).join(', '))
  const [checked, setChecked] = useState(false)
  const { problem, setProblem, busy, submit } = useSubmit()
  const wrong = {
    image:
      origin === 'storage'
        ? false
        : image.trim() === ''
          ? workload.image !== '' && !isArchive
          : !IMAGE.test(image.trim()),
    ports: portsOf(ports) === undefined,
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    setProblem(undefined)
    if (wrong.image || wrong.ports || env.some((row) => envProblem(env, row))) {
      return focusFirstError(form.current, () => setProblem(t.deploy.unfinished))
    }
    const other = origin === 'storage' && isChosen(stored)
    const named = origin === 'storage' ? '' : image.trim()
    const changes = changesOf(workload, { image: named, command, env, ports: portsOf(ports) ?? [] })
    if (isUnchanged(changes) && !other) return setProblem(t.settings.nothing)
    const change = async () => {
      const input = { id: workload.id, ...changes }
      await (other
        ? withImage(stored, workload.name, (archive) => call('clusters.change', { ...input, archive }))
        : call('clusters.change', input))
      setStored(NO_IMAGE)
      // Values are not shown again after saving.
      setEnv((rows) => existingVariables(rows.map(({ name }) => name).filter((name) => name !== '')))
    }
    void submit(change, workload.wanted ? t.settings.changed : t.settings.changedLater)
  }
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="font-medium">{t.settings.change}</h2>
      <p className="mt-1 mb-4 text-sm text-muted">{t.settings.changeText}</p>
      <form ref={form} className="grid gap-5" onSubmit={save} noValidate>
        {archives && (
          <Segments
            label={k.where}
            isWide
            options={[
              { value: 'registry', name: k.registry },
              { value: 'storage', name: k.storage },
            ]}
            value={origin}
            onChange={setOrigin}
          />
        )}
        {origin === 'storage' ? (
          <>
            {isArchive && <p className="text-sm text-muted">{k.stays}</p>}
            <StoredImageFields value={stored} onChange={setStored} error={undefined} />
          </>
        ) : (
          <ImageField
            value={image}
            onChange={setImage}
            hint={isArchive ? t.archive.keep : workload.image ? t.settings.imageText : t.settings.imageOwn}
            error={checked && wrong.image ? t.deploy.imageMissing : undefined}
          />
        )}
        <CommandField value={command} onChange={setCommand} />
        <EnvFields rows={env} onChange={setEnv} checked={checked} intro={t.settings.envText} />
        {network && (
          <PortsField
            value={ports}
            onChange={setPorts}
            hint={t.settings.portsText}
            error={checked && wrong.ports ? t.deploy.portsWrong : undefined}
          />
        )}
        {problem && (
          <Notice tone="bad" live>
            {problem}
          </Notice>
        )}
        <div>
          <Button type="submit" look="primary" busy={busy}>
            {t.settings.apply}
          </Button>
        </div>
      </form>
    </Card>
  )
}
