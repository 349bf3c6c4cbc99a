import { Link } from '@tanstack/react-router'
import type { OwnedDevice } from '@tidenet/contract'
import { CircleCheck, LoaderCircle } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { CodeBlock } from '../developer/code-block.tsx'
import { portalOrigin } from '../developer/origin.ts'
import { Tabs } from '../developer/tabs.tsx'
import { nodeCommands, singleCommands } from '../download/commands.ts'
import { isPlatform, PLATFORMS, platformOf } from '../download/platform.ts'
import { t as download } from '../download/texts.ts'
import { deviceName } from './format.ts'
import { t } from './texts.ts'
import type { NewCode } from './use-code.ts'

const c = t.code
const programs = download.single

/** A new owner code, shown once, with the commands to use it and the devices that have been linked with it. */
export function CodeCard({
  made: { code, expires_at },
  arrived,
  onDone,
}: {
  made: NewCode
  arrived: readonly OwnedDevice[]
  onDone: () => void
}) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <section aria-labelledby="new-code" className="mb-6 rounded-2xl border border-accent bg-surface">
      <div className="grid gap-x-8 gap-y-5 p-5 sm:p-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.45fr)]">
        <div className="min-w-0">
          <h2 ref={title} id="new-code" tabIndex={-1} className="text-lg font-semibold outline-none">
            {c.title}
          </h2>
          <p className="mt-1 mb-3 text-sm font-medium text-warn">{c.until(formatDateTime(expires_at))}</p>
          <CopyField text={code} label={c.copy} />
          <p className="mt-3 text-sm text-muted">{c.rules}</p>
        </div>
        <Commands code={code} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 sm:px-6">
        <p role="status" className="flex min-w-0 flex-1 basis-60 items-center gap-2.5 text-sm">
          {arrived.length > 0 ? (
            <>
              <CircleCheck aria-hidden className="size-5 shrink-0 text-good" />
              <span className="font-medium wrap-anywhere">{c.linked(arrived.map(deviceName))}</span>
            </>
          ) : (
            <>
              <LoaderCircle aria-hidden className="size-5 shrink-0 animate-spin text-muted" />
              <span className="text-muted">{c.waiting}</span>
            </>
          )}
        </p>
        <Button onClick={onDone}>{c.done}</Button>
      </div>
    </section>
  )
}

function Commands({ code }: { code: string }) {
  const releases = useQuery(query('releases.list', {}))
  const nodes = releases.data?.list.filter(({ kind }) => kind === 'node') ?? []
  const [own] = useState(() => platformOf(navigator.userAgent))
  // The system of this machine first: it is often the one to lease out.
  const single = PLATFORMS.filter((each) => nodes.some(({ platform }) => platform === each)).sort(
    (a, b) => Number(b === own) - Number(a === own),
  )
  const archive = nodes.find(({ platform }) => !isPlatform(platform))
  const archived = nodeCommands(portalOrigin(), archive?.file ?? 'tidenet-node.tgz', code)
  const tab = (key: string, title: string, commands: string) => ({
    key,
    title,
    content: (
      <>
        <CodeBlock plain label={title} code={commands} />
        {releases.data && nodes.length === 0 && (
          <p className="border-t border-line px-4 py-2.5 text-sm text-muted">{c.unpacked}</p>
        )}
      </>
    ),
  })
  return (
    <div className="min-w-0">
      <Tabs
        label={c.title}
        tabs={[
          ...(single.length > 0
            ? single.map((each) => {
                const file = nodes.find(({ platform }) => platform === each)?.file ?? ''
                return tab(each, programs.platforms[each], singleCommands(portalOrigin(), 'node', file, code))
              })
            : (['edge', 'powershell'] as const).map((key) => tab(key, c.tabs[key], archived[key]))),
          { key: 'running', title: c.tabs.running, content: <Running code={code} /> },
        ]}
      />
      <Link to="/download" hash="node" className="mt-2 inline-flex min-h-7 items-center text-sm text-accent underline">
        {c.program}
      </Link>
    </div>
  )
}

const Running = ({ code }: { code: string }) => (
  <div className="flex flex-col gap-3 p-4 text-sm">
    <div>
      <p className="mb-1.5">{c.running}</p>
      <CopyField text={`--owner ${code}`} label={c.copyOption} />
    </div>
    <div>
      <p className="mb-1.5">{c.variable}</p>
      <CopyField text={`TIDENET_NODE_OWNER=${code}`} label={c.copyVariable} />
    </div>
    <p className="text-muted">{c.keep}</p>
  </div>
)
