import { Link } from '@tanstack/react-router'
import {
  Activity,
  BookOpen,
  Bot,
  Database,
  FileJson,
  Globe,
  Import,
  KeyRound,
  Package,
  Rocket,
  Terminal,
} from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { lang } from '../../lib/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Hero, Section } from '../../ui/page.tsx'
import { Loading, Notice } from '../../ui/states.tsx'
import { CodeBlock } from './code-block.tsx'
import { startCommands, streamCommand } from './commands.ts'
import { VerifiedDrawing } from './drawing.tsx'
import { examples } from './examples.ts'
import { Limits } from './limits.tsx'
import { portalOrigin } from './origin.ts'
import { steps } from './steps.ts'
import { Tabs } from './tabs.tsx'
import { t } from './texts.ts'
import { Webhooks } from './webhooks.tsx'

const CodeTables = lazy(() => import('./code-tables.tsx').then(({ CodeTables }) => ({ default: CodeTables })))

/** The developer hub: API keys, SDK, CLI and HTTP API, tested examples, error codes and limits. */
export function DeveloperPage() {
  usePageTitle()
  return (
    <>
      <Hero
        eyebrow={t.eyebrow}
        title={t.title}
        intro={t.intro}
        actions={
          <>
            <Link to="/key" className={buttonClass('primary', 'min-h-11 px-5')}>
              {t.createKey}
            </Link>
            <Link to="/docs/api" className={buttonClass('secondary', 'min-h-11 px-5')}>
              {t.reference}
            </Link>
          </>
        }
        note={t.note}
      >
        <VerifiedDrawing />
      </Hero>

      <Section title={t.hubTitle}>
        <Hub />
      </Section>

      <Section id="start" sunken title={t.startTitle}>
        <Start />
      </Section>

      <Section id="examples" title={t.examplesTitle} intro={t.examplesIntro}>
        <div className="flex flex-col gap-12">
          {steps.map((step) => (
            <div key={step} className="grid gap-5 lg:grid-cols-[1fr_2.4fr] lg:gap-10">
              <div>
                <h3 className="text-lg font-semibold">{t.steps[step].title}</h3>
                <p className="mt-2 text-muted">{t.steps[step].text}</p>
              </div>
              <div className="min-w-0">
                <Tabs
                  label={t.steps[step].title}
                  tabs={(['node', 'browser', 'cli', 'curl'] as const).map((way) => ({
                    key: way,
                    title: t.ways[way],
                    content: (
                      <CodeBlock
                        plain
                        label={`${t.steps[step].title}, ${t.ways[way]}`}
                        code={withoutHeader(examples[step][way])}
                      />
                    ),
                  }))}
                />
              </div>
            </div>
          ))}
          <Notice tone="warn">{t.browserNote}</Notice>
          <p className="text-sm text-muted">{t.allExamples}</p>
        </div>
      </Section>

      <Section id="answers" sunken title={t.envelopeTitle} intro={t.envelopeIntro}>
        <dl className="grid gap-4 md:grid-cols-2">
          {t.envelopes.map(({ code, text }) => (
            <div key={code} className="rounded-xl border border-line bg-surface p-5">
              <dt className="font-mono text-[0.875rem] break-words">{code}</dt>
              <dd className="mt-2 text-sm text-muted">{text}</dd>
            </div>
          ))}
        </dl>
      </Section>

      <Section id="errors" title={t.errorsTitle} intro={t.errorsIntro}>
        <Suspense fallback={<Loading />}>
          <CodeTables />
        </Suspense>
      </Section>

      <Section id="limits" sunken title={t.limitsTitle} intro={t.limitsIntro}>
        <Limits />
      </Section>

      <Section id="stream" title={t.streamTitle} intro={t.streamIntro}>
        <CodeBlock label={t.streamCode} code={streamCommand(portalOrigin())} />
      </Section>

      <Webhooks />
    </>
  )
}

/** Removes the English header comment on Chinese pages, which show a translated description above the code. */
const withoutHeader = (code: string): string => (lang === 'cn' ? code.replace(/^(?:(?:\/\/|#).*\n)+/, '') : code).trim()

function Hub() {
  const { start, keys, sdk, cli, s3, ipfs, imports, agents, api, openapi, explorer } = t.hub
  return (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      <HubLink icon={<Rocket />} {...start} href="/docs/start" />
      <HubLink icon={<KeyRound />} {...keys} href="/key" />
      <HubLink icon={<Package />} {...sdk} href="/developer#start" />
      <HubLink icon={<Terminal />} {...cli} href="/download#cli" />
      <HubLink icon={<Database />} {...s3} href="/docs/s3" />
      <HubLink icon={<Globe />} {...ipfs} href="/docs/ipfs" />
      <HubLink icon={<Import />} {...imports} href="/docs/imports" />
      <HubLink icon={<Bot />} {...agents} href="/docs/start#agents" />
      <HubLink icon={<BookOpen />} {...api} href="/docs/api" />
      <HubLink icon={<FileJson />} {...openapi} href="/api/openapi.json" file />
      <HubLink icon={<Activity />} {...explorer} href="/developer#stream" />
    </ul>
  )
}

function HubLink({
  icon,
  title,
  text,
  href,
  file,
}: {
  icon: ReactNode
  title: string
  text: string
  href: string
  file?: true
}) {
  const [to = '', hash] = href.split('#')
  const className = 'font-semibold after:absolute after:inset-0 after:rounded-2xl group-hover:underline'
  return (
    <li className="group relative rounded-2xl border border-line bg-surface p-6 hover:border-control">
      <span aria-hidden className="mb-4 block text-accent [&>svg]:size-5">
        {icon}
      </span>
      <h3 className="text-lg leading-7">
        {file ? (
          <a href={href} className={className}>
            {title}
          </a>
        ) : (
          <Link to={to} {...(hash && { hash })} className={className}>
            {title}
          </Link>
        )}
      </h3>
      <p className="mt-1.5 text-sm text-muted">{text}</p>
    </li>
  )
}

function Start() {
  const commands = startCommands(portalOrigin())
  const [account, variables, programs] = t.start
  return (
    <ol className="grid gap-10">
      <Stage number={1} title={account?.title} text={account?.text} />
      <Stage number={2} title={variables?.title} text={variables?.text}>
        <CodeBlock label={t.variables} code={commands.variables} />
      </Stage>
      <Stage number={3} title={programs?.title} text={programs?.text}>
        <Tabs
          label={programs?.title ?? ''}
          tabs={[
            {
              key: 'cli',
              title: t.cliCommands,
              content: <CodeBlock plain label={t.cliCommands} code={commands.cli} />,
            },
            {
              key: 'sdk',
              title: t.sdkCommands,
              content: <CodeBlock plain label={t.sdkCommands} code={commands.sdk} />,
            },
          ]}
        />
      </Stage>
    </ol>
  )
}

function Stage({
  number,
  title,
  text,
  children,
}: {
  number: number
  title: string | undefined
  text: string | undefined
  children?: ReactNode
}) {
  return (
    <li className="grid gap-4 lg:grid-cols-[1fr_1.6fr] lg:gap-10">
      <div className="flex gap-4">
        <span aria-hidden className="font-mono text-lg text-accent tabular-nums">
          {number}
        </span>
        <div>
          <h3 className="text-lg font-semibold">{title}</h3>
          <p className="mt-1 text-muted">{text}</p>
        </div>
      </div>
      {children && <div className="min-w-0">{children}</div>}
    </li>
  )
}
