import type { ClusterName, HealthCheck, HealthState } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { WorkloadRow } from './repository.ts'

/** A workload that should run, for health checks and restarts. */
export interface SupervisedRow extends Pick<WorkloadRow, 'id' | 'workspace_id' | 'version' | 'restart'> {
  cluster: ClusterName
  /** Restarts since it last ran well. */
  restart_streak: number
}

export interface ProbedRow extends SupervisedRow {
  health: HealthCheck
  health_state: HealthState
  health_failures: number
}

const columns = sql`
  l.id, l.workspace_id, l.version, l.restart, l.restart_streak, w.cluster`

/** Whether any program of these regions should run. */
export const hasRunning = async (db: Db, regions: readonly ClusterName[]): Promise<boolean> =>
  (
    await db.one<{ some: boolean }>(sql`
      select exists (
        select 1 from workspaces w join workloads l on l.workspace_id = w.id
        where w.cluster = any(${regions}) and w.state = 'ready' and l.wanted = 'running') as some`)
  ).some

/** Those of these workloads that should run and for which no restart is planned. */
export const endedAmong = (db: Db, ids: readonly string[]): Promise<SupervisedRow[]> =>
  db.rows(sql`
    select ${columns} from workloads l join workspaces w on w.id = l.workspace_id
    where l.id = any(${ids}) and l.wanted = 'running' and l.done = l.version and l.restart_at is null and l.restart <> 'never'
      and l.failure = '' and w.state = 'ready'`)

/** Claims workloads whose health check is due. */
export const claimDueProbes = (tx: Db, at: Date, limit: number): Promise<ProbedRow[]> =>
  tx.rows(sql`
    with due as (
      select l.id from workloads l join workspaces w on w.id = l.workspace_id
      where l.health is not null and l.wanted = 'running' and l.done = l.version and w.state = 'ready'
        and (l.probed_at is null or l.probed_at <= ${at}::timestamptz - make_interval(secs => (l.health->>'interval')::int))
      order by l.probed_at nulls first limit ${limit} for update of l skip locked)
    update workloads l set probed_at = ${at} from workspaces w
    where w.id = l.workspace_id and l.id in (select id from due) and l.health is not null
    returning ${columns}, l.health, l.health_state, l.health_failures`)

/** Stores the result of a health check, unless the workload changed or restarted meanwhile. */
export const recordHealth = (
  db: Db,
  { id, version, health_failures: before }: Pick<ProbedRow, 'id' | 'version' | 'health_failures'>,
  result: { state: HealthState; failures: number; note: string },
): Promise<number> =>
  db.run(sql`
    update workloads set health_state = ${result.state}, health_failures = ${result.failures}, health_note = ${result.note.slice(0, 200)}
    where id = ${id} and version = ${version} and health_failures = ${before} and not restart_asked`)

/** Plans a restart, unless one is planned or the workload changed meanwhile. */
export const planRestart = (
  db: Db,
  { id, version }: Pick<WorkloadRow, 'id' | 'version'>,
  plan: { at: Date; streak: number },
): Promise<number> =>
  db.run(sql`
    update workloads set restart_at = ${plan.at}, restart_streak = ${plan.streak}
    where id = ${id} and version = ${version} and restart_at is null and wanted = 'running'`)

/** Claims planned restarts that are due. */
export const claimDueRestarts = (tx: Db, at: Date): Promise<{ id: string }[]> =>
  tx.rows(sql`
    update workloads set restart_asked = true
    where restart_at <= ${at} and not restart_asked and wanted = 'running' returning id`)

/** Counts a restart that was carried out. Nothing if the workload was changed meanwhile. */
export const finishRestart = (db: Db, { id, version }: Pick<WorkloadRow, 'id' | 'version'>): Promise<number> =>
  db.run(sql`
    update workloads set restarts = restarts + 1, restart_at = null, restart_asked = false, health_state = 'unknown', health_failures = 0
    where id = ${id} and version = ${version} and restart_asked`)

/** Sets or clears the time at which a workload is stopped. */
export const scheduleStop = (tx: Db, id: string, at: Date | null): Promise<number> =>
  tx.run(sql`update workloads set stop_at = ${at} where id = ${id} and wanted = 'running'`)

/** Claims workloads whose scheduled stop is due. */
export const claimDueStops = (tx: Db, at: Date): Promise<{ id: string }[]> =>
  tx.rows(sql`select id from workloads where stop_at <= ${at} and wanted = 'running' for update skip locked`)
