import type { ConsoleWorkspace } from '@tidenet/contract'
import { ProgressBar } from '../../ui/progress.tsx'
import { formatPart, PARTS, type Part } from './sizes.ts'
import { t } from './texts.ts'

const share = (used: number, size: number): number => (size > 0 ? Math.min(100, (used / size) * 100) : 0)

/** The resources of a workspace, and how much is assigned to programs. */
export function Quota({ space }: { space: Pick<ConsoleWorkspace, 'size' | 'free'> }) {
  return (
    <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-3">
      {PARTS.map((part) => (
        <Meter key={part} part={part} size={space.size[part]} free={space.free[part]} />
      ))}
    </dl>
  )
}

function Meter({ part, size, free }: { part: Part; size: number; free: number }) {
  const used = Math.max(0, size - free)
  const text = t.quota.given(formatPart(part, used), formatPart(part, size))
  return (
    <div>
      <dt className="text-sm text-muted">{t.quota[part]}</dt>
      <dd>
        <p className="mt-0.5 font-mono text-sm tabular-nums">{text}</p>
        <div className="my-2">
          <ProgressBar value={share(used, size)} label={`${t.quota[part]}: ${text}`} />
        </div>
        <p className="text-xs text-muted">{free > 0.001 ? t.quota.left(formatPart(part, free)) : t.quota.none}</p>
      </dd>
    </div>
  )
}
