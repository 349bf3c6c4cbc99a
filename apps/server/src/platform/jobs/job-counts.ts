import { Gauge, type Registry } from 'prom-client'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** Jobs of one kind: not tried yet, to be tried again, given up. */
export interface JobFigures {
  name: string
  waiting: number
  failing: number
  dead: number
  oldest: Date | null
  last_error: string
}

export const jobFigures = (db: Db): Promise<JobFigures[]> =>
  db.rows(sql`
    select task_identifier as name, count(*) filter (where attempts = 0) as waiting,
      count(*) filter (where attempts > 0 and attempts < max_attempts) as failing,
      count(*) filter (where attempts >= max_attempts) as dead, min(run_at) as oldest,
      coalesce((array_agg(left(last_error, 300) order by updated_at desc) filter (where last_error is not null))[1], '') as last_error
    from graphile_worker.jobs group by task_identifier order by task_identifier`)

/** Without a database there are no numbers of jobs. */
export function measureJobs(registry: Registry, { db }: Pick<Context, 'db'>): void {
  new Gauge({
    name: 'tidenet_server_jobs',
    help: 'Jobs that are not done, by kind and state.',
    labelNames: ['name', 'state'],
    registers: [registry],
    async collect() {
      const figures = await jobFigures(db).catch(() => [])
      this.reset()
      for (const { name, waiting, failing, dead } of figures)
        for (const [state, count] of Object.entries({ waiting, failing, dead })) this.set({ name, state }, count)
    },
  })
}
