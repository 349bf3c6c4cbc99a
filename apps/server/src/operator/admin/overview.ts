import type { contract, Output } from '@tidenet/contract'
import { accountFigures } from '../../identity/index.ts'
import { nodeFigures, placement } from '../../network/index.ts'
import { ago, DAY } from '../../platform/ago.ts'
import { countAudit } from '../../platform/audit-log/query.ts'
import { sql } from '../../platform/db/sql.ts'
import { countJobs } from '../../platform/jobs/job-counts.ts'
import { mailFigures } from '../../platform/mail/administration.ts'
import { logFigures } from '../../platform/transparency-log/published.ts'
import { type Context, now } from '../context.ts'
import { leadFigures } from '../leads/service.ts'
import { type CountWaiting, problems } from './problems.ts'

type Overview = Output<(typeof contract)['admin']['overview']>

/** The system overview, counted at request time. */
export async function overview(context: Context, countWaiting: CountWaiting): Promise<Overview> {
  const { db } = context
  const at = now(context)
  const dayAgo = ago(at, DAY)
  const weekAgo = ago(at, 7 * DAY)
  const [users, nodes, contents, leads, mails, jobs, log, audit, database] = await Promise.all([
    accountFigures(db, weekAgo),
    nodeFigures(db),
    placement.totals(db),
    leadFigures(db, weekAgo),
    mailFigures(db, weekAgo),
    countJobs(db),
    logFigures(context),
    countAudit(db, dayAgo),
    db.one<Overview['database']>(sql`
      select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`),
  ])
  const counted = {
    users,
    nodes,
    contents,
    leads,
    mails,
    jobs: jobs.map((job) => ({ ...job, oldest: job.oldest?.toISOString() ?? null })),
    log: { ...log, oldest: log.oldest?.toISOString() ?? null },
    audit_24h: audit,
    database,
    measured_at: at.toISOString(),
  }
  return { ...counted, problems: await problems(context, counted, countWaiting) }
}
