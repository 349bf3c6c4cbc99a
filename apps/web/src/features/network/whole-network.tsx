import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { LoadFailed } from '../../ui/states.tsx'
import { WorldMap } from '../../ui/world-map.tsx'
import { MapLegend } from '../../ui/world-map-legend.tsx'
import { AreasSection } from './areas-section.tsx'
import { pointOf } from './points.ts'
import { t } from './texts.ts'
import { useLive } from './use-live.ts'

const REFRESH_MS = 15_000

/** All nodes on the map, and figures per area. */
export function WholeNetwork({ visitor }: { visitor: boolean }) {
  const navigate = useNavigate()
  const live = useLive()
  const map = useQuery({ ...query('network.map', {}), refetchInterval: REFRESH_MS })
  const areas = useQuery({ ...query('explorer.areas', {}), refetchInterval: REFRESH_MS })
  const points = useMemo(() => map.data?.list.map(pointOf) ?? [], [map.data])
  useEffect(() => {
    if (live.online !== undefined) refresh('network.map', 'explorer.areas')
  }, [live.online])
  const d = t.distribution
  return (
    <>
      <div className="-mx-5 mt-8 sm:mx-0">
        <WorldMap
          points={points}
          arcs={live.arcs}
          label={d.allTitle}
          onSelect={(node) => void navigate({ to: '/storagenetwork', search: { node } })}
        />
        <MapLegend className="mx-5 mt-4 sm:mx-0" />
      </div>
      {map.isError && <LoadFailed title={t.failedLoad} error={map.error} onRetry={() => void map.refetch()} />}
      <h2 className="mt-10 mb-4 text-xl font-semibold">{t.areas}</h2>
      <AreasSection areas={areas} />
      <div className="mt-8 flex flex-wrap items-center gap-x-5 gap-y-3">
        <Link to="/storagenetwork" className={buttonClass('secondary', 'min-h-10 px-5')}>
          {d.explorer}
        </Link>
        {visitor && (
          <p className="text-muted">
            {d.signInWhy}{' '}
            <Link
              to="/login"
              search={{ redirect: '/distribution' }}
              className="font-medium text-accent underline underline-offset-4"
            >
              {d.signIn}
            </Link>
          </p>
        )}
      </div>
    </>
  )
}
