import { Link, useNavigate } from '@tanstack/react-router'
import { TEMP_FILE_LIFE, TEMP_FILE_MAX } from '@tidenet/contract/constants'
import { CircleCheck, X } from 'lucide-react'
import { useEffect } from 'react'
import { formatPercent, formatSize, formatSpeed } from '../../lib/format.ts'
import { anonymousStorage } from '../../lib/storage.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { Notice } from '../../ui/states.tsx'
import { rememberUpload } from '../adoption/own-uploads.ts'
import type { AnonymousAttempt, Attempt, Idle } from './attempt.ts'
import { t } from './going-texts.ts'

/** Runs an upload and reports its progress. */
export async function send(
  file: File,
  { signal, cancel, show }: { signal: AbortSignal; cancel: () => void; show: (next: Attempt | Idle) => void },
): Promise<void> {
  if (file.size === 0) return show({ state: 'failed', file, problem: t.empty })
  if (file.size > TEMP_FILE_MAX) return show({ state: 'failed', file, problem: t.tooLarge })
  show({ state: 'running', file, nodes: 0, cancel })
  try {
    const sdk = await anonymousStorage()
    const nodes = new Set<string>()
    const result = await sdk.uploadAsset(file, { groupId: -1, signal }, (progress) => {
      if (progress.node) nodes.add(progress.node)
      show({ state: 'running', file, progress, nodes: nodes.size, cancel })
    })
    if (result.code === 0) {
      const { cid, traceId } = result.data as { cid: string; traceId: string }
      rememberUpload({ cid, name: file.name, trace: traceId, until: Date.now() + TEMP_FILE_LIFE })
      show({ state: 'done', file, cid })
    } else if (result.code === -200) show({ state: 'idle', note: t.cancelled })
    else show({ state: 'failed', file, problem: result.msg })
  } catch {
    show({ state: 'failed', file, problem: shell.errors.chunkTitle })
  }
}

/** Progress or result of an upload; navigates to the result page when it is done. */
export function AttemptView({
  attempt,
  retry,
  reset,
}: Omit<AnonymousAttempt, 'take' | 'attempt'> & { attempt: Attempt }) {
  const navigate = useNavigate()
  const done = attempt.state === 'done' ? attempt : undefined
  useEffect(() => {
    if (done) void navigate({ to: '/homeupload', search: { cid: done.cid, name: done.file.name } })
  }, [done, navigate])
  if (attempt.state === 'running') return <Running attempt={attempt} />
  if (attempt.state === 'done')
    return (
      <div className="flex flex-col items-start gap-3">
        <p role="status" className="flex items-center gap-2 font-medium text-good">
          <CircleCheck aria-hidden className="size-5" />
          {t.done}
        </p>
        <Link
          to="/homeupload"
          search={{ cid: attempt.cid, name: attempt.file.name }}
          className={buttonClass('primary')}
        >
          {t.toResult}
        </Link>
      </div>
    )
  return (
    <div className="flex flex-col gap-3">
      <Notice tone="bad" live>
        <p className="font-medium wrap-anywhere">{attempt.file.name}</p>
        <p>{attempt.problem}</p>
      </Notice>
      <div className="flex gap-2">
        <Button look="primary" onClick={() => void retry(attempt.file)}>
          {shell.words.retry}
        </Button>
        <Button onClick={reset}>{t.another}</Button>
      </div>
    </div>
  )
}

function Running({ attempt: { file, progress, nodes, cancel } }: { attempt: Extract<Attempt, { state: 'running' }> }) {
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
