import { useState } from 'react'
import { formatDateTime, formatSize } from '../../lib/format.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, RadioCards } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { keepsVersion } from '../transfers/upload-list.ts'
import { type Answer, type Conflict, useConflicts } from './conflicts.ts'
import { t } from './texts.ts'

/** Asks how to resolve the name conflicts of a batch: one by one, or all at once. */
export function ConflictDialog() {
  const asking = useConflicts((state) => state.asking)
  if (!asking) return null
  // The key resets the state for the next batch.
  return <Conflicts key={asking.conflicts[0]?.picked.name} {...asking} />
}

function Conflicts({
  conflicts,
  folder,
  answer,
}: {
  conflicts: readonly Conflict[]
  folder: string
  answer: (answers: readonly Answer[] | undefined) => void
}) {
  const [given, setGiven] = useState<readonly Answer[]>([])
  const [chosen, setChoice] = useState<Answer>()
  const [all, setAll] = useState(conflicts.length > 1)
  const conflict = conflicts[given.length]
  if (!conflict) return null
  const { picked, there, free, merges } = conflict
  // Merging loses nothing: what files contained is kept as versions.
  const choice = merges ? (chosen ?? 'replace') : !chosen || chosen === 'apart' ? 'both' : chosen
  const left = conflicts.length - given.length
  const go = () => {
    const next = [...given, ...(all ? Array.from({ length: left }, () => choice) : [choice])]
    if (next.length === conflicts.length) answer(next)
    else setGiven(next)
  }
  return (
    <Dialog
      open
      persistent
      onClose={() => answer(undefined)}
      title={t.conflicts.title(conflicts.length)}
      description={t.conflicts.intro(folder)}
      actions={
        <>
          <Button onClick={() => answer(undefined)}>
            {conflicts.length > 1 ? t.conflicts.cancel : shell.words.cancel}
          </Button>
          <Button look="primary" onClick={go}>
            {t.conflicts.go}
          </Button>
        </>
      }
    >
      <div className="rounded-lg border border-line px-4 py-3">
        <p className="flex items-baseline gap-3">
          <span className="min-w-0 flex-1 font-medium wrap-anywhere">{picked.name}</span>
          {conflicts.length > 1 && (
            <span className="text-sm whitespace-nowrap text-muted tabular-nums" role="status">
              {t.conflicts.of(given.length + 1, conflicts.length)}
            </span>
          )}
        </p>
        <dl className="mt-1.5 grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 text-sm">
          <dt className="text-muted">{t.conflicts.old}</dt>
          <dd className="tabular-nums">
            {merges
              ? t.conflicts.oldFolder(formatDateTime(there.created_at))
              : `${formatSize(there.size)}, ${formatDateTime(there.created_at)}`}
          </dd>
          <dt className="text-muted">{t.conflicts.fresh}</dt>
          <dd className="tabular-nums">
            {formatSize(picked.size)}
            {picked.kind === 'file' && `, ${formatDateTime(picked.file.lastModified)}`}
          </dd>
        </dl>
      </div>
      <div className="mt-5">
        <RadioCards
          label={t.conflicts.choice}
          value={choice}
          onChange={setChoice}
          columns="grid-cols-1"
          options={
            merges
              ? [
                  { value: 'replace', title: t.conflicts.mergeReplace, hint: t.conflicts.mergeReplaceHint },
                  { value: 'skip', title: t.conflicts.mergeSkip, hint: t.conflicts.mergeSkipHint },
                  { value: 'both', title: t.conflicts.mergeBoth, hint: t.conflicts.mergeBothHint },
                  { value: 'apart', title: t.conflicts.apart, hint: t.conflicts.apartHint(free) },
                ]
              : [
                  { value: 'both', title: t.conflicts.both, hint: t.conflicts.bothHint(free) },
                  {
                    value: 'replace',
                    title: t.conflicts.replace,
                    hint: keepsVersion(picked, there) ? t.conflicts.replaceVersion : t.conflicts.replaceHint,
                  },
                  { value: 'skip', title: t.conflicts.skip, hint: t.conflicts.skipHint },
                ]
          }
        />
      </div>
      {left > 1 && (
        <div className="mt-4">
          <Checkbox checked={all} onChange={setAll}>
            {t.conflicts.all(left)}
          </Checkbox>
        </div>
      )}
    </Dialog>
  )
}
