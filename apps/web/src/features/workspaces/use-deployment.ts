import { useNavigate } from '@tanstack/react-router'
import type { ConsoleWorkspace, Input, Output, RouteOf, TemplateName } from '@tidenet/contract'
import { type FormEvent, useRef, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { focusFirstError } from '../../lib/focus.ts'
import { toast } from '../../ui/toast.ts'
import { envProblem, type Variable } from './env-fields.tsx'
import type { FolderChoice } from './folder-choice.tsx'
import { type ImageChoice, isChosen, NO_IMAGE, withImage } from './image-choice.tsx'
import { freeName, IMAGE, NAME, portsOf, splitCommand } from './parse.ts'
import { refreshConsole } from './queries.ts'
import { call } from './session.ts'
import { isShare, type ShareText, shareText, sizeOf } from './share-fields.tsx'
import { floorToStep, LEAST, type Size } from './sizes.ts'
import { t } from './texts.ts'

export type Template = Output<RouteOf<'clusters.templates'>>['list'][number]
export type What = TemplateName | 'image' | 'archive' | 'compose'
export type Source = 'template' | 'image' | 'archive' | 'compose'

/** A program that was deployed, with secrets that are shown once. */
export interface Deployed {
  id: string
  name: string
  generated: readonly { name: string; value: string }[]
}

/** The default size, limited to what is free. */
const limitedTo = (size: Size, free: Size): Size => ({
  cpu: Math.max(LEAST.cpu, Math.min(size.cpu, floorToStep('cpu', free.cpu))),
  memory: Math.max(LEAST.memory, Math.min(size.memory, floorToStep('memory', free.memory))),
  storage: Math.max(LEAST.storage, Math.min(size.storage, floorToStep('storage', free.storage))),
})
const IMAGE_SIZE: Size = { cpu: 0.5, memory: 512, storage: 5 }

const variablesOf = (template: Template | undefined): Variable[] =>
  (template?.env ?? []).map(({ name, value, secret }, index) => ({ key: index + 1, name, value, secret, fixed: true }))

const NONE = { image: undefined, archive: undefined, name: undefined, ports: undefined }

/** What the suggested name of a program is made of. */
function baseName({ what, image, archive }: { what: What; image: string; archive: ImageChoice }): string {
  const { picked } = archive
  if (what === 'image') return image || 'program'
  if (what === 'archive')
    return (
      (picked && (picked.file === '.' ? picked.name : picked.name.replace(/\.(tar|tgz|tar\.gz)$/i, ''))) || 'program'
    )
  return what === 'compose' ? 'program' : what
}

/** State, validation and submission of the form that deploys a program. */
export function useDeployment(space: ConsoleWorkspace, templates: readonly Template[], chosen: FolderChoice['folder']) {
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const taken = space.workloads.map(({ name }) => name)
  const first = templates[0] as Template
  const [what, setWhat] = useState<What>(first.name)
  const [image, setImage] = useState('')
  const [archive, setArchive] = useState<ImageChoice>(NO_IMAGE)
  const [command, setCommand] = useState('')
  /** Undefined until the user types one: the default follows the selected program. */
  const [typedName, setTypedName] = useState<string>()
  const [share, setShare] = useState<ShareText>(() => shareText(limitedTo(first, space.free)))
  const [env, setEnv] = useState<Variable[]>(() => variablesOf(first))
  const [ports, setPorts] = useState('')
  const [folder, setFolder] = useState<FolderChoice | undefined>(
    chosen && space.folders ? { folder: chosen, key: '', path: '/data/work' } : undefined,
  )
  const [checked, setChecked] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [deployed, setDeployed] = useState<Deployed>()

  const template = templates.find(({ name }) => name === what)
  const name = typedName ?? freeName(baseName({ what, image, archive }), taken)
  const wrong = {
    image: what === 'image' && !IMAGE.test(image.trim()) ? t.deploy.imageMissing : undefined,
    archive: what === 'archive' && !isChosen(archive) ? t.archive.missing : undefined,
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
    setShare(shareText(limitedTo(found ?? IMAGE_SIZE, space.free)))
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
      wrong.archive ||
      wrong.name ||
      wrong.ports ||
      !isShare(share, space.free) ||
      env.some((row) => envProblem(env, row))
    ) {
      return focusFirstError(form.current, () => setProblem(t.deploy.unfinished))
    }
    setBusy(true)
    try {
      const chosen = folder && (await import('./folder-choice.tsx'))
      const wrongFolder = folder && chosen?.folderProblems(folder)
      if (wrongFolder?.which || wrongFolder?.path) {
        setBusy(false)
        return focusFirstError(form.current, () => setProblem(t.deploy.unfinished))
      }
      const input = {
        workspace: space.id,
        name: name.trim().toLowerCase(),
        ...(what === 'image'
          ? { image: image.trim(), command: splitCommand(command) }
          : what === 'archive'
            ? { command: splitCommand(command) }
            : { template: what as TemplateName }),
        env: Object.fromEntries(env.filter((row) => row.name !== '').map((row) => [row.name, row.value])),
        ports: portsOf(ports) ?? [],
        ...sizeOf(share),
      }
      const deploy = (more: Pick<Input<RouteOf<'clusters.deploy'>>, 'archive'>) =>
        folder && chosen
          ? chosen.withProgramKey(folder, input.name, (given) =>
              call('clusters.deploy', { ...input, ...more, folder: given }),
            )
          : call('clusters.deploy', { ...input, ...more })
      const { id, generated } = await (what === 'archive'
        ? withImage(archive, input.name, (given) => deploy({ archive: given }))
        : deploy({}))
      await refreshConsole('clusters.workspaces')
      toast.success(t.deploy.done(name))
      if (generated.length > 0) return setDeployed({ id, name, generated })
      void navigate({ to: '/console/workloads/$workload', params: { workload: id } })
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return {
    form,
    what,
    source: (what === 'image' || what === 'archive' || what === 'compose' ? what : 'template') as Source,
    choose,
    /** The first template again, or another origin. */
    chooseSource: (source: Source) => choose(source === 'template' ? first.name : source),
    deployed,
    template,
    image,
    setImage,
    archive,
    setArchive,
    command,
    setCommand,
    name,
    setName: setTypedName,
    share,
    setShare,
    env,
    setEnv,
    ports,
    setPorts,
    folder,
    setFolder,
    /** Whether to show problems. */
    checked,
    wrong: checked ? wrong : NONE,
    problem,
    busy,
    submit: (event: FormEvent) => void submit(event),
  }
}

export type Deployment = ReturnType<typeof useDeployment>
