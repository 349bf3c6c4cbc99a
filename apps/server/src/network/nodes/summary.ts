import type { contract, Output } from '@tidenet/contract'
import { type Cache, createCache } from '../../platform/cache.ts'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Context } from '../context.ts'

type Summary = Output<typeof contract.network.summary>

const caches = new WeakMap<Db, Cache>()

/** Figures of the network, cached for a few seconds. */
export function networkSummary(context: Pick<Context, 'db' | 'config'>): Promise<Summary> {
  const cached = caches.get(context.db) ?? createCache(context)
  caches.set(context.db, cached)
  return cached([], () => measure(context.db))
}

/** Storage, cores and memory are totals of online nodes; contents and replicas are precomputed figures. */
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
    ) n, (select assets as asset_count, replicas as replica_count from network_figures) c`)
