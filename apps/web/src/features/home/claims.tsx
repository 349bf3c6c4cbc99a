import { formatNumber, formatPercent } from '../../lib/format.ts'
import { Claim } from '../../ui/claim.tsx'
import { Section } from '../../ui/page.tsx'
import { usePolled } from '../network/use-polled.ts'
import { t } from './sections-texts.ts'

const REFRESH_MS = 60_000
const nothing = {}
const NODES = 100
const allNodes = { page: 1, size: NODES, sort: 'newest' } as const

/** What is promised, each beside what is known of it today. */
export function Claims() {
  const c = t.claims
  const figures = usePolled('explorer.figures', nothing, REFRESH_MS).data
  const nodes = usePolled('explorer.nodes', allNodes, REFRESH_MS).data
  // An average of some of them would not be the network's.
  const known = nodes && nodes.total > 0 && nodes.total <= NODES ? nodes.list : undefined
  const uptime = known && known.reduce((sum, node) => sum + node.uptime_30d, 0) / known.length
  return (
    <Section id="aims" eyebrow={c.eyebrow} title={c.title} intro={c.intro}>
      <div className="grid gap-x-12 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
        {uptime !== undefined && figures ? (
          <Claim
            value={formatPercent(uptime, 1, 2)}
            what={c.uptime.measured(known?.length ?? 0)}
            how={c.uptime.how}
            when={figures.measured_at}
            href="/storagenetwork#nodes"
          />
        ) : (
          <Claim value={c.uptime.value} what={c.uptime.what} how={c.uptime.targetHow} href="/storagenetwork#nodes" />
        )}
        {figures ? (
          <Claim
            value={formatNumber(figures.countries)}
            what={c.countries.measured(figures.countries)}
            how={c.countries.how}
            when={figures.measured_at}
            href="/storagenetwork#areas"
          />
        ) : (
          <Claim
            value={c.countries.value}
            what={c.countries.what}
            how={c.countries.targetHow}
            href="/storagenetwork#areas"
          />
        )}
        <Claim
          value={c.ips.value}
          what={c.ips.what}
          how={figures ? c.ips.how(formatNumber(figures.unique_ips)) : c.ips.plain}
          href="/storagenetwork#figures"
        />
        <Claim {...c.storage} />
        <Claim {...c.pcdn} />
        <Claim {...c.cashback} />
      </div>
    </Section>
  )
}

/** What a device may bring its owner. */
export function EarningsClaim() {
  return <Claim value="$5–$30" what={t.owners.earn} how={t.owners.earnHow} />
}
