import { ago, DAY } from '../../platform/ago.ts'
import { UNKNOWN_COUNTRY } from '../../platform/areas.ts'
import { type Cache, createCache } from '../../platform/cache.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import type { Context } from '../context.ts'
import { continentOf } from './countries.ts'
import type { NodeFacts } from './node-table.ts'

/**
 * How long readers in a country wait for the first byte of a node, as they reported it. Anyone can report, so a client network has one of
 * `SLOTS` values per node and country, and the median counts: who reports falsely changes nothing until most values are false.
 */
export const SLOTS = 16
/** Fewer values say nothing about a node, or about the nodes of a country. */
export const VALUES_MIN = 3
const KEPT_MS = 7 * DAY

export interface FirstByteSample {
  nodeId: string
  /** Ms until the first byte. */
  ms: number
}

/**
 * Records what one reader measured.
 * @param reader.slot 0 … SLOTS - 1; the same for all reports of a client network
 * @param reader.userId its account: what it says about its own nodes does not count
 */
export const recordFirstBytes = async (
  tx: Db,
  reader: { country: string; slot: number; userId: number | undefined },
  samples: readonly FirstByteSample[],
  at: Date,
): Promise<void> => {
  if (samples.length === 0) return
  await tx.run(sql`
    insert into first_bytes (country, node_id, slot, ms, measured_at)
    select ${reader.country}, n.id, ${reader.slot}::smallint, f.ms, ${at}
    from unnest(${samples.map(({ nodeId }) => nodeId)}::text[], ${samples.map(({ ms }) => ms)}::int[]) f (id, ms) join nodes n on n.id = f.id
    where n.owner_id is distinct from ${reader.userId ?? -1}::bigint
    order by n.id
    on conflict (country, node_id, slot) do update set ms = excluded.ms, measured_at = excluded.measured_at`)
}

/** The medians of readers in a country, ms. */
export interface FirstBytes {
  nodes: ReadonlyMap<string, number>
  /** Of all nodes in a country. */
  countries: ReadonlyMap<string, number>
}

/** The medians of a country are this old at most, unless counting them takes long. */
const CACHED_MS = 30_000
const caches = new WeakMap<Db, Cache>()

/** What readers in a country measured in the last days. Each server caches it. */
export function findFirstBytes(
  { db, config }: Pick<Context, 'db' | 'config'>,
  country: string,
  at: Date,
): Promise<FirstBytes> {
  const cached = caches.get(db) ?? createCache({ config }, { minTtlMs: CACHED_MS })
  caches.set(db, cached)
  return cached([country], () => readFirstBytes(db, country, at))
}

async function readFirstBytes(db: Db, country: string, at: Date): Promise<FirstBytes> {
  const rows = await db.rows<{ node_id: string | null; country: string | null; ms: number }>(sql`
    select b.node_id, n.country, percentile_disc(0.5) within group (order by b.ms) as ms
    from first_bytes b join nodes n on n.id = b.node_id
    where b.country = ${country} and b.measured_at > ${ago(at, KEPT_MS)}
    group by grouping sets ((b.node_id), (n.country)) having count(distinct b.slot) >= ${VALUES_MIN}`)
  const of = (key: 'node_id' | 'country') =>
    new Map(rows.flatMap((row) => (row[key] === null ? [] : [[row[key], row.ms] as const])))
  return { nodes: of('node_id'), countries: of('country') }
}

/** Expected times if nobody measured, ms. */
const ASSUMED = { country: 40, continent: 90, elsewhere: 250 }

/** The expected time until a reader in a country gets the first byte of a node: of the node, or else of its country, or else by distance. */
export function expectedFirstByte(
  { nodes, countries }: FirstBytes,
  reader: string,
  node: Pick<NodeFacts, 'id' | 'country'>,
): number {
  return nodes.get(node.id) ?? countries.get(node.country) ?? assumedFirstByte(reader, node.country)
}

/** The expected time between two countries of which nobody measured anything, ms. */
export function assumedFirstByte(reader: string, country: string): number {
  if (country === UNKNOWN_COUNTRY) return ASSUMED.elsewhere
  if (country === reader) return ASSUMED.country
  const continent = continentOf(reader)
  return continent !== undefined && continent === continentOf(country) ? ASSUMED.continent : ASSUMED.elsewhere
}

export const expired = (at: Date): Sql[] => [
  sql`delete from first_bytes where (country, node_id, slot) in (
    select country, node_id, slot from first_bytes where measured_at < ${ago(at, KEPT_MS)} limit ${EXPIRED_BATCH} for update skip locked)`,
]
