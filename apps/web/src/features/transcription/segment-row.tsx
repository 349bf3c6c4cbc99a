import type { SpeechSegment } from '@tidenet/contract'
import { SPEECH_TEXT_MAX } from '@tidenet/contract/speech'
import { Pencil, Undo2 } from 'lucide-react'
import { type KeyboardEvent, memo, useId, useRef, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { inputClass } from '../../ui/field.tsx'
import { Badge } from '../../ui/states.tsx'
import type { Match } from './find.ts'
import { Marked } from './marked.tsx'
import { t } from './texts.ts'
import { timeCode } from './time.ts'

interface SegmentRowProps {
  segment: SpeechSegment
  index: number
  /** It is spoken now. */
  isCurrent: boolean
  canPlay: boolean
  matches: readonly (Match & { index: number })[]
  currentMatch: number | undefined
  onPlay: (seconds: number) => void
  onChange: (index: number, text: string | null) => void
}

/** One segment: a press on its time or text plays it, and its text is edited in place. */
export const SegmentRow = memo(function SegmentRow(props: SegmentRowProps) {
  const { segment, index, isCurrent, canPlay, matches, currentMatch, onPlay, onChange } = props
  const { start, text, original } = segment
  const [editing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const time = timeCode(start)
  const end = (next: string | undefined) => {
    setEditing(false)
    // The button is there again after the next render.
    requestAnimationFrame(() => editButton.current?.focus({ preventScroll: true }))
    if (next !== undefined && next !== text) onChange(index, next)
  }
  return (
    <li
      data-segment={index}
      aria-current={isCurrent || undefined}
      className={classes(
        'grid grid-cols-[3.25rem_1fr_auto] items-start gap-x-2 rounded-lg border-l-2 py-1.5 pr-1 pl-2 sm:gap-x-3',
        isCurrent ? 'border-accent bg-accent-soft' : 'border-transparent',
      )}
    >
      {canPlay ? (
        <button
          type="button"
          aria-label={t.view.playFrom(time)}
          className="min-h-8 rounded-md text-left font-mono text-sm text-accent tabular-nums hover:underline"
          onClick={() => onPlay(start)}
        >
          {time}
        </button>
      ) : (
        <span className="inline-flex min-h-8 items-center font-mono text-sm text-muted tabular-nums">{time}</span>
      )}
      {editing ? (
        <Editor label={t.view.textAt(time)} text={text} onEnd={end} />
      ) : (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the time beside it is the button for keyboards
        // biome-ignore lint/a11y/noStaticElementInteractions: the same
        <div
          className={classes('min-w-0 py-1 leading-6 wrap-anywhere', canPlay && 'cursor-pointer')}
          onClick={() => {
            // Selecting text is no press.
            if (canPlay && getSelection()?.isCollapsed !== false) onPlay(start)
          }}
        >
          <Marked text={text} matches={matches} {...(currentMatch !== undefined && { current: currentMatch })} />
          {original !== null && (
            <span className="ml-2 align-middle">
              <Badge>{t.view.editedMark}</Badge>
            </span>
          )}
        </div>
      )}
      <div className="flex">
        {original !== null && !editing && (
          <IconButton label={t.view.restore(time)} onClick={() => onChange(index, null)}>
            <Undo2 aria-hidden className="size-4" />
          </IconButton>
        )}
        {!editing && (
          <IconButton ref={editButton} label={t.view.edit(time)} onClick={() => setEditing(true)}>
            <Pencil aria-hidden className="size-4" />
          </IconButton>
        )}
      </div>
    </li>
  )
})

/** @param onEnd receives the new text; undefined if it is discarded */
function Editor({ label, text, onEnd }: { label: string; text: string; onEnd: (text: string | undefined) => void }) {
  const id = useId()
  const [typed, setTyped] = useState(text)
  const ended = useRef(false)
  // Leaving the field after Enter or Escape must not end it twice.
  const end = (next: string | undefined) => {
    if (ended.current) return
    ended.current = true
    onEnd(next)
  }
  // A segment is one line in every format.
  const line = () => typed.replaceAll(/\s*\n\s*/g, ' ').trim()
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also accepts a suggestion of an input method.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      end(line())
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      end(undefined)
    }
  }
  return (
    <div className="min-w-0">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: it opens because its button was pressed
        autoFocus
        rows={2}
        value={typed}
        maxLength={SPEECH_TEXT_MAX}
        aria-label={label}
        aria-describedby={id}
        className={`${inputClass} field-sizing-content leading-6`}
        onFocus={({ currentTarget: { value }, currentTarget }) =>
          currentTarget.setSelectionRange(value.length, value.length)
        }
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => end(line())}
        onKeyDown={onKeyDown}
      />
      <p id={id} className="text-xs text-muted">
        {t.view.editHint}
      </p>
    </div>
  )
}
