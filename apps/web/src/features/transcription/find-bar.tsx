import { ChevronDown, ChevronUp } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
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
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && count > 0) {
      event.preventDefault()
      onStep(event.shiftKey ? -1 : 1)
    }
  }
  return (
    <search className="flex min-w-0 flex-1 basis-64 items-center gap-1">
      <SearchInput
        label={t.view.find}
        placeholder={t.view.find}
        maxLength={100}
        className="flex-1"
        value={wanted}
        onChange={(event) => onWanted(event.target.value)}
        onKeyDown={onKeyDown}
      />
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
