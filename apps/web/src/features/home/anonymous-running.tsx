import { X } from 'lucide-react'
import { formatPercent, formatSize, formatSpeed } from '../../lib/format.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import type { Attempt } from './anonymous.ts'
import { t } from './card-texts.ts'

/** An upload on its way. Fetched when one begins: nobody needs a progress bar before. */
export function Running({
  attempt: { file, progress, nodes, cancel },
}: {
  attempt: Extract<Attempt, { state: 'running' }>
}) {
  const state = progress?.state ?? 'waiting'
  return (
    <div className="rounded-xl border border-line p-4">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="font-medium wrap-anywhere">{file.name}</p>
          <p className="text-sm text-muted">{formatSize(file.size)}</p>
        </div>
        <Button icon={<X aria-hidden className="size-4" />} disabled={state === 'finishing'} onClick={cancel}>
          {shell.words.cancel}
        </Button>
      </div>
      <div className="py-3">
        <ProgressBar label={t.progressOf(file.name)} value={progress?.percent ?? 0} />
      </div>
      <p className="text-sm text-muted tabular-nums">
        <span role="status">{state === 'uploading' && nodes > 1 ? t.otherNode : t.state[state]}</span>
        {progress && state === 'uploading' && (
          <>
            {` · ${formatPercent(progress.loaded, progress.total, 2)}`}
            {progress.speed > 0 && ` · ${formatSpeed(progress.speed)}`}
          </>
        )}
      </p>
    </div>
  )
}
