import { formatNumber } from '../../lib/format.ts'
import { Metric } from '../../ui/metric.tsx'
import { Section } from '../../ui/page.tsx'
import { uptimeNote } from '../network/uptime.ts'
import { usePolled } from '../network/use-polled.ts'
import { t } from './sections-texts.ts'

const REFRESH_MS = 60_000
const nothing = {}

/** The network's targets, each with today's measurement. */
export function Metrics() {
  const c = t.claims
  const figures = usePolled('explorer.figures', nothing, REFRESH_MS).data
  return (
    <Section id="aims" eyebrow={c.eyebrow} title={c.title} intro={c.intro}>
      <div className="grid gap-x-12 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
        <Metric {...c.uptime} today={null} note={uptimeNote(figures)} href="/storagenetwork#nodes" />
        <Metric
          {...c.countries}
          today={figures ? formatNumber(figures.countries) : null}
          href="/storagenetwork#areas"
        />
        <Metric {...c.ips} today={figures ? formatNumber(figures.unique_ips) : null} href="/storagenetwork#figures" />
        <Metric {...c.storage} />
        <Metric {...c.pcdn} />
        <Metric {...c.cashback} />
      </div>
    </Section>
  )
}

/** The expected earnings of a device. */
export function EarningsMetric() {
  return <Metric value="$5–$30" what={t.owners.earn} how={t.owners.earnHow} href="/earn" />
}
