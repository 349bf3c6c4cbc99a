import { Link } from '@tanstack/react-router'
import { pageNames } from '../../lib/page-names.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Hero, Section } from '../../ui/page.tsx'
import { Badge, Notice } from '../../ui/states.tsx'
import { CodeBlock } from '../developer/code-block.tsx'
import { portalOrigin } from '../developer/origin.ts'
import type { Tab } from '../developer/tabs.tsx'
import { openSupport } from '../feedback/support.ts'
import { useServices } from '../products/use-services.ts'
import { Android } from './android.tsx'
import { cliCommands, nodeCommands } from './commands.ts'
import { Devices } from './devices.tsx'
import { LeaseDrawing } from './drawing.tsx'
import { Extension } from './extension-card.tsx'
import { ProgramCard } from './program-card.tsx'
import { SingleFiles } from './single-files.tsx'
import { t } from './texts.ts'

const tabsOf = (titles: Record<string, string>, commands: Record<string, string>): Tab[] =>
  Object.entries(commands).map(([key, code]) => ({
    key,
    title: titles[key] ?? key,
    content: <CodeBlock plain label={titles[key] ?? key} code={code} />,
  }))

/** Downloads of the node and the CLI, with commands and checksums. */
export function DownloadPage() {
  usePageTitle()
  const origin = portalOrigin()
  const { data } = useQuery(query('releases.list', {}))
  const version = data?.list[0]?.version
  return (
    <>
      <Hero
        eyebrow={t.eyebrow}
        title={t.title}
        intro={t.intro}
        actions={
          <>
            <a href="#single" className={buttonClass('primary', 'min-h-11 px-5')}>
              {t.toSingle}
            </a>
            <a href="#cli" className={buttonClass('secondary', 'min-h-11 px-5')}>
              {t.toCli}
            </a>
            <a href="#node" className={buttonClass('secondary', 'min-h-11 px-5')}>
              {t.toNode}
            </a>
          </>
        }
        note={version && t.note(version)}
      >
        <LeaseDrawing />
      </Hero>

      <SingleFiles />

      <Section id="devices" title={t.listTitle} intro={t.listIntro}>
        <Devices />
        <p className="mt-5 max-w-3xl text-sm text-muted">
          <span className="font-medium text-text">{t.testnet3}</span> <Testnet3 />
        </p>
      </Section>

      <Section id="android" title={t.android.title} intro={t.android.intro}>
        <Android />
      </Section>

      <Section id="cli" sunken title={t.cliTitle} intro={t.cliIntro}>
        <ProgramCard kind="cli" tabs={(file) => tabsOf(t.install, cliCommands(origin, file))} />
      </Section>

      <Section id="node" title={t.nodeTitle} intro={t.nodeIntro}>
        <ProgramCard kind="node" tabs={(file) => tabsOf(t.nodeWays, nodeCommands(origin, file))} />
        <p className="mt-5">
          {t.yours}{' '}
          <Link to="/devices" className="inline-flex min-h-6 items-center text-accent underline">
            {pageNames.devices}
          </Link>
        </p>
      </Section>

      <Section id="kinds" sunken title={t.kindsTitle}>
        <Kinds />
      </Section>

      <Section id="lease" title={t.stepsTitle}>
        <Steps />
      </Section>

      <Section id="extension" sunken title={t.extensionTitle}>
        <Extension />
      </Section>
    </>
  )
}

function Testnet3() {
  const { data } = useServices()
  const url = data?.networks.find(({ testnet }) => testnet === 3)?.url
  return url ? (
    <>
      {t.testnet3At}{' '}
      <a href={url} className="text-accent underline">
        {url}
      </a>
    </>
  ) : (
    t.testnet3Text
  )
}

function Kinds() {
  return (
    <>
      <ul className="grid gap-4 lg:grid-cols-3">
        {t.kinds.map(({ name, who, text, needs }, index) => (
          <li key={name} className="flex flex-col rounded-2xl border border-line bg-surface p-6">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <h3 className="text-lg font-semibold">{name}</h3>
              <Badge tone={index === 0 ? 'accent' : 'plain'}>{who}</Badge>
            </div>
            <p className="mt-2 mb-5 text-sm text-muted">{text}</p>
            <p className="mt-auto border-t border-line pt-4 text-sm font-medium">
              {index === 2 ? t.minimum : t.suggested}
            </p>
            <ul className="mt-2 flex flex-col gap-1 font-mono text-[0.875rem] tabular-nums">
              {needs.map((need) => (
                <li key={need}>{need}</li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <Button className="mt-6" onClick={() => openSupport('contact')}>
        {t.askToken}
      </Button>
    </>
  )
}

function Steps() {
  return (
    <>
      <ol className="grid gap-x-10 gap-y-8 md:grid-cols-2 lg:grid-cols-3">
        {t.steps.map(({ title, text }, index) => (
          <li key={title} className="border-t-2 border-line pt-4">
            <span aria-hidden className="font-mono text-sm text-accent tabular-nums">
              {index + 1}
            </span>
            <h3 className="mt-1 text-lg font-semibold">{title}</h3>
            <p className="mt-1.5 text-sm text-muted">{text}</p>
          </li>
        ))}
      </ol>
      <div className="mt-10 max-w-3xl">
        <Notice>
          {t.earnings}{' '}
          <Link to="/earn" className="underline">
            {t.toEarn}
          </Link>
        </Notice>
      </div>
      <Link to="/storagenetwork" className={buttonClass('secondary', 'mt-6')}>
        {t.toExplorer}
      </Link>
    </>
  )
}
