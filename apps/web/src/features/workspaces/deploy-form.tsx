import type { ConsoleWorkspace } from '@tidenet/contract'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choices.tsx'
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { EnvFields } from './env-fields.tsx'
import { ImageField, PortsField } from './program-fields.tsx'
import { ShareFields } from './share-fields.tsx'
import { t } from './texts.ts'
import { type Deployment, type Template, useDeployment, type What } from './use-deployment.ts'

export function DeployForm({ space, templates }: { space: ConsoleWorkspace; templates: readonly Template[] }) {
  const deployment = useDeployment(space, templates)
  const { form, what, choose, template, name, setName, share, setShare, env, setEnv, ports, setPorts } = deployment
  const { checked, wrong, problem, busy, submit } = deployment
  return (
    <form ref={form} className="grid max-w-3xl gap-6" onSubmit={submit} noValidate>
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
            ...(space.archives ? [{ value: 'archive' as What, title: t.archive.title, hint: t.archive.text }] : []),
          ]}
        />
        {what === 'image' ? (
          <ImageFields deployment={deployment} />
        ) : what === 'archive' ? (
          <ArchiveFields deployment={deployment} />
        ) : (
          <Origin template={template} />
        )}
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

/** A custom image and its command. */
function ImageFields({ deployment }: { deployment: Deployment }) {
  const { image, setImage, wrong } = deployment
  return (
    <>
      <ImageField value={image} onChange={setImage} hint={t.deploy.imageHint} error={wrong.image} />
      <CommandField deployment={deployment} />
    </>
  )
}

/** An image archive in the account's storage, and its command. */
function ArchiveFields({ deployment }: { deployment: Deployment }) {
  const { archive, setArchive, wrong } = deployment
  return (
    <>
      <p className="text-sm text-muted">{t.archive.limits}</p>
      <Field label={t.files.keyLabel} hint={t.files.keyHint}>
        <PasswordInput
          autoComplete="off"
          className="font-mono text-sm"
          value={archive.key}
          onChange={(event) => setArchive({ ...archive, key: event.target.value })}
        />
      </Field>
      <Field label={t.archive.file} hint={t.archive.fileHint} error={wrong.archive}>
        <TextInput
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-sm"
          value={archive.file}
          onChange={(event) => setArchive({ ...archive, file: event.target.value })}
        />
      </Field>
      <CommandField deployment={deployment} />
    </>
  )
}

function CommandField({ deployment: { command, setCommand } }: { deployment: Deployment }) {
  return (
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
  )
}

/** Origin of a template's image. */
function Origin({ template }: { template: Template | undefined }) {
  return (
    <p className="text-sm text-muted">
      {template?.image ? (
        <>
          <code className="font-mono text-xs wrap-anywhere">{template.image}</code> · {t.deploy.registry}
        </>
      ) : (
        t.deploy.local
      )}
    </p>
  )
}
