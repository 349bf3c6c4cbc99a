import { Check, CircleAlert, LoaderCircle } from 'lucide-react'
import { messageOf } from '../../lib/api.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { t } from './texts.ts'
import type { Edits } from './use-edits.ts'

/** Whether all edits are saved, and what to do if not. */
export function SaveLine({ edits: { save, segments, flush, keepMine, discard } }: { edits: Edits }) {
  const edited = segments.filter(({ original }) => original !== null).length
  const v = t.view
  if (save.state === 'failed' || save.state === 'changed')
    return (
      <div role="alert" className="flex flex-wrap items-center gap-2 text-sm text-danger">
        <CircleAlert aria-hidden className="size-4 shrink-0" />
        <span>
          {v.notSaved}: {save.state === 'failed' ? messageOf(save.error) : v.changed}
        </span>
        <Button onClick={() => void (save.state === 'changed' ? keepMine() : flush())}>
          {save.state === 'changed' ? v.keepMine : shell.words.retry}
        </Button>
        <Button look="ghost" onClick={discard}>
          {v.takeTheirs}
        </Button>
      </div>
    )
  return (
    <p role="status" className="flex items-center gap-1.5 text-sm text-muted">
      {save.state === 'saving' ? (
        <>
          <LoaderCircle aria-hidden className="size-4 animate-spin" />
          {v.saving}
        </>
      ) : (
        <>
          <Check aria-hidden className="size-4 text-good" />
          {v.saved}
          {edited > 0 && ` · ${v.edited(edited)}`}
        </>
      )}
    </p>
  )
}
