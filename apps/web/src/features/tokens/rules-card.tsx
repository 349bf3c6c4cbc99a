import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { Card } from '../../ui/states.tsx'
import { type Distributed, zoneMinutes, zoneName } from './standing.ts'
import { t } from './texts.ts'

const c = t.claim

/** What holds for claims, and when their day begins on the clock of whoever reads it. */
export function RulesCard({ figures }: { figures: Distributed | undefined }) {
  const { claim_amount = 400, hourly_amount = 10_000, zone = '+08:00' } = figures ?? {}
  const there = zoneMinutes(zone)
  return (
    <Card className="p-6">
      <h2 className="font-semibold">{c.rules}</h2>
      <ul className="mt-3 grid list-disc gap-x-10 gap-y-2 pl-5 text-sm text-muted lg:grid-cols-2">
        {c.rule(formatNumber(claim_amount), formatNumber(hourly_amount), zoneName(there)).map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
      {figures && <p className="mt-4 border-t border-line pt-4 text-sm">{onYourClock(figures.next_claim_at, there)}</p>}
    </Card>
  )
}

function onYourClock(nextDay: string, there: number): string {
  const here = -new Date(nextDay).getTimezoneOffset()
  const when = formatDateTime(nextDay)
  return here === there ? c.hereToo(when) : c.here(zoneName(here), when)
}
