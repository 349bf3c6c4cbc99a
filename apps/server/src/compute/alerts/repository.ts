import type { ProgramProblem } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export interface Problem {
  id: string
  name: string
  user_id: number
  kind: ProgramProblem
  /** Whether the owner knows of it. */
  told: boolean
}

const MINUTE = 60_000
/** Programs are sampled every 30 s. */
const LATEST_MS = 3 * MINUTE
const MEMORY_MS = 5 * MINUTE
const MEMORY_SAMPLES = 5
/** Restarts in a row without running well for ten minutes. */
const RESTARTS = 3
/** A problem that was away for this long is a new one. */
const AWAY_MS = DAY

/** Programs per query. */
export const PROGRAMS_AT_ONCE = 1000

/** What is wrong with programs after an id, in the order of their ids. @returns `last`: the last id that was looked at, if there may be more */
export async function findProblems(db: Db, after: string, at: Date): Promise<{ problems: Problem[]; last?: string }> {
  const { ids } = await db.one<{ ids: string[] }>(sql`
    select coalesce(array_agg(id order by id), '{}') as ids from (
      select l.id from workloads l join workspaces w on w.id = l.workspace_id
      where l.id > ${after} and w.state = 'ready' and l.wanted <> 'removed' and l.made
      order by l.id limit ${PROGRAMS_AT_ONCE}) page`)
  const problems = await db.rows<Problem>(sql`
    select l.id, l.name, w.user_id, p.kind, a.seen_at is not null as told
    from unnest(${ids}::text[]) i (id) join workloads l on l.id = i.id join workspaces w on w.id = l.workspace_id
    left join lateral (
      select storage from workload_usage u where u.workload_id = l.id and u.at > ${ago(at, LATEST_MS)}
      order by u.at desc limit 1) latest on true
    left join lateral (
      select min(memory) as memory, count(*) as samples from workload_usage u
      where u.workload_id = l.id and u.at >= ${ago(at, MEMORY_MS)}) lately on true
    cross join lateral (values
      ('stopped', l.failure = 'storage'),
      ('disk', l.wanted = 'running' and latest.storage >= 0.9 * l.storage),
      ('memory', l.wanted = 'running' and lately.samples >= ${MEMORY_SAMPLES} and lately.memory >= 0.95 * l.memory),
      ('restarts', l.wanted = 'running' and l.restart_streak >= ${RESTARTS}),
      ('unhealthy', l.wanted = 'running' and l.health_state = 'unhealthy')) p (kind, holds)
    left join program_alerts a on a.workload_id = l.id and a.kind = p.kind and a.seen_at > ${ago(at, AWAY_MS)}
    where p.holds order by l.id, p.kind`)
  const last = ids.length === PROGRAMS_AT_ONCE ? ids.at(-1) : undefined
  return { problems, ...(last !== undefined && { last }) }
}

/** Records that known problems are still there. */
export const seeAgain = (db: Db, known: readonly Pick<Problem, 'id' | 'kind'>[], at: Date): Promise<number> =>
  db.run(sql`
    update program_alerts a set seen_at = ${at}
    from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) k (id text, kind text)
    where a.workload_id = k.id and a.kind = k.kind`)

/** @returns whether it is new: of several servers, one tells the owner */
export const addAlert = async (tx: Db, { id, kind }: Pick<Problem, 'id' | 'kind'>, at: Date): Promise<boolean> =>
  (await tx.run(sql`
    insert into program_alerts as a (workload_id, kind, seen_at) values (${id}, ${kind}, ${at})
    on conflict (workload_id, kind) do update set seen_at = excluded.seen_at where a.seen_at <= ${ago(at, AWAY_MS)}`)) >
  0

/** What was wrong with programs at the last look. */
export const problemsOf = (db: Db, ids: readonly string[], at: Date) =>
  db.rows<{ workload_id: string; kind: ProgramProblem }>(sql`
    select workload_id, kind from program_alerts
    where workload_id = any(${ids}::text[]) and seen_at > ${ago(at, LATEST_MS)} order by workload_id, kind`)

export const expired = (at: Date): Sql[] => [sql`delete from program_alerts where seen_at < ${ago(at, 30 * DAY)}`]
