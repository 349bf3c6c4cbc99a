import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../lib/format.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { t } from './texts.ts'

const REFRESH_MS = 30_000

/** Copies of the account's files by area. */
export function Areas() {
  const areas = useQuery({ ...query('assets.areas', {}), refetchInterval: REFRESH_MS })
  const most = Math.max(...(areas.data?.list.map(({ copies }) => copies) ?? []), 1)
  return (
    <section aria-labelledby="areas">
      <Card className="p-5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 id="areas" className="text-lg font-semibold">
            {t.areasTitle}
          </h2>
          {areas.data && areas.data.copies > 0 && (
            <p className="text-sm text-muted">
              {t.areasTotal(areas.data.copies, areas.data.list.length)}{' '}
              <Link to="/distribution" className="ml-2 inline-flex min-h-7 items-center text-accent underline">
                {t.areasMore}
              </Link>
            </p>
          )}
        </div>
        {areas.isPending ? (
          <Loading />
        ) : areas.isError ? (
          <LoadFailed title={t.areasFailed} error={areas.error} onRetry={() => void areas.refetch()} />
        ) : areas.data.list.length === 0 ? (
          <p className="mt-3 text-muted">{t.areasNone}</p>
        ) : (
          <ul className="mt-3 grid gap-x-12 md:grid-cols-2">
            {areas.data.list.map(({ area, name, copies, files, nodes, nodes_online }) => (
              <li key={area} className="border-t border-line py-3">
                <div className="flex items-baseline justify-between gap-4">
                  <span className="font-medium">{name}</span>
                  <span className="tabular-nums">{t.copies(copies)}</span>
                </div>
                <svg
                  viewBox="0 0 100 1"
                  preserveAspectRatio="none"
                  aria-hidden="true"
                  className="mt-1.5 h-1.5 w-full rounded-full bg-sunken"
                >
                  <rect width={(copies / most) * 100} height="1" className="fill-accent" />
                </svg>
                <p className="mt-1.5 flex flex-wrap justify-between gap-x-4 text-sm text-muted">
                  <span>{t.areaFiles(files)}</span>
                  <span className={nodes_online < nodes ? 'text-warn' : undefined}>
                    {t.areaNodes(formatNumber(nodes_online), formatNumber(nodes))}
                  </span>
                </p>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </section>
  )
}
