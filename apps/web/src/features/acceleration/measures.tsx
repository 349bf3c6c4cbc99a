import type { AccelerationInfo } from '@tidenet/contract'
import { ACCELERATION_SAMPLES_MIN } from '@tidenet/contract/constants'
import { formatDay, formatNumber, formatSpeed } from '../../lib/format.ts'
import { BarChart } from '../dashboard/bar-chart.tsx'
import { t } from './texts.ts'

type Area = AccelerationInfo['measures'][number]

const formatMs = (ms: number): string => t.ms(formatNumber(ms))

/** Times until the first byte, before and after acceleration: in words, and per day as a chart with a table. */
export function Measures({ list }: { list: readonly Area[] }) {
  return (
    <>
      <h4 className="mt-6 text-sm font-medium">{t.measured}</h4>
      <p className="mt-1 text-sm text-muted">{t.measuredHint}</p>
      {list.length === 0 ? (
        <p className="mt-3 text-sm">{t.none}</p>
      ) : (
        <ul className="mt-3 flex flex-col gap-6">
          {list.map((area) => (
            <li key={area.area}>
              <AreaMeasures area={area} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function AreaMeasures({ area: { name, before, after, days } }: { area: Area }) {
  const samples = before.samples + after.samples
  const enough = before.first_byte !== null || after.first_byte !== null
  return (
    <>
      <p>
        <span className="font-medium">{t.firstByte(name)}</span>
        {enough && `${t.colon}${inWords(before.first_byte, after.first_byte)}`}
      </p>
      {enough ? (
        <>
          {speedInWords(before.rate, after.rate) && <p className="text-sm">{speedInWords(before.rate, after.rate)}</p>}
          <p className="text-sm text-muted">{t.basedOn(before.samples, after.samples)}</p>
          <div className="mt-3">
            <BarChart
              title={t.firstByte(name)}
              label={t.chart(name, days.length)}
              labels={days.map(({ date, accelerated }) => `${formatDay(date)}, ${accelerated ? t.after : t.before}`)}
              values={days.map(({ first_byte }) => first_byte)}
              format={formatMs}
              unit={1000}
              headline="last"
              look="fill-series-1"
              lookOf={(index) => (days[index]?.accelerated ? 'fill-series-1' : 'fill-series-2')}
            />
          </div>
          <p aria-hidden className="mt-1 flex gap-4 text-xs text-muted">
            {[
              [t.before, 'bg-series-2'],
              [t.after, 'bg-series-1'],
            ].map(([label, look]) => (
              <span key={label} className="inline-flex items-center gap-1.5">
                <span className={`size-2.5 rounded-xs ${look}`} />
                {label}
              </span>
            ))}
          </p>
        </>
      ) : (
        <p className="text-sm text-muted">{t.tooFew(samples, ACCELERATION_SAMPLES_MIN)}</p>
      )}
    </>
  )
}

function inWords(before: number | null, after: number | null): string {
  if (before !== null && after !== null) return t.both(formatMs(before), formatMs(after))
  return before === null ? t.onlyAfter(formatMs(after ?? 0)) : t.onlyBefore(formatMs(before))
}

function speedInWords(before: number | null, after: number | null): string {
  if (before !== null && after !== null) return t.speed(formatSpeed(before), formatSpeed(after))
  const one = before ?? after
  return one === null ? '' : t.speedOne(formatSpeed(one))
}
