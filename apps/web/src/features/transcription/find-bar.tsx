import { ChevronDown, ChevronUp, Search } from 'lucide-react'
import { type KeyboardEvent, useId } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { inputClass } from '../../ui/field.tsx'
import { t } from './texts.ts'

/** Searches in the shown text. Enter shows the next place, Shift and Enter the one before. */
export function FindBar({
  wanted,
  count,
  current,
  onWanted,
  onStep,
}: {
  wanted: string
  count: number
  /** From 0. */
  current: number
  onWanted: (text: string) => void
  onStep: (by: 1 | -1) => void
}) {
  const id = useId()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && count > 0) {
      event.preventDefault()
      onStep(event.shiftKey ? -1 : 1)
    }
  }
  return (
    <search className="flex min-w-0 flex-1 basis-64 items-center gap-1">
      <span className="relative min-w-0 flex-1">
        <Search aria-hidden className="pointer-events-none absolute top-3 left-3 size-4 text-muted" />
        <label htmlFor={id} className="sr-only">
          {t.view.find}
        </label>
        <input
          id={id}
          type="search"
          maxLength={100}
          placeholder={t.view.find}
          className={`${inputClass} pl-9`}
          value={wanted}
          onChange={(event) => onWanted(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </span>
      <span role="status" className="min-w-16 text-center text-sm whitespace-nowrap text-muted tabular-nums">
        {wanted.trim() !== '' && (count > 0 ? t.view.found(current + 1, count) : t.view.notFound)}
      </span>
      <IconButton label={t.view.previous} disabled={count === 0} onClick={() => onStep(-1)}>
        <ChevronUp aria-hidden className="size-4" />
      </IconButton>
      <IconButton label={t.view.next} disabled={count === 0} onClick={() => onStep(1)}>
        <ChevronDown aria-hidden className="size-4" />
      </IconButton>
    </search>
  )
}
