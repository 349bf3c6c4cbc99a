import type { NodeKind, NodeStatus } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Context } from '../context.ts'
import { DEFENDED, type Policy } from '../policy.ts'

/** The columns that node choices depend on. */
export interface NodeFacts {
  id: string
  kind: NodeKind
  /** The second segment of the area id; the portal shows areas by country. */
  country: string
  capacity: number
  free: number
  /** 0..1 */
  load: number
  /** What it reports about itself, bytes per second; 0 if unknown. */
  send_rate: number
  receive_rate: number
  status: NodeStatus
  reachable: boolean
  /** Its copies count: it is reachable, or was until minutes ago, or an audit through another node reached it. */
  counts: boolean
  /** Share of good transfers as clients reported them, 0..1. */
  quality: number
  /** Bytes per second as others measured it; 0 if nobody did. */
  rate: number
  /** Share of passed audits, 0..1. */
  audit_share: number
  /** A vetted edge. */
  vetted: boolean
  /** It fails audits, or its owner wants to switch it off: its copies are replaced. */
  draining: boolean
  /** The /24 or /48 of its address. */
  network: string
  /** The account that owns it, or the node itself. */
  owner: string
  /** Out of service. */
  out?: boolean
  /** Clients reach it through a relay. */
  relayed?: boolean
  /** Reports the bytes of running uploads with its heartbeats. */
  reports_uploads?: boolean
}

/** The assumed rate of a node that nobody measured, bytes per second. */
export const RATE_UNKNOWN = 2_000_000

/** Anyone can run an edge; other kinds need the operators' join token. */
export const isInvited = ({ kind }: Pick<NodeFacts, 'kind'>): boolean => kind !== 'edge'
export const isVetted = ({ kind, vetted }: Pick<NodeFacts, 'kind' | 'vetted'>): boolean => kind === 'edge' && vetted
/** Copies count only on trusted nodes: invited ones and vetted edges. */
export const isTrusted = (node: Pick<NodeFacts, 'kind' | 'vetted'>): boolean => isInvited(node) || node.vetted

/** @param node the name of its row */
export const standingOf = (node: Sql): Sql =>
  sql`case when ${node}.kind <> 'edge' then 'invited' when ${node}.vetted_at is not null then 'vetted' else 'new' end`

/** The standing of a node `n`, as it is shown. */
export const standing = standingOf(sql`n`)

/** The network and the owner of a node `n`; the node itself if they are not known. */
export const groupColumns = sql`case when n.network = '' then n.id else n.network end as network, coalesce(n.owner_id::text, n.id) as owner`

/** Where clients reach a node best: directly, if the server did. @param node the name of its row */
export const urlOf = (node: Sql): Sql =>
  sql`case when ${node}.direct_url <> '' then ${node}.direct_url else ${node}.url end`
/** Other origins of the node, best first; without a zone there are none. */
export const moreUrlsOf = (node: Sql): Sql => sql`coalesce(array_remove(
    case when ${node}.direct_url <> '' and ${node}.relayed then array[${node}.url] else '{}' end || array_remove(${node}.relay_urls, ${node}.url),
    ${urlOf(node)}), '{}')`
/** Whether clients reach it through a relay. */
export const relayedOf = (node: Sql): Sql => sql`(${node}.relayed and ${node}.direct_url = '')`

/** The columns of `NodeFacts` of a node `n`. */
export const factColumns = ({ vetting }: Pick<Policy, 'vetting'>): Sql => sql`
  n.id, n.kind, n.country, n.capacity, n.free, n.load, n.send_rate, n.receive_rate, n.status, n.reachable,
  (n.reachable or n.uncounted_since is null) as counts, n.quality, n.rate,
  (n.audit_good + 1) / (n.audit_good + n.audit_bad + 1) as audit_share,
  (n.kind = 'edge' and (n.vetted_at is not null or ${!vetting})) as vetted,
  (n.draining_since is not null or n.leaving_since is not null) as draining,
  ${groupColumns}, (n.out_since is not null) as out, ${relayedOf(sql`n`)} as relayed, n.reports_uploads`

export interface NodeRow extends NodeFacts {
  name: string
  area_id: string
  /** Where clients reach it best, and other origins for the time when that one fails. */
  url: string
  more_urls: string[]
  ip: string
  latitude: number
  longitude: number
  offline_at: Date | null
}

/** How old the table may be. */
const FRESH_MS = 1000

interface Snapshot {
  at: number
  rows: Promise<NodeRow[]>
}
const snapshots = new WeakMap<Db, Snapshot>()

/** All nodes as they are now. */
export const readNodes = ({ db, policy = DEFENDED }: Pick<Context, 'db'> & Partial<Pick<Context, 'policy'>>) =>
  db.rows<NodeRow>(sql`
    select ${factColumns(policy)}, n.name, n.area_id,
      ${urlOf(sql`n`)} as url, ${moreUrlsOf(sql`n`)} as more_urls, n.ip, n.latitude, n.longitude, n.offline_at from nodes n`)

/** All nodes, at most one second old: requests share one query. At the quick pace query results are not cached. */
export function nodeTable(
  context: Pick<Context, 'db'> & Partial<Pick<Context, 'config' | 'policy'>>,
): Promise<NodeRow[]> {
  const known = snapshots.get(context.db)
  const fresh = context.config?.pace === 'quick' ? 0 : FRESH_MS
  if (known && performance.now() - known.at < fresh) return known.rows
  const rows = readNodes(context)
  const snapshot = { at: performance.now(), rows }
  snapshots.set(context.db, snapshot)
  // Do not cache failures.
  rows.catch(() => snapshots.delete(context.db))
  return rows
}
