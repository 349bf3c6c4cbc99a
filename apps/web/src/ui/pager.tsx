import { PAGE_SIZES } from '@tidenet/contract/constants'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { usePreferences } from '../lib/preferences.ts'
import { IconButton } from './button.tsx'
import { t } from './pager-texts.ts'
import { Select } from './select.tsx'

interface PagerProps {
  page: number
  total: number
  onPage: (page: number) => void
}

/** Pagination with a page size, which is stored as a preference. */
export function Pager({ page, total, onPage }: PagerProps) {
  const rows = usePreferences((preferences) => preferences.rows)
  const last = Math.max(1, Math.ceil(total / rows))
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2 text-sm text-muted">
      <span className="flex items-center gap-2">
        <span className="hidden sm:inline">{t.rows}</span>
        <Select
          label={t.rows}
          value={rows}
          options={PAGE_SIZES.map((size) => ({ value: size, label: String(size) }))}
          onChange={(size) => {
            usePreferences.setState({ rows: size })
            onPage(1)
          }}
        />
      </span>
      <span>{t.pageOf(total === 0 ? 0 : (page - 1) * rows + 1, Math.min(total, page * rows), total)}</span>
      <span className="flex">
        <IconButton label={t.previous} disabled={page <= 1} onClick={() => onPage(page - 1)}>
          <ChevronLeft aria-hidden className="size-5" />
        </IconButton>
        <IconButton label={t.next} disabled={page >= last} onClick={() => onPage(page + 1)}>
          <ChevronRight aria-hidden className="size-5" />
        </IconButton>
      </span>
    </div>
  )
}
