import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { Card } from '../../ui/states.tsx'
import { type Distributed, zoneMinutes, zoneName } from './claim-state.ts'
import { t } from './texts.ts'

const c = t.claim

/** Rules of claims, with the start of the next day in local time. */
export function RulesCard({ figures }: { figures: Distributed | undefined }) {
  const { claim_amount = 400, hourly_amount = 10_000, zone = '+08:00' } = figures ?? {}
  const offset = zoneMinutes(zone)
  return (
    <Card className="p-6">
      <h2 className="font-semibold">{c.rules}</h2>
      <ul className="mt-3 grid list-disc gap-x-10 gap-y-2 pl-5 text-sm text-muted lg:grid-cols-2">
        {c.rule(formatNumber(claim_amount), formatNumber(hourly_amount), zoneName(offset)).map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
      {figures && (
        <p className="mt-4 border-t border-line pt-4 text-sm">{formatLocalTime(figures.next_claim_at, offset)}</p>
      )}
    </Card>
  )
}

function formatLocalTime(nextDay: string, offset: number): string {
  const localOffset = -new Date(nextDay).getTimezoneOffset()
  const when = formatDateTime(nextDay)
  return localOffset === offset ? c.hereToo(when) : c.here(zoneName(localOffset), when)
}
