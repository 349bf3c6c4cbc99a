import { useId } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { t } from './texts.ts'

/** A native select with a label. */
export function SelectField({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: readonly (readonly [string, string])[]
  onChange: (value: string) => void
}) {
  const id = useId()
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="min-h-9 w-full min-w-0 rounded-lg border border-control/60 bg-surface px-2.5 text-sm"
      >
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </span>
  )
}

/** Previous and next page. */
export function PageButtons({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  return (
    <div className="mt-3 flex items-center justify-end gap-3">
      <span className="text-sm text-muted tabular-nums">{t.pageOf(formatNumber(page), formatNumber(pages))}</span>
      <Button disabled={page === 1} onClick={() => onPage(page - 1)}>
        {t.previous}
      </Button>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {t.next}
      </Button>
    </div>
  )
}
