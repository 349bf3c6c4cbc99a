import { Download, FileText, Play, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Badge, Empty } from '../../ui/states.tsx'
import { saveFile } from './save-file.ts'
import { t } from './texts.ts'
import { useSample } from './use-sample.ts'

const CancelDialog = lazy(async () => ({ default: (await import('./cancel-dialog.tsx')).CancelDialog }))

/** A sample that shows how a transcription runs, written by hand and labelled so. */
export function Sample() {
  const { state, lines, play, cancel } = useSample()
  const [asking, setAsking] = useState(false)
  const running = state === 'processing' || state === 'transcribing'
  const done = state === 'complete'
  const text = lines.join('\n')
  return (
    <section aria-labelledby="text" className="flex min-h-96 flex-col rounded-2xl border border-line bg-surface">
      <div className="flex min-h-15 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-5 py-3">
        <h3 id="text" className="font-semibold">
          {t.textTitle}
        </h3>
        {state !== 'idle' && <Badge tone="warn">{t.sample}</Badge>}
        <p role="status" className="flex items-center gap-2 text-sm text-muted">
          {running && <span aria-hidden className="size-2 animate-pulse rounded-full bg-signal" />}
          {state !== 'idle' && t.states[state]}
        </p>
        {running && (
          <Button className="ml-auto" icon={<X aria-hidden className="size-4" />} onClick={() => setAsking(true)}>
            {t.cancel}
          </Button>
        )}
      </div>

      <div className="flex flex-1 flex-col px-5 py-5">
        {lines.length > 0 ? (
          <div className="grid gap-3">
            {lines.map((line) => (
              <p key={line} className="animate-rise">
                {line}
              </p>
            ))}
          </div>
        ) : (
          !running && (
            <div className="m-auto">
              <Empty icon={<FileText aria-hidden className="size-5" />} title={t.empty}>
                <p>{t.emptyText}</p>
                <Button className="mt-4" icon={<Play aria-hidden className="size-4" />} onClick={play}>
                  {t.play}
                </Button>
              </Empty>
            </div>
          )
        )}
      </div>

      {state !== 'idle' && (
        <div className="flex flex-wrap items-center gap-2 border-t border-line px-5 py-3">
          <p className="basis-full text-sm text-muted">{t.sampleNote}</p>
          {done && (
            <>
              <Button look="ghost" onClick={play}>
                {t.again}
              </Button>
              <CopyButton text={text}>{t.copy}</CopyButton>
              <Button
                icon={<Download aria-hidden className="size-4" />}
                onClick={() =>
                  saveFile({ name: t.file, blob: new Blob([`${text}\n`], { type: 'text/plain;charset=utf-8' }) })
                }
              >
                {t.exportIt}
              </Button>
            </>
          )}
        </div>
      )}

      {asking && (
        <Suspense>
          <CancelDialog
            // A finished transcription can no longer be cancelled.
            open={running}
            onClose={() => setAsking(false)}
            onCancel={() => {
              setAsking(false)
              cancel()
            }}
          />
        </Suspense>
      )}
    </section>
  )
}
