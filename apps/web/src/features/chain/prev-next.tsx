import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { t } from './texts.ts'

/** Previous and next buttons, for a list without a total. */
export function PrevNext({ page, more, onPage }: { page: number; more: boolean; onPage: (page: number) => void }) {
  return (
    <div className="mt-3 flex items-center justify-end gap-3">
      <span className="text-sm text-muted tabular-nums">{t.pageOf(formatNumber(page))}</span>
      <Button disabled={page === 1} onClick={() => onPage(page - 1)}>
        {t.previous}
      </Button>
      <Button disabled={!more} onClick={() => onPage(page + 1)}>
        {t.next}
      </Button>
    </div>
  )
}
