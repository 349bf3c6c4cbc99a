import type { contract, Output } from '@tidenet/contract'
import { accountFigures } from '../../identity/index.ts'
import { countAudit } from '../../platform/audit-log/logged.ts'
import { sql } from '../../platform/db/sql.ts'
import { mailFigures } from '../../platform/mail/written.ts'
import { now } from '../context.ts'
import { leadFigures } from '../leads/service.ts'
import type { Needs } from './change.ts'

type Overview = Output<(typeof contract)['admin']['overview']>

const DAY = 24 * 3600 * 1000

/** What the operators look at first, counted now. */
export async function overview(context: Needs): Promise<Overview> {
  const { db } = context
  const at = now(context)
  const dayAgo = new Date(at.getTime() - DAY)
  const weekAgo = new Date(at.getTime() - 7 * DAY)
  const [users, nodes, contents, leads, mails, jobs, audit, database] = await Promise.all([
    accountFigures(db, weekAgo),
    db.one<Overview['nodes']>(sql`
      select count(*) as total, count(*) filter (where status = 'online') as online, count(*) filter (where status = 'offline') as offline,
        count(*) filter (where status = 'abnormal') as abnormal, count(*) filter (where out_since is not null) as out
      from nodes`),
    db.one<Overview['contents']>(sql`
      select count(*) as total, coalesce(sum(size), 0) as bytes, count(*) filter (where stored < wanted) as short,
        count(*) filter (where stored = 0 and wanted > 0) as nowhere
      from contents`),
    leadFigures(db, weekAgo),
    mailFigures(db, weekAgo),
    db.rows<Overview['jobs'][number] & { oldest: Date | null }>(sql`
      select task_identifier as name, count(*) filter (where attempts = 0) as waiting,
        count(*) filter (where attempts > 0 and attempts < max_attempts) as failing,
        count(*) filter (where attempts >= max_attempts) as dead, min(run_at) as oldest,
        coalesce((array_agg(left(last_error, 300) order by updated_at desc) filter (where last_error is not null))[1], '') as last_error
      from graphile_worker.jobs group by task_identifier order by task_identifier`),
    countAudit(db, dayAgo),
    db.one<Overview['database']>(sql`
      select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`),
  ])
  return {
    users,
    nodes,
    contents,
    leads,
    mails,
    jobs: jobs.map((job) => ({ ...job, oldest: job.oldest?.toISOString() ?? null })),
    audit_24h: audit,
    database,
    measured_at: at.toISOString(),
  }
}
