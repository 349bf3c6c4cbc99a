import { ago } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { RATE_UNKNOWN, standing } from './node-table.ts'
import { lockNodes, lowerQuality, moveQuality } from './standing-repository.ts'

/** Measurements of nodes by others. Anyone can report, so each reporter counts little: its reports per node and hour are limited. */

const HOUR = 3600_000
/**
 * Reports move the quality of a node only a little, one of each reporter an hour, and not below the floor. Passed audits raise it by more
 * (`recordOutcomes`): a node is audited twelve times an hour, so few false reporters change little.
 */
const QUALITY = { weight: 0.02, floor: 0.5 }
/** Complaints and failed checks per reporter, node and hour that lead to an audit. */
const HEARD_MAX = 10

/** A sample moves the rate by at most this factor, so that a few false samples change little. */
const RATE_STEP = 1.5
/** Weight of a sample, in powers of the rate. */
const RATE_WEIGHT = 0.25
/** Smaller transfers measure the delay, not the rate. */
const RATE_BYTES_MIN = 64 * 1024

export interface RateSample {
  nodeId: string
  bytes: number
  ms: number
}

/**
 * Moves the measured rates of nodes: one sample per reporter, node and hour counts.
 * @param reporters who measured: an account and its client network, a validator, or the server. A sample counts if none of them has
 * measured the node in this hour
 */
export async function recordRates(
  tx: Db,
  reporters: readonly string[],
  samples: readonly RateSample[],
  at: Date,
): Promise<void> {
  const rates = new Map<string, number>()
  for (const { nodeId, bytes, ms } of samples)
    if (bytes >= RATE_BYTES_MIN && ms >= 1 && !rates.has(nodeId)) rates.set(nodeId, (bytes * 1000) / ms)
  if (rates.size === 0) return
  const first = await tx.rows<{ id: string }>(sql`
    with rated as (
      insert into node_reports as r (node_id, reporter, hour, rated)
      select n.id, f.reporter, ${hourOf(at)}, true from nodes n, unnest(${reporters}::text[]) f (reporter) where n.id = any(${[...rates.keys()]})
      order by n.id, f.reporter
      on conflict (node_id, reporter, hour) do update set rated = true where not r.rated
      returning r.node_id
    )
    select node_id as id from rated group by node_id having count(*) = cardinality(${reporters}::text[])`)
  if (first.length === 0) return
  const ids = first.map(({ id }) => id)
  const known = sql`coalesce(nullif(n.rate, 0), ${RATE_UNKNOWN}::float8)`
  await lockNodes(tx, ids)
  await tx.run(sql`
    update nodes n set rate = ${known} * least(${RATE_STEP}::float8, greatest(1 / ${RATE_STEP}::float8, power(f.rate / ${known}, ${RATE_WEIGHT}::float8)))
    from unnest(${ids}::text[], ${ids.map((id) => rates.get(id) ?? 0)}::float8[]) f (id, rate) where n.id = f.id`)
}

/** A client's report about the nodes of one transfer. */
export interface TransferReport {
  /** The account and the client network of the client. */
  reporters: readonly string[]
  /** The client's account: reports about its own nodes do not count. */
  userId: number | undefined
  nodes: readonly { id: string; share: number; bytes: number; ms: number }[]
}

/** Moves quality and rate of the nodes of a transfer, unless the reporter has reported about them in this hour. */
export async function recordTransferReport(tx: Db, report: TransferReport, at: Date): Promise<void> {
  const ids = report.nodes.map(({ id }) => id)
  const firsts = new Set((await countReports(tx, { ...report, ids }, at)).filter(isFirst).map(({ id }) => id))
  const nodes = report.nodes.filter(({ id }) => firsts.has(id))
  if (nodes.length === 0) return
  await moveQuality(tx, { ids: nodes.map(({ id }) => id), shares: nodes.map(({ share }) => share), ...QUALITY })
  await recordRates(
    tx,
    report.reporters,
    nodes.map(({ id, bytes, ms }) => ({ nodeId: id, bytes, ms })),
    at,
  )
}

/** A complaint lowers the quality of a source only a little, and that of a new edge not at all; an audit decides. */
const COMPLAINT = { step: 0.02, floor: 0.5 }

/**
 * A node complains about sources that it pulled from. The nodes of a network or an owner are one reporter.
 * @returns the sources about which they have not complained too often
 */
export async function recordComplaints(tx: Db, nodeId: string, about: readonly string[], at: Date): Promise<string[]> {
  const { network, owner, trusted } = await tx.one<{ network: string; owner: number | null; trusted: boolean }>(sql`
    select network, owner_id as owner, ${standing} <> 'new' as trusted from nodes n where n.id = ${nodeId}`)
  const reporters = [`nodes of network ${network || nodeId}`, `nodes of owner ${owner ?? nodeId}`]
  const counted = await countReports(tx, { reporters, userId: owner ?? undefined, ids: about }, at)
  if (trusted)
    await lowerQuality(
      tx,
      counted.filter(isFirst).map(({ id }) => id),
      COMPLAINT,
    )
  return counted.filter(isHeard).map(({ id }) => id)
}

/** Counts a failed check of a copy by its owner. @returns false if the account has reported this node too often in this hour */
export const countCheck = async (tx: Db, nodeId: string, userId: number, at: Date): Promise<boolean> =>
  (await countReports(tx, { reporters: [`checks of account ${userId}`], userId: undefined, ids: [nodeId] }, at)).some(
    isHeard,
  )

interface Counted {
  id: string
  /** Reports of the node in this hour, by the reporter that made the most. */
  reports: number
}
const isFirst = ({ reports }: Counted) => reports === 1
const isHeard = ({ reports }: Counted) => reports <= HEARD_MAX

/** Counts a report about each node, except those of the reporter. */
function countReports(
  tx: Db,
  { reporters, userId, ids }: Pick<TransferReport, 'reporters' | 'userId'> & { ids: readonly string[] },
  at: Date,
): Promise<Counted[]> {
  return tx.rows<Counted>(sql`
    with reported as (
      insert into node_reports as r (node_id, reporter, hour, reports)
      select n.id, f.reporter, ${hourOf(at)}, 1 from nodes n, unnest(${reporters}::text[]) f (reporter)
      where n.id = any(${ids}) and n.owner_id is distinct from ${userId ?? -1}::bigint
      order by n.id, f.reporter
      on conflict (node_id, reporter, hour) do update set reports = r.reports + 1
      returning r.node_id, r.reports
    )
    select node_id as id, max(reports)::int as reports from reported group by node_id
    having count(*) = cardinality(${reporters}::text[]) order by node_id`)
}

const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / HOUR) * HOUR)

/** Only the current hour counts. */
export const expired = (at: Date): Sql[] => [
  sql`delete from node_reports where (node_id, reporter, hour) in (
    select node_id, reporter, hour from node_reports where hour < ${ago(at, 2 * HOUR)} limit ${EXPIRED_BATCH} for update skip locked)`,
]
