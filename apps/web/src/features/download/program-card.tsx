import { Download, PackageX } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDate, formatSize } from '../../lib/format.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { CodeBlock } from '../developer/code-block.tsx'
import { type Tab, Tabs } from '../developer/tabs.tsx'
import { checkCommands } from './commands.ts'
import { t } from './texts.ts'

/** A program: download, version, checksum and install commands. */
export function ProgramCard({
  kind,
  tabs,
}: {
  kind: 'cli' | 'node'
  /** Install commands for a file name. */
  tabs: (file: string) => readonly Tab[]
}) {
  const { data, error, refetch } = useQuery(query('releases.list', {}))
  const release = data?.list.find((each) => each.kind === kind)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1fr_1.5fr]">
      <Card className="p-6">
        {error ? (
          <LoadFailed title={t.failed} error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading />
        ) : !release ? (
          <Empty icon={<PackageX className="size-5" />} title={t.noneTitle}>
            {t.noneText}
          </Empty>
        ) : (
          <>
            <dl className="flex flex-col gap-2 text-sm">
              <Fact name={t.file}>
                <span className="font-mono text-[0.875rem] break-all">{release.file}</span>
              </Fact>
              <Fact name={t.version}>
                <span className="font-mono tabular-nums">{release.version}</span>
              </Fact>
              <Fact name={t.size}>{formatSize(release.size)}</Fact>
              <Fact name={t.packed}>{formatDate(release.date)}</Fact>
              <Fact name={t.needs}>{t.needsNode(release.needs)}</Fact>
            </dl>
            <p className="mt-5 mb-1.5 text-sm font-medium">{t.checksum}</p>
            <CopyField text={release.sha256} label={t.copyChecksum} />
            <p className="mt-5 mb-1 text-sm font-medium">{t.notes}</p>
            <p className="text-sm text-muted">{release.notes}</p>
            <a href={release.url} download className={buttonClass('primary', 'mt-6 min-h-11 w-full')}>
              <Download aria-hidden className="size-4 shrink-0" />
              <span className="break-all">{t.download(release.file)}</span>
            </a>
          </>
        )}
      </Card>
      <div className="flex min-w-0 flex-col gap-6">
        <Tabs label={kind === 'cli' ? t.cliTitle : t.nodeTitle} tabs={tabs(release?.file ?? `tidenet-${kind}.tgz`)} />
        {release && <Check file={release.file} sha256={release.sha256} />}
      </div>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4 border-b border-line pb-2">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="text-right">{children}</dd>
    </div>
  )
}

function Check({ file, sha256 }: { file: string; sha256: string }) {
  const { linux, mac, powershell } = checkCommands(file, sha256)
  return (
    <div>
      <h3 className="mb-2 text-sm font-medium">{t.check}</h3>
      <Tabs
        label={t.check}
        tabs={[
          { key: 'linux', title: 'Linux', content: <CodeBlock plain label={t.check} code={linux} /> },
          { key: 'mac', title: 'macOS', content: <CodeBlock plain label={t.check} code={mac} /> },
          {
            key: 'powershell',
            title: t.install.powershell,
            content: <CodeBlock plain label={t.check} code={powershell} />,
          },
        ]}
      />
    </div>
  )
}
