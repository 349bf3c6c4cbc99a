import { formatDate, formatGigabytes } from '../../lib/format.ts'
import { t } from './caps-texts.ts'
import type { Key } from './key.ts'

/** What a key has used of its caps this month; nothing without caps. */
export function CapsUsed({ apiKey }: { apiKey: Key }) {
  const { traffic_cap, traffic_used, traffic_reserved, spending_cap, spent } = apiKey
  if (traffic_cap === null && spending_cap === null) return null
  const left = (traffic_cap ?? 0) - traffic_used - traffic_reserved
  return (
    <ul className="mt-2 flex flex-col gap-1 text-sm">
      {traffic_cap !== null && (
        <li>
          <Used
            text={t.trafficUsed(
              formatGigabytes(traffic_used),
              formatGigabytes(traffic_cap),
              formatGigabytes(Math.max(0, left)),
            )}
            used={traffic_used + traffic_reserved}
            cap={traffic_cap}
          />
          {traffic_reserved > 0 && <span className="text-muted">{t.reserved(formatGigabytes(traffic_reserved))}</span>}
        </li>
      )}
      {spending_cap !== null && (
        <li>
          <Used text={t.spent(spent, spending_cap)} used={spent} cap={spending_cap} />
        </li>
      )}
      <li className="text-muted">{t.renewed(formatDate(utcDay(apiKey.caps_renewed_at)))}</li>
    </ul>
  )
}

/** The day in UTC, as a day here: that of the browser can be another one. */
const utcDay = (time: string): number => new Date(`${time.slice(0, 10)}T12:00:00`).getTime()

const Used = ({ text, used, cap }: { text: string; used: number; cap: number }) => (
  <>
    <span>{text}</span>
    <span aria-hidden className="my-1 block h-1.5 max-w-sm overflow-hidden rounded-full bg-sunken">
      <span
        className={`block h-full rounded-full ${used >= cap ? 'bg-warn' : 'bg-accent'}`}
        style={{ width: `${cap === 0 ? 100 : Math.min(100, (100 * used) / cap)}%` }}
      />
    </span>
  </>
)
