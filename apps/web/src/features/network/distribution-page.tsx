import { query, useQuery } from '../../lib/queries.ts'
import { PageTitle } from '../../ui/page.tsx'
import { WorldMap } from '../../ui/world-map.tsx'
import { usePageTitle } from '../shell/page-title.tsx'
import { pointOf } from './points.ts'

export function DistributionPage() {
  const title = usePageTitle()
  const nodes = useQuery(query('network.map', {}))
  return (
    <div className="mx-auto max-w-6xl px-5 py-10 sm:px-8">
      <PageTitle title={title} />
      <WorldMap
        label={title}
        points={(nodes.data?.list ?? []).map(pointOf)}
        arcs={[
          { id: 1, from: { lat: 50, lng: 8.6 }, to: { lat: 1.35, lng: 103 }, kind: 'replica' },
          { id: 2, from: { lat: 34, lng: -118 }, to: { lat: 50.1, lng: 8.6 }, kind: 'download' },
          { id: 3, from: { lat: 34, lng: -118 }, to: { lat: 22.1, lng: 114.6 }, kind: 'upload' },
        ]}
      />
    </div>
  )
}
