import { formatNumber, formatSize } from '../../lib/format.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { t } from '../../lib/texts.ts'

const REFRESH_MS = 15_000

/** What the network measured of itself. */
export function Figures() {
  const { data, isError } = useQuery({ ...query('network.summary', {}), refetchInterval: REFRESH_MS })
  return (
    <section className="mt-14 sm:mt-20" aria-labelledby="figures">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 id="figures" className="text-lg font-semibold">
          {t.home.figuresTitle}
        </h2>
        <p className="text-sm text-muted">{isError ? t.home.figuresFailed : t.home.figuresNote}</p>
      </div>
      <dl className="mt-4 grid grid-cols-2 gap-px overflow-hidden rounded-2xl border border-line bg-line lg:grid-cols-4">
        <Figure
          name={t.home.nodesOnline}
          value={data && formatNumber(data.online_node_count)}
          note={data && t.home.ofNodes(data.total_node_count)}
        />
        <Figure name={t.home.areas} value={data && formatNumber(data.area_count)} note={t.home.areasNote} />
        <Figure
          name={t.home.space}
          value={data && formatSize(data.total_storage)}
          note={data && t.home.spaceUsed(formatSize(data.storage_used))}
        />
        <Figure
          name={t.home.stored}
          value={data && formatNumber(data.asset_count)}
          note={data && t.home.copies(formatNumber(data.t_average_replica, 1))}
        />
      </dl>
    </section>
  )
}

function Figure({ name, value, note }: { name: string; value: string | undefined; note: string | undefined }) {
  return (
    <div className="flex flex-col bg-surface px-4 py-4 sm:px-5">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-1 text-2xl font-semibold tabular-nums">{value ?? '–'}</dd>
      <dd className="text-sm text-muted">{note ?? ' '}</dd>
    </div>
  )
}
