import { Link } from '@tanstack/react-router'
import { FILES_END_DAYS } from '@tidenet/contract/constants'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDate, formatNumber, formatSize } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { usePreferences } from '../../lib/preferences.ts'
import { paged, query, refresh, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './endings-texts.ts'

/** Files that are deleted soon; one click keeps one of them, or all. */
export function EndingFilesPage() {
  const title = usePageTitle()
  const rows = usePreferences((preferences) => preferences.rows)
  const [page, setPage] = useState(1)
  const [busy, setBusy] = useState<number | 'all'>()
  const files = useQuery({ ...query('assets.ending', { days: FILES_END_DAYS, page, page_size: rows }), ...paged })
  const extend = async (id?: number) => {
    setBusy(id ?? 'all')
    await api('assets.extend', id === undefined ? {} : { asset_ids: [id] }).then(({ extended, expires_at }) => {
      setPage(1)
      refresh('assets.ending', 'dashboard.overview')
      toast.success(t.kept(extended, formatDate(expires_at)))
    }, toast.error)
    setBusy(undefined)
  }
  const { list = [], total = 0, extended_until, kept } = files.data ?? {}
  return (
    <div className="mx-auto max-w-5xl">
      <PageTitle title={title} intro={kept ? t.introPaid : t.intro(FILES_END_DAYS)} />
      {files.isPending ? (
        <Loading />
      ) : files.isError ? (
        <LoadFailed title={t.failed} error={files.error} onRetry={() => void files.refetch()} />
      ) : total === 0 ? (
        <Card className="p-6">
          <p>{t.none(FILES_END_DAYS)}</p>
          <Link to="/fileStorage" className="mt-2 inline-block text-accent underline">
            {t.toFiles}
          </Link>
        </Card>
      ) : (
        <Card>
          <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-4">
            <p className="min-w-0 flex-1 basis-64">
              {t.count(total, formatNumber(total))} {extended_until && t.until(formatDate(extended_until))}
            </p>
            <Button look="primary" busy={busy === 'all'} onClick={() => void extend()}>
              {t.keepAll}
            </Button>
          </div>
          <ul>
            {list.map(({ asset_id, name, size, expires_at }) => (
              <li
                key={asset_id}
                data-testid="ending-file"
                className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-5 py-3"
              >
                <p className="min-w-0 flex-1 basis-56 wrap-anywhere" translate="no">
                  {name}
                </p>
                <p className="text-sm text-muted tabular-nums">
                  {formatSize(size)} · <time dateTime={expires_at}>{t.ends(formatDate(expires_at))}</time>
                </p>
                <Button busy={busy === asset_id} onClick={() => void extend(asset_id)}>
                  {t.keep}
                  <span className="sr-only">: {name}</span>
                </Button>
              </li>
            ))}
          </ul>
          {total > rows && (
            <div className="border-t border-line px-5 py-3">
              <Pager page={page} total={total} onPage={setPage} />
            </div>
          )}
        </Card>
      )}
    </div>
  )
}
