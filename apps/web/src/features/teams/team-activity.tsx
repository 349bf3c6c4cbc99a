import { useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { usePreferences } from '../../lib/preferences.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { Pager } from '../../ui/pager.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { t } from './texts.ts'

/** What members did with the team, newest first. */
export function TeamActivity({ team }: { team: string }) {
  const rows = usePreferences((preferences) => preferences.rows)
  const [page, setPage] = useState(1)
  const events = useQuery({ ...query('teams.activity', { team, page, page_size: rows }), ...paged })
  if (events.isPending) return <Loading />
  if (events.isError)
    return <LoadFailed title={t.activityFailed} error={events.error} onRetry={() => void events.refetch()} />
  const { list, total } = events.data
  if (total === 0) return <p className="p-5 text-muted">{t.noActivity}</p>
  return (
    <>
      <ul>
        {list.map(({ id, at, uid, email, kind, target }) => (
          <li
            key={id}
            className="flex flex-wrap gap-x-4 gap-y-0.5 border-b border-line px-5 py-3 text-sm last:border-b-0"
          >
            <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
              {t.events[kind]} <span translate="no">{target}</span>
            </p>
            <p className="text-muted wrap-anywhere">
              <span translate="no">{email || shorten(uid)}</span> · <time dateTime={at}>{formatDateTime(at)}</time>
            </p>
          </li>
        ))}
      </ul>
      {total > rows && (
        <div className="border-t border-line px-5 py-3">
          <Pager page={page} total={total} onPage={setPage} />
        </div>
      )}
    </>
  )
}
