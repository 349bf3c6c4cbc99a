import { useId } from 'react'
import { Card } from '../../ui/states.tsx'
import { type FolderChoice, FolderFields, NO_FOLDER } from './folder-choice.tsx'
import { t } from './folder-texts.ts'

/** Part of the form for a new program: optionally, a folder of the account's storage. */
export function FolderSection({
  value,
  onChange,
  checked,
}: {
  value: FolderChoice | undefined
  onChange: (value: FolderChoice | undefined) => void
  checked: boolean
}) {
  const id = useId()
  return (
    <Card className="grid gap-5 p-5 sm:p-6">
      <div className="flex items-center gap-3">
        <input
          id={id}
          type="checkbox"
          className="size-4 accent-accent"
          checked={value !== undefined}
          onChange={(event) => onChange(event.target.checked ? NO_FOLDER : undefined)}
        />
        <label htmlFor={id} className="font-medium">
          {t.optional}
        </label>
      </div>
      {value && (
        <>
          <p className="text-sm text-muted">
            {t.intro} {t.kept}
          </p>
          <FolderFields value={value} onChange={onChange} checked={checked} />
        </>
      )}
    </Card>
  )
}
