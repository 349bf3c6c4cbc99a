import { CircleAlert, FileAudio, LoaderCircle } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { formatSize } from '../../lib/format.ts'
import { formatDuration } from '../../lib/phrases.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { useDrop } from '../../ui/use-drop.ts'
import { type AudioProblem, audioProblem } from './audio.ts'
import { t } from './texts.ts'

const a = t.audio

type Chosen =
  | { state: 'none' }
  | { state: 'checking'; name: string }
  | { state: 'refused'; name: string; problem: AudioProblem }
  | { state: 'taken'; name: string; size: number; seconds: number; url: string }

/**
 * Selects or drops a recording and validates it.
 * @param initial is chosen at first
 * @param onTaken receives a valid file, or undefined when it is replaced
 */
export function AudioField({
  initial,
  onTaken,
}: {
  initial: File | undefined
  onTaken: (file: File | undefined) => void
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<Chosen>({ state: 'none' })
  /** Number of the latest selection: results of earlier validations are ignored. */
  const latest = useRef(0)
  const url = chosen.state === 'taken' ? chosen.url : undefined
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url])

  const take = async (file: File | undefined) => {
    if (!file) return
    latest.current += 1
    const current = latest.current
    setChosen({ state: 'checking', name: file.name })
    onTaken(undefined)
    const found = await audioProblem(file)
    if (current !== latest.current) return
    if ('problem' in found) return setChosen({ state: 'refused', name: file.name, problem: found.problem })
    setChosen({
      state: 'taken',
      name: file.name,
      size: file.size,
      seconds: found.seconds,
      url: URL.createObjectURL(file),
    })
    onTaken(file)
  }

  const { over, handlers } = useDrop(({ files }) => void take(files[0]))

  // biome-ignore lint/correctness/useExhaustiveDependencies: only at first
  useEffect(() => void take(initial), [])

  return (
    <div>
      <h3 id={`${id}-title`} className="mb-2 font-medium">
        {a.title}
      </h3>
      <div
        {...handlers}
        className={classes(
          'flex flex-col items-start gap-3 rounded-2xl border border-dashed p-5',
          over
            ? 'border-accent bg-accent-soft'
            : chosen.state === 'refused'
              ? 'border-danger bg-surface'
              : 'border-control bg-surface',
        )}
      >
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <input
            ref={input}
            type="file"
            accept=".mp3,.wav,audio/mpeg,audio/wav"
            aria-labelledby={`${id}-title`}
            tabIndex={-1}
            className="sr-only"
            onChange={(event) => {
              void take(event.target.files?.[0])
              // Allow selecting the same file again.
              event.target.value = ''
            }}
          />
          <Button
            icon={<FileAudio aria-hidden className="size-4" />}
            aria-describedby={`${id}-limits`}
            onClick={() => input.current?.click()}
          >
            {chosen.state === 'none' ? a.choose : a.other}
          </Button>
          <span className="text-sm text-muted max-sm:hidden">{a.drop}</span>
        </div>
        <div className="w-full">
          <p id={`${id}-limits`} className="text-sm text-muted">
            {a.limits}
          </p>
          <div aria-live="polite">
            <Outcome chosen={chosen} />
          </div>
        </div>
      </div>
    </div>
  )
}

function Outcome({ chosen }: { chosen: Chosen }) {
  if (chosen.state === 'none') return null
  return (
    <div className="mt-4 border-t border-line pt-3">
      <p className="font-medium wrap-anywhere">{chosen.name}</p>
      {chosen.state === 'checking' && (
        <p className="flex items-center gap-2 text-sm text-muted">
          <LoaderCircle aria-hidden className="size-4 animate-spin" />
          {a.checking}
        </p>
      )}
      {chosen.state === 'refused' && (
        <p className="mt-1 flex gap-2 text-sm text-danger">
          <CircleAlert aria-hidden className="mt-1 size-4 shrink-0" />
          {a.problems[chosen.problem]}
        </p>
      )}
      {chosen.state === 'taken' && (
        <>
          <p className="text-sm text-muted tabular-nums">
            {a.facts(formatSize(chosen.size), formatDuration(chosen.seconds * 1000))}
          </p>
          {/* biome-ignore lint/a11y/useMediaCaption: there is no transcript yet */}
          <audio controls src={chosen.url} aria-label={chosen.name} className="mt-3 h-10 w-full" />
        </>
      )}
    </div>
  )
}
