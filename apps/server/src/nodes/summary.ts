import type { contract, Output } from '@tidenet/contract'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

type Summary = Output<typeof contract.network.summary>

/** Figures of the network may be this old. */
const FRESH_MS = 5000

const kept = new WeakMap<Db, { at: number; figures: Promise<Summary> }>()

/** Figures of the network as the database has them, at most five seconds old. */
export function networkSummary(context: Pick<Context, 'db' | 'config'>): Promise<Summary> {
  const known = kept.get(context.db)
  const fresh = context.config.environment === 'test' ? 0 : FRESH_MS
  if (known && performance.now() - known.at < fresh) return known.figures
  const figures = measure(context.db)
  kept.set(context.db, { at: performance.now(), figures })
  figures.catch(() => kept.delete(context.db))
  return figures
}

/** Storage, cores and memory are those of nodes that are online; contents count when somebody holds them. */
const measure = (db: Db): Promise<Summary> =>
  db.one<Summary>(sql`
    select n.*, c.*, case when c.asset_count = 0 then 0 else round(c.replica_count::numeric / c.asset_count, 2) end as t_average_replica
    from (
      select count(*) as total_node_count,
        count(*) filter (where status = 'online') as online_node_count,
        count(*) filter (where kind = 'candidate') as candidate_count,
        count(*) filter (where kind = 'edge') as edge_count,
        count(*) filter (where kind = 'validator') as validator_count,
        count(distinct country) filter (where status = 'online') as area_count,
        coalesce(sum(capacity) filter (where status = 'online'), 0) as total_storage,
        coalesce(sum(used) filter (where status = 'online'), 0) as storage_used,
        count(distinct ip) filter (where status = 'online') as ip_count,
        coalesce(sum(cpu_cores) filter (where status = 'online'), 0) as cpu_cores,
        coalesce(sum(memory) filter (where status = 'online'), 0) as memory
      from nodes
    ) n, (
      select count(*) filter (where stored > 0) as asset_count, coalesce(sum(stored), 0) as replica_count from contents
    ) c`)
