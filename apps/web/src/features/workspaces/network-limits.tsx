import type { ConsoleWorkspace } from '@tidenet/contract'
import { formatNumber } from '../../lib/format.ts'
import { t } from './texts.ts'

/** What the programs of a workspace can reach, how fast, and what is not limited here. */
export const NetworkLimits = ({ network, apart, traffic }: Pick<ConsoleWorkspace, 'network' | 'apart' | 'traffic'>) =>
  network ? (
    <>
      <p>{apart ? t.space.network : t.space.openNetwork}</p>
      <p>{limits(traffic)}</p>
      {traffic.closed_ports.length > 0 && <p>{t.space.closedPorts(t.list(traffic.closed_ports))}</p>}
    </>
  ) : (
    <p>{t.space.noNetwork}</p>
  )

function limits({ megabits, connections }: ConsoleWorkspace['traffic']): string {
  if (connections === 0) return t.space.trafficFree
  if (megabits === 0) return t.space.bandwidthFree(formatNumber(connections))
  return t.space.limited(formatNumber(megabits), formatNumber(connections))
}
