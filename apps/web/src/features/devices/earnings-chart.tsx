import { useState } from 'react'
import { formatDay, formatPoints } from '../../lib/format.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { Segments } from '../../ui/segments.tsx'
import { Select } from '../../ui/select.tsx'
import { Loading } from '../../ui/states.tsx'
import { BarChart } from '../dashboard/bar-chart.tsx'
import { t } from './earnings-texts.ts'
import { deviceName } from './format.ts'

const RANGES = [7, 30, 90] as const
const CAUSES = [
  ['traffic', 'fill-series-1'],
  ['storage', 'fill-series-3'],
] as const

/** Earnings per day, of all devices or of one, with a chart for each cause. */
export function EarningsChart({ devices }: { devices: readonly { node_id: string; name: string }[] }) {
  const [days, setDays] = useState<number>(30)
  const [device, setDevice] = useState('')
  const { data } = useQuery({ ...query('earnings.days', { days, ...(device && { node_id: device }) }), ...paged })
  return (
    <div className="p-5">
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <Select
          label={t.device}
          value={device}
          options={[
            { value: '', label: t.all },
            ...devices.map((each) => ({ value: each.node_id, label: deviceName(each) })),
          ]}
          onChange={setDevice}
        />
        <Segments
          label={t.range}
          options={RANGES.map((each) => ({ value: each, name: t.days(each) }))}
          value={days}
          onChange={setDays}
        />
      </div>
      {data ? (
        <div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
          {CAUSES.map(([cause, look]) => (
            <BarChart
              key={cause}
              title={t[cause]}
              label={t.chart(t[cause], data.list.length)}
              labels={data.list.map(({ day }) => formatDay(day))}
              values={data.list.map((each) => each[cause])}
              format={formatPoints}
              unit={1000}
              headline="sum"
              look={look}
            />
          ))}
        </div>
      ) : (
        <Loading />
      )}
    </div>
  )
}
