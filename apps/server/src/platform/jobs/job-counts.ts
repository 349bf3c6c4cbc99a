import { Gauge, type Registry } from 'prom-client'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** Jobs with one name: not run yet, to be retried, out of attempts. */
export interface JobCounts {
  name: string
  waiting: number
  failing: number
  dead: number
  oldest: Date | null
  last_error: string
}

export const countJobs = (db: Db): Promise<JobCounts[]> =>
  db.rows(sql`
    select task_identifier as name, count(*) filter (where attempts = 0) as waiting,
      count(*) filter (where attempts > 0 and attempts < max_attempts) as failing,
      count(*) filter (where attempts >= max_attempts) as dead, min(run_at) as oldest,
      coalesce((array_agg(left(last_error, 300) order by updated_at desc) filter (where last_error is not null))[1], '') as last_error
    from graphile_worker.jobs group by task_identifier order by task_identifier`)

export function measureJobs(registry: Registry, { db }: Pick<Context, 'db'>): void {
  new Gauge({
    name: 'tidenet_server_jobs',
    help: 'Unfinished jobs, by name and state.',
    labelNames: ['name', 'state'],
    registers: [registry],
    async collect() {
      // No metrics while the database is unavailable.
      const counts = await countJobs(db).catch(() => [])
      this.reset()
      for (const { name, waiting, failing, dead } of counts)
        for (const [state, count] of Object.entries({ waiting, failing, dead })) this.set({ name, state }, count)
    },
  })
}
