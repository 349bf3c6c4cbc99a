import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Context } from '../context.ts'

export interface NodeFigures {
  total: number
  online: number
  offline: number
  abnormal: number
  /** Out of service. */
  out: number
}

export const nodeFigures = (db: Db): Promise<NodeFigures> =>
  db.one(sql`
    select count(*) as total, count(*) filter (where status = 'online') as online, count(*) filter (where status = 'offline') as offline,
      count(*) filter (where status = 'abnormal') as abnormal, count(*) filter (where out_since is not null) as out
    from nodes`)

/** The share of their capacity that online nodes use, 0..1. */
export const usedShare = async (db: Db): Promise<number> =>
  (
    await db.one<{ share: number }>(sql`
      select coalesce(sum(used)::float8 / nullif(sum(capacity), 0)::float8, 0) as share from nodes where status = 'online'`)
  ).share

/** Metrics of nodes; absent while the database is unavailable. */
export function measureNodes(registry: Registry, { db }: Pick<Context, 'db'>): void {
  new Gauge({
    name: 'tidenet_server_nodes',
    help: 'Nodes by status.',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      const figures = await nodeFigures(db).catch(() => undefined)
      this.reset()
      if (!figures) return
      const { online, offline, abnormal } = figures
      for (const [status, count] of Object.entries({ online, offline, abnormal })) this.set({ status }, count)
    },
  })
}
