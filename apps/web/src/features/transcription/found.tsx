import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '../../lib/format.ts'
import { paged, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { findMatches } from './find.ts'
import { Marked } from './marked.tsx'
import { speechQuery } from './speech-api.ts'
import { t } from './texts.ts'
import { timeCode } from './time.ts'

const STEP = 25
const MAX = 100

/** The places where something was said, each a link to its second. */
export function Found({ wanted }: { wanted: string }) {
  const [size, setSize] = useState<25 | 100>(STEP)
  const { data, error, refetch, isFetching } = useQuery({
    ...speechQuery('speech.search', { q: wanted, page: 1, size }),
    ...paged,
  })
  if (!data)
    return error ? <LoadFailed title={t.list.searchFailed} error={error} onRetry={() => void refetch()} /> : <Loading />
  return (
    <Card className="overflow-hidden">
      <p role="status" className="border-b border-line px-4 py-3 text-sm text-muted">
        {data.total === 0 ? t.list.noResults(wanted) : t.list.results(data.total)}
      </p>
      {data.total === 0 ? (
        <Empty icon={<SearchX aria-hidden className="size-5" />} title={t.list.noResults(wanted)}>
          {t.list.noResultsText}
        </Empty>
      ) : (
        <ul>
          {data.list.map(({ id, name, index, start, text, created_at }) => (
            <li key={`${id} ${index}`} className="border-b border-line last:border-b-0">
              <Link
                to="/whisper"
                search={{ task: id, segment: index + 1 }}
                className="grid gap-x-4 px-4 py-3 hover:bg-sunken sm:grid-cols-[4rem_1fr]"
              >
                <span className="font-mono text-sm text-accent tabular-nums">{timeCode(start)}</span>
                <span className="min-w-0">
                  <span className="block wrap-anywhere">
                    <Marked
                      text={text}
                      matches={findMatches([text], wanted).map((match, at) => ({ ...match, index: at }))}
                    />
                  </span>
                  <span className="block text-sm text-muted wrap-anywhere">
                    {name} · {formatDate(created_at)}
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {data.total > data.list.length && size < MAX && (
        <div className="border-t border-line p-3 text-center">
          <Button busy={isFetching} onClick={() => setSize(MAX)}>
            {t.list.more}
          </Button>
        </div>
      )}
    </Card>
  )
}
