import { AppError, type contract, NODE_KINDS, nodeKindOf, type Output, type Parsed } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import { countryOfArea, readAreas, UNKNOWN_COUNTRY } from '../../platform/areas.ts'
import { type Context, now } from '../context.ts'
import { networkSummary } from '../nodes/summary.ts'
import { relayedBy } from '../relays/relayed.ts'
import { TRANSFER_LIFE } from '../traffic/record.ts'
import { uptimeByDay } from './days.ts'
import * as repository from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock'>

/** Only the latest transfers can be paged, because an offset costs as much as the rows it skips. */
const TRANSFERS_MAX = 10_000

const asNode = <R extends repository.NodeRow>({ node_id, name, kind, online_since, registered_at, ...node }: R) => ({
  node_id,
  name,
  type: NODE_KINDS[kind],
  ...node,
  online_since: online_since?.toISOString() ?? null,
  registered_at: registered_at.toISOString(),
})

export async function listNodes(
  context: Deps,
  { page, size, sort, area, type, status }: Parsed<typeof contract.explorer.nodes>,
): Promise<Output<typeof contract.explorer.nodes>> {
  // The unknown area cannot be chosen for files, but its nodes can be listed.
  const [country] =
    area === undefined ? [] : countryOfArea(area) === UNKNOWN_COUNTRY ? [UNKNOWN_COUNTRY] : readAreas([area])
  const filter = { area: country, kind: type === undefined ? undefined : (nodeKindOf(type) ?? ''), status }
  const at = now(context)
  const [rows, total] = await Promise.all([
    repository.pageOfNodes(context.db, filter, sort, size, (page - 1) * size, at),
    repository.countNodes(context.db, filter),
  ])
  return { list: rows.map(asNode), total }
}

/** @throws AppError notFound */
export async function showNode(context: Deps, id: string): Promise<Output<typeof contract.explorer.node>> {
  const at = now(context)
  const node = await repository.findNode(context.db, id, at)
  if (!node) throw new AppError('notFound')
  const since = new Date(Math.max(node.registered_at.getTime(), ago(at, 30 * DAY).getTime()))
  const spans = await repository.spansOf(context.db, id, since)
  const passed = await relayedBy(context.db, [id], at)
  return { ...asNode(node), passed_on: passed.get(id) ?? null, days: uptimeByDay(spans, since, at) }
}

export async function listTransfers(
  context: Deps,
  { page, size, kind }: Parsed<typeof contract.explorer.transfers>,
): Promise<Output<typeof contract.explorer.transfers>> {
  const since = ago(now(context), TRANSFER_LIFE)
  const offset = (page - 1) * size
  const limit = Math.min(size, TRANSFERS_MAX - offset)
  const [list, total] = await Promise.all([
    limit > 0 ? repository.pageOfTransfers(context.db, since, kind, limit, offset) : [],
    repository.countTransfers(context.db, since, kind, TRANSFERS_MAX),
  ])
  return { list, total }
}

export async function measureFigures(
  context: Deps & Pick<Context, 'config'>,
): Promise<Output<typeof contract.explorer.figures>> {
  const at = now(context)
  const [summary, { online_seconds, observed_seconds, observed_nodes, ...figures }] = await Promise.all([
    networkSummary(context),
    repository.findFigures(context.db),
  ])
  return {
    registered_nodes: summary.total_node_count,
    online_devices: summary.online_node_count,
    storage_space: summary.total_storage,
    storage_used: summary.storage_used,
    unique_ips: summary.ip_count,
    cpu_cores: summary.cpu_cores,
    countries: summary.area_count,
    uptime: observed_seconds > 0 ? Math.min(1, online_seconds / observed_seconds) : null,
    uptime_hours: observed_nodes > 0 ? observed_seconds / observed_nodes / 3600 : 0,
    ...figures,
    measured_at: at.toISOString(),
  }
}
