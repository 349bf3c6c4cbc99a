import { RadioCards } from '../../ui/choices.tsx'
import { StoredImageFields } from './image-choice.tsx'
import { CommandField, ImageField } from './program-fields.tsx'
import { t } from './texts.ts'
import type { Deployment, Template } from './use-deployment.ts'

/** What is deployed: where it comes from, and which one. */
export function WhatFields({
  deployment,
  templates,
  archives,
}: {
  deployment: Deployment
  templates: readonly Template[]
  archives: boolean
}) {
  const { source, what, choose, template } = deployment
  return (
    <>
      <SourceField deployment={deployment} archives={archives} />
      {source === 'image' ? (
        <ImageFields deployment={deployment} />
      ) : source === 'archive' ? (
        <ArchiveFields deployment={deployment} />
      ) : (
        <>
          <RadioCards
            label={t.deploy.template}
            value={what}
            onChange={choose}
            columns="grid-cols-2 sm:grid-cols-3"
            options={templates.map(({ name, tested }) => ({
              value: name,
              title: t.program[name].name,
              ...(tested === 'none' && { hint: t.deploy.untried }),
            }))}
          />
          {template && <About template={template} />}
        </>
      )}
    </>
  )
}

/** Where a program comes from. */
export function SourceField({
  deployment: { source, chooseSource },
  archives,
}: {
  deployment: Deployment
  archives: boolean
}) {
  return (
    <RadioCards
      label={t.deploy.what}
      value={source}
      onChange={chooseSource}
      options={[
        { value: 'template', title: t.deploy.template, hint: t.deploy.templateText },
        { value: 'image', title: t.deploy.image, hint: t.deploy.imageText },
        ...(archives ? [{ value: 'archive' as const, title: t.archive.title, hint: t.archive.text }] : []),
        { value: 'compose', title: t.compose.title, hint: t.compose.text },
      ]}
    />
  )
}

/** What the selected template does, where its image comes from, and whether it was ever run. */
function About({ template: { name, image, ports, paths, tested } }: { template: Template }) {
  return (
    <div className="grid gap-1.5 rounded-lg bg-sunken px-4 py-3 text-sm">
      <p>{t.program[name].text}</p>
      <p className="text-muted">
        {image ? (
          <>
            <code className="font-mono text-xs wrap-anywhere">{image}</code> · {t.deploy.registry}
          </>
        ) : (
          t.deploy.local
        )}
      </p>
      {ports.length > 0 && <p className="text-muted">{t.deploy.portsOf(t.list(ports))}</p>}
      {paths.length > 0 && <p className="text-muted">{t.deploy.pathsOf(t.list(paths))}</p>}
      <p className={tested === 'none' ? 'text-warn' : 'text-muted'}>{t.deploy.tested[tested]}</p>
    </div>
  )
}

/** A custom image and its command. */
function ImageFields({ deployment }: { deployment: Deployment }) {
  const { image, setImage, command, setCommand, wrong } = deployment
  return (
    <>
      <ImageField value={image} onChange={setImage} hint={t.deploy.imageHint} error={wrong.image} />
      <CommandField value={command} onChange={setCommand} />
    </>
  )
}

/** An image in the account's storage, and its command. */
function ArchiveFields({ deployment }: { deployment: Deployment }) {
  const { archive, setArchive, command, setCommand, wrong } = deployment
  return (
    <>
      <StoredImageFields value={archive} onChange={setArchive} error={wrong.archive} />
      <CommandField value={command} onChange={setCommand} />
    </>
  )
}
