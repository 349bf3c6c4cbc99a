import { Link } from '@tanstack/react-router'
import type { ConsoleWorkspace } from '@tidenet/contract'
import { lazy, Suspense } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyIcon } from '../../ui/copy.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Card, Loading, Notice } from '../../ui/states.tsx'
import { EnvFields } from './env-fields.tsx'
import { PortsField } from './program-fields.tsx'
import { ShareFields } from './share-fields.tsx'
import { t } from './texts.ts'
import { type Deployed, type Template, useDeployment } from './use-deployment.ts'
import { SourceField, WhatFields } from './what-fields.tsx'

const FolderSection = lazy(async () => ({ default: (await import('./folder-section.tsx')).FolderSection }))
// Loaded when chosen.
const ComposeForm = lazy(async () => ({ default: (await import('./compose-form.tsx')).ComposeForm }))

export function DeployForm({
  space,
  templates,
  chosen,
}: {
  space: ConsoleWorkspace
  templates: readonly Template[]
  /** A folder of the storage for the program. */
  chosen: { id: number; name: string } | undefined
}) {
  const deployment = useDeployment(space, templates, chosen)
  const { form, template, deployed, name, setName, share, setShare, env, setEnv, ports, setPorts } = deployment
  const { checked, wrong, problem, busy, submit } = deployment
  if (deployed) return <Secrets deployed={deployed} />
  if (deployment.source === 'compose')
    return (
      <div className="grid max-w-3xl gap-6">
        <Card className="p-5 sm:p-6">
          <SourceField deployment={deployment} archives={space.archives} />
        </Card>
        <Suspense fallback={<Loading />}>
          <ComposeForm space={space} />
        </Suspense>
      </div>
    )
  return (
    <form ref={form} className="grid max-w-3xl gap-6" onSubmit={submit} noValidate>
      <Card className="grid gap-5 p-5 sm:p-6">
        <WhatFields deployment={deployment} templates={templates} archives={space.archives} />
        <Field label={t.deploy.name} hint={t.deploy.nameHint} error={wrong.name}>
          <TextInput
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
            maxLength={30}
            className="max-w-sm font-mono text-sm"
            value={name}
            onChange={(event) => setName(event.target.value)}
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
          <PortsField
            value={ports}
            onChange={setPorts}
            placeholder={template?.ports.join(', ') ?? ''}
            hint={t.deploy.portsHint}
            error={wrong.ports}
          />
        )}
      </Card>
      {space.folders && (
        <Suspense fallback={null}>
          <FolderSection value={deployment.folder} onChange={deployment.setFolder} checked={checked} />
        </Suspense>
      )}
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

/** Secrets that were generated. They are shown here only. */
function Secrets({ deployed: { id, name, generated } }: { deployed: Deployed }) {
  return (
    <Card className="grid max-w-3xl gap-5 p-5 sm:p-6">
      <h2 className="font-medium">{t.deploy.secrets(name)}</h2>
      <p className="text-sm text-muted">{t.deploy.secretsText}</p>
      <dl className="grid gap-3">
        {generated.map((one) => (
          <div key={one.name} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <dt className="font-mono text-sm">{one.name}</dt>
            <dd className="flex min-w-0 items-center gap-1">
              <code className="font-mono text-sm wrap-anywhere">{one.value}</code>
              <CopyIcon text={one.value} label={t.deploy.copy(one.name)} />
            </dd>
          </div>
        ))}
      </dl>
      <div>
        <Link to="/console/workloads/$workload" params={{ workload: id }} className={buttonClass('primary')}>
          {t.deploy.show(name)}
        </Link>
      </div>
    </Card>
  )
}
