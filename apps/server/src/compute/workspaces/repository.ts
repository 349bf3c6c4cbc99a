import type { ClusterName } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export interface WorkspaceRow {
  id: string
  user_id: number
  cluster: ClusterName
  cpu: number
  ram: number
  storage: number
  state: 'making' | 'ready' | 'suspended' | 'removed'
  created_at: Date
}

/** Until the transaction ends nobody else promises room on clusters. */
export const holdRoom = (tx: Db): Promise<number> =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended('room on clusters', 0))`)

/** What is sold in these regions: cores and GB; what is suspended takes disk alone. */
export const soldRoom = (
  db: Db,
  regions: readonly ClusterName[],
  but = '',
): Promise<{ cpu: number; ram: number; storage: number }> =>
  db.one(sql`
    select coalesce(sum(cpu) filter (where state <> 'suspended'), 0) as cpu,
      coalesce(sum(ram) filter (where state <> 'suspended'), 0) as ram,
      coalesce(sum(storage), 0) as storage
    from workspaces where cluster = any(${regions}) and state <> 'removed' and id <> ${but}`)

export const hasRemoved = async (db: Db, regions: readonly ClusterName[]): Promise<boolean> =>
  (
    await db.one<{ some: boolean }>(sql`
      select exists (select 1 from workspaces where cluster = any(${regions}) and state = 'removed') as some`)
  ).some

const workspaceColumns = sql`id, user_id, cluster, cpu, ram, storage, state, created_at`

export const findWorkspace = (db: Db, id: string): Promise<WorkspaceRow | undefined> =>
  db.maybe(sql`select ${workspaceColumns} from workspaces where id = ${id}`)

/** The same, held until the transaction ends. */
export const lockWorkspace = (tx: Db, id: string): Promise<WorkspaceRow | undefined> =>
  tx.maybe(sql`select ${workspaceColumns} from workspaces where id = ${id} for update`)

export const workspacesOf = (db: Db, userId: number): Promise<WorkspaceRow[]> =>
  db.rows(sql`
    select ${workspaceColumns} from workspaces
    where user_id = ${userId} and state <> 'removed' order by created_at desc, id`)

export const insertWorkspace = (
  tx: Db,
  row: Pick<WorkspaceRow, 'id' | 'cluster' | 'cpu' | 'ram' | 'storage'> & { userId: number; at: Date },
): Promise<number> =>
  tx.run(sql`
    insert into workspaces (id, user_id, cluster, cpu, ram, storage, state, created_at, changed_at)
    values (${row.id}, ${row.userId}, ${row.cluster}, ${row.cpu}, ${row.ram}, ${row.storage}, 'making', ${row.at}, ${row.at})
    on conflict (id) do nothing`)

export const changeWorkspace = (
  tx: Db,
  id: string,
  change: Partial<Pick<WorkspaceRow, 'cpu' | 'ram' | 'storage' | 'state'>>,
  at: Date,
): Promise<number> =>
  tx.run(sql`
    update workspaces set changed_at = ${at}, cpu = coalesce(${change.cpu ?? null}, cpu), ram = coalesce(${change.ram ?? null}, ram),
      storage = coalesce(${change.storage ?? null}, storage), state = coalesce(${change.state ?? null}, state)
    where id = ${id}`)

export interface WorkloadRow {
  id: string
  workspace_id: string
  name: string
  template: string
  image: string | null
  command: string[]
  env: Buffer
  ports: number[]
  /** Thousandths of a core; bytes. */
  cpu: number
  memory: number
  storage: number
  wanted: 'running' | 'stopped' | 'removed'
  version: number
  done: number
  /** How often its image, variables or ports were changed. */
  edited: number
  /** Whether it ever was on its cluster. */
  made: boolean
  failure: string
  note: string
  created_at: Date
}

const workloadColumns = sql`
  l.id, l.workspace_id, l.name, l.template, l.image, l.command, l.env, l.ports, l.cpu, l.memory, l.storage, l.wanted, l.version, l.done,
  l.edited, l.made, l.failure, l.note, l.created_at`

/** Of a workspace, without what was removed. */
export const workloadsIn = (db: Db, workspaces: readonly string[]): Promise<WorkloadRow[]> =>
  db.rows(sql`
    select ${workloadColumns} from workloads l
    where l.workspace_id = any(${workspaces}) and l.wanted <> 'removed' order by l.created_at, l.id`)

export const findWorkload = (db: Db, id: string): Promise<WorkloadRow | undefined> =>
  db.maybe(sql`select ${workloadColumns} from workloads l where l.id = ${id}`)

/** A workload of this account, also one that was removed. */
export const ownWorkload = (
  db: Db,
  userId: number,
  id: string,
): Promise<(WorkloadRow & { cluster: ClusterName }) | undefined> =>
  db.maybe(sql`
    select ${workloadColumns}, w.cluster from workloads l join workspaces w on w.id = l.workspace_id
    where l.id = ${id} and w.user_id = ${userId}`)

export type NewWorkload = Pick<
  WorkloadRow,
  'id' | 'workspace_id' | 'name' | 'template' | 'image' | 'command' | 'env' | 'ports' | 'cpu' | 'memory' | 'storage'
>

export const insertWorkload = (tx: Db, row: NewWorkload, at: Date): Promise<number> =>
  tx.run(sql`
    insert into workloads (id, workspace_id, name, template, image, command, env, ports, cpu, memory, storage, wanted, created_at, changed_at)
    values (${row.id}, ${row.workspace_id}, ${row.name}, ${row.template}, ${row.image}, ${row.command}, ${row.env}, ${row.ports},
      ${row.cpu}, ${row.memory}, ${row.storage}, 'running', ${at}, ${at})
    on conflict (id) do nothing`)

/** Another thing wanted of a workload; what went wrong before is forgotten. */
export const wantOf = (
  tx: Db,
  id: string,
  wanted: Partial<Pick<WorkloadRow, 'wanted' | 'cpu' | 'memory' | 'storage'>>,
  at: Date,
): Promise<number> =>
  tx.run(sql`
    update workloads set version = version + 1, changed_at = ${at}, failure = '', note = '',
      wanted = coalesce(${wanted.wanted ?? null}, wanted), cpu = coalesce(${wanted.cpu ?? null}, cpu),
      memory = coalesce(${wanted.memory ?? null}, memory), storage = coalesce(${wanted.storage ?? null}, storage)
    where id = ${id} and wanted <> 'removed'`)

/** Another program in the same workload; what went wrong before is forgotten. */
export const editWorkload = (
  tx: Db,
  id: string,
  { image, template, command, env, ports }: Pick<WorkloadRow, 'image' | 'template' | 'command' | 'env' | 'ports'>,
  at: Date,
): Promise<number> =>
  tx.run(sql`
    update workloads set version = version + 1, edited = edited + 1, changed_at = ${at}, failure = '', note = '',
      image = ${image}, template = ${template}, command = ${command}, env = ${env}, ports = ${ports}
    where id = ${id} and wanted <> 'removed'`)

/** Takes a workload to carry out what is wanted of it; nobody else does until `until`. */
export const takeWorkload = (db: Db, id: string, at: Date, until: Date): Promise<WorkloadRow | undefined> =>
  db.maybe(sql`
    update workloads l set held_until = ${until} where l.id = ${id} and (l.held_until is null or l.held_until <= ${at})
    returning ${workloadColumns}`)

/** Lets go of it; 0 when something else has been asked for meanwhile. */
export const letGo = (
  db: Db,
  id: string,
  version: number,
  outcome: { done: boolean; made?: boolean; failure?: string; note?: string },
): Promise<number> =>
  db.run(sql`
    update workloads set held_until = null, made = made or ${outcome.made ?? false}, done = ${outcome.done ? sql`${version}::int` : sql`done`},
      -- What was stopped for its disk is stopped for it until somebody asks for something else.
      failure = ${outcome.failure === undefined ? sql`case failure when 'storage' then failure else '' end` : outcome.failure},
      note = ${(outcome.note ?? '').slice(0, 500)}
    where id = ${id} and version = ${version}`)

export const dropHold = (db: Db, id: string): Promise<number> =>
  db.run(sql`update workloads set held_until = null where id = ${id}`)

/** Says why it does not run as wanted, found out by looking. */
export const noteFailure = (db: Db, id: string, failure: string, note: string): Promise<number> =>
  db.run(sql`update workloads set failure = ${failure}, note = ${note.slice(0, 500)} where id = ${id}`)

/** Whether somebody is at a workload of the workspace. */
export const isHeld = async (db: Db, workspace: string, at: Date): Promise<boolean> =>
  (
    await db.one<{ held: boolean }>(sql`
      select exists (select 1 from workloads where workspace_id = ${workspace} and held_until > ${at}) as held`)
  ).held

/** Lines of a run that is over, behind those of earlier ones; the last 256 KiB are kept. */
export const keepLines = (db: Db, id: string, lines: string, at: Date): Promise<number> =>
  db.run(sql`
    insert into workload_logs as g (workload_id, lines, at) values (${id}, right(${lines}, 262144), ${at})
    on conflict (workload_id) do update set lines = right(g.lines || excluded.lines, 262144), at = excluded.at`)

export const keptLines = async (db: Db, id: string): Promise<string> =>
  (await db.maybe<{ lines: string }>(sql`select lines from workload_logs where workload_id = ${id}`))?.lines ?? ''

/** Takes workspaces whose use was not looked at since then. */
export const takeDueSamples = (db: Db, before: Date, at: Date): Promise<WorkspaceRow[]> =>
  db.rows(sql`
    with due as (
      select id from workspaces where state = 'ready' and (sampled_at is null or sampled_at < ${before})
      order by sampled_at nulls first limit 20 for update skip locked)
    update workspaces set sampled_at = ${at} where id in (select id from due)
    returning ${workspaceColumns}`)

export interface Sample {
  workload_id: string
  at: Date
  cpu: number
  memory: number
  storage: number
  received: number
  sent: number
  cpu_seconds: number
}

export const lastSample = (db: Db, id: string): Promise<Pick<Sample, 'at' | 'cpu_seconds'> | undefined> =>
  db.maybe(sql`select at, cpu_seconds from workload_usage where workload_id = ${id} order by at desc limit 1`)

export const insertSample = (db: Db, row: Sample): Promise<number> =>
  db.run(sql`
    insert into workload_usage (workload_id, at, cpu, memory, storage, received, sent, cpu_seconds)
    values (${row.workload_id}, ${row.at}, ${row.cpu}, ${row.memory}, ${row.storage}, ${row.received}, ${row.sent}, ${row.cpu_seconds})
    on conflict do nothing`)

/** Averages of so many seconds each, oldest first. */
export const samplesOf = (
  db: Db,
  id: string,
  since: Date,
  seconds: number,
): Promise<Omit<Sample, 'workload_id' | 'cpu_seconds'>[]> =>
  db.rows(sql`
    select to_timestamp(floor(extract(epoch from at) / ${seconds}) * ${seconds}) as at, avg(cpu) as cpu, max(memory) as memory,
      max(storage) as storage, max(received) as received, max(sent) as sent
    from workload_usage where workload_id = ${id} and at >= ${since} group by 1 order by 1`)

/** Use, and the last lines of what is gone, can be looked at for a week. */
export const expired = (at: Date): Sql[] => [
  sql`delete from workload_usage where at < ${ago(at, 7 * DAY)}`,
  sql`delete from workloads where wanted = 'removed' and done = version and changed_at < ${ago(at, 7 * DAY)}`,
  sql`
    delete from workspaces w where state = 'removed' and changed_at < ${ago(at, 7 * DAY)}
      and not exists (select 1 from workloads l where l.workspace_id = w.id)`,
]
