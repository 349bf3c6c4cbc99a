import type { ClusterName, HealthCheck, HealthState, RestartPolicy } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import type { Db } from '../../platform/db/db.ts'
import { prepared, type Sql, sql } from '../../platform/db/sql.ts'
import type { ProgramOptions } from '../clusters/driver.ts'

export interface WorkspaceRow {
  id: string
  user_id: number
  cluster: ClusterName
  cpu: number
  ram: number
  storage: number
  gpus: number
  state: 'making' | 'ready' | 'suspended' | 'removed'
  created_at: Date
  /** Without access to the internet: that of a guest. */
  offline: boolean
  /** Of a suspended one: when it was stopped, when it is removed, and the order that restores it. */
  kept_from: Date | null
  kept_until: Date | null
  kept_order: string | null
}

/** Serializes sales of capacity until the transaction ends. */
export const lockCapacity = (tx: Db): Promise<number> => advisoryLock(tx, 'capacity of clusters')

export interface Sold {
  cpu: number
  ram: number
  storage: number
  /** Parts of the above, of workspaces with GPUs. */
  cpu_with_gpus: number
  ram_with_gpus: number
}

/** Sold capacity in these regions: cores and GB. Suspended workspaces only use disk. */
export const soldCapacity = (db: Db, regions: readonly ClusterName[], except = ''): Promise<Sold> =>
  db.one(prepared`
    select coalesce(sum(cpu) filter (where state <> 'suspended'), 0) as cpu,
      coalesce(sum(ram) filter (where state <> 'suspended'), 0) as ram,
      coalesce(sum(cpu) filter (where state <> 'suspended' and gpus > 0), 0) as cpu_with_gpus,
      coalesce(sum(ram) filter (where state <> 'suspended' and gpus > 0), 0) as ram_with_gpus,
      coalesce(sum(storage), 0) as storage
    from workspaces where cluster = any(${regions}) and state <> 'removed' and id <> ${except}`)

export const hasRemoved = async (db: Db, regions: readonly ClusterName[]): Promise<boolean> =>
  (
    await db.one<{ some: boolean }>(sql`
      select exists (select 1 from workspaces where cluster = any(${regions}) and state = 'removed') as some`)
  ).some

const workspaceColumns = sql`id, user_id, cluster, cpu, ram, storage, gpus, state, created_at, offline, kept_from, kept_until, kept_order`

export const findWorkspace = (db: Db, id: string): Promise<WorkspaceRow | undefined> =>
  db.maybe(prepared`select ${workspaceColumns} from workspaces where id = ${id}`)

/** Locks the row for update. */
export const lockWorkspace = (tx: Db, id: string): Promise<WorkspaceRow | undefined> =>
  tx.maybe(sql`select ${workspaceColumns} from workspaces where id = ${id} for update`)

export const workspacesOf = (db: Db, userId: number): Promise<WorkspaceRow[]> =>
  db.rows(sql`
    select ${workspaceColumns} from workspaces
    where user_id = ${userId} and state <> 'removed' order by created_at desc, id`)

type Kept = 'kept_from' | 'kept_until' | 'kept_order'

export const changeWorkspace = (
  tx: Db,
  id: string,
  change: Partial<Pick<WorkspaceRow, 'cpu' | 'ram' | 'storage' | 'gpus' | 'state' | 'offline' | Kept>>,
  at: Date,
): Promise<number> =>
  tx.run(prepared`
    update workspaces set changed_at = ${at}, cpu = coalesce(${change.cpu ?? null}, cpu), ram = coalesce(${change.ram ?? null}, ram),
      storage = coalesce(${change.storage ?? null}, storage), state = coalesce(${change.state ?? null}, state),
      offline = coalesce(${change.offline ?? null}, offline), gpus = coalesce(${change.gpus ?? null}, gpus),
      kept_from = coalesce(${change.kept_from ?? null}, kept_from), kept_until = coalesce(${change.kept_until ?? null}, kept_until),
      kept_order = coalesce(${change.kept_order ?? null}, kept_order)
    where id = ${id}`)

/** Of a workspace that is not removed. */
export const changeOwner = (tx: Db, id: string, userId: number): Promise<number> =>
  tx.run(sql`update workspaces set user_id = ${userId} where id = ${id} and state <> 'removed'`)

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
  restart: RestartPolicy
  /** Null: its health is not checked. */
  health: HealthCheck | null
  health_state: HealthState
  health_note: string
  stop_at: Date | null
  /** Restarts after failures since it was last started or changed. */
  restarts: number
  restart_at: Date | null
  /** Whether the planned restart is due. */
  restart_asked: boolean
  /** How often its image, variables or ports were changed. */
  edited: number
  /** Whether it was ever created on its cluster. */
  made: boolean
  failure: string
  note: string
  created_at: Date
  options: ProgramOptions
}

const workloadColumns = sql`
  l.id, l.workspace_id, l.name, l.template, l.image, l.command, l.env, l.ports, l.cpu, l.memory, l.storage, l.wanted, l.version, l.done,
  l.restart, l.health, l.health_state, l.health_note, l.stop_at, l.restarts, l.restart_at, l.restart_asked, l.edited, l.made, l.failure,
  l.note, l.created_at, l.options`

/** The workloads of workspaces, without removed ones. */
export const workloadsIn = (db: Db, workspaces: readonly string[]): Promise<WorkloadRow[]> =>
  db.rows(sql`
    select ${workloadColumns} from workloads l
    where l.workspace_id = any(${workspaces}) and l.wanted <> 'removed' order by l.created_at, l.id`)

export const findWorkload = (db: Db, id: string): Promise<WorkloadRow | undefined> =>
  db.maybe(sql`select ${workloadColumns} from workloads l where l.id = ${id}`)

/** A workload of this account, also a removed one. */
export const findOwnWorkload = (
  db: Db,
  userId: number,
  id: string,
): Promise<(WorkloadRow & { cluster: ClusterName }) | undefined> =>
  db.maybe(sql`
    select ${workloadColumns}, w.cluster from workloads l join workspaces w on w.id = l.workspace_id
    where l.id = ${id} and w.user_id = ${userId}`)

const jsonOf = (value: object | null | undefined): string | null => (value ? JSON.stringify(value) : null)

export type NewWorkload = Pick<
  WorkloadRow,
  'id' | 'workspace_id' | 'name' | 'template' | 'image' | 'command' | 'env' | 'ports' | 'cpu' | 'memory' | 'storage'
> &
  Partial<Pick<WorkloadRow, 'restart' | 'health' | 'options'>>

export const insertWorkload = (tx: Db, row: NewWorkload, at: Date): Promise<number> =>
  tx.run(sql`
    insert into workloads (id, workspace_id, name, template, image, command, env, ports, cpu, memory, storage, restart, health, options, wanted,
      created_at, changed_at)
    values (${row.id}, ${row.workspace_id}, ${row.name}, ${row.template}, ${row.image}, ${row.command}, ${row.env}, ${row.ports},
      ${row.cpu}, ${row.memory}, ${row.storage}, ${row.restart ?? 'on-failure'}, ${jsonOf(row.health)}::jsonb,
      ${JSON.stringify(row.options ?? {})}::jsonb, 'running', ${at}, ${at})
    on conflict (id) do nothing`)

/** A workload that is started or changed begins anew. */
const unsupervised = sql`
  restarts = 0, restart_streak = 0, restart_at = null, restart_asked = false, health_state = 'unknown', health_failures = 0, health_note = ''`

/** Changes the desired state of a workload and clears its last failure. */
export const updateWanted = (
  tx: Db,
  id: string,
  wanted: Partial<Pick<WorkloadRow, 'wanted' | 'cpu' | 'memory' | 'storage'>>,
  at: Date,
): Promise<number> =>
  tx.run(sql`
    update workloads set version = version + 1, changed_at = ${at}, failure = '', note = '', ${unsupervised},
      stop_at = case ${wanted.wanted ?? null}::text when 'stopped' then null else stop_at end, wanted = coalesce(${wanted.wanted ?? null}, wanted), cpu = coalesce(${wanted.cpu ?? null}, cpu),
      memory = coalesce(${wanted.memory ?? null}, memory), storage = coalesce(${wanted.storage ?? null}, storage)
    where id = ${id} and wanted <> 'removed'`)

/** Changes the program of a workload and clears its last failure. */
export const editWorkload = (
  tx: Db,
  id: string,
  {
    image,
    template,
    command,
    env,
    ports,
    restart,
    health,
    options,
  }: Pick<WorkloadRow, 'image' | 'template' | 'command' | 'env' | 'ports' | 'restart' | 'health' | 'options'>,
  at: Date,
): Promise<number> =>
  tx.run(sql`
    update workloads set version = version + 1, edited = edited + 1, changed_at = ${at}, failure = '', note = '', ${unsupervised},
      restart = ${restart}, health = ${jsonOf(health)}::jsonb, options = ${JSON.stringify(options)}::jsonb, image = ${image}, template = ${template}, command = ${command}, env = ${env}, ports = ${ports}
    where id = ${id} and wanted <> 'removed'`)

/** Programs of an account that are started at the same time. Registries and files may take minutes, and other accounts wait, too. */
export const STARTED_AT_ONCE = 4
/** Together with those that are stopped or removed, which may take seconds each. */
export const CHANGED_AT_ONCE = 8

/** Leases a workload until `until`; undefined if someone else holds the lease, or if its account has too many others in work. */
export const leaseWorkload = async (db: Db, id: string, at: Date, until: Date): Promise<WorkloadRow | undefined> => {
  const lease = (tx: Db, condition: Sql) =>
    tx.maybe<WorkloadRow>(sql`
      update workloads l set leased_until = ${until}
      where l.id = ${id} and (l.leased_until is null or l.leased_until <= ${at}) and ${condition}
      returning ${workloadColumns}`)
  return (
    // New machines wait for nothing of their owners, and many orders are paid at the same time.
    (await lease(db, sql`l.image is null and not l.made and l.id = 'm-' || l.workspace_id`)) ??
    db.transaction(async (tx) => {
      // Programs of one account that are leased at the same time see each other.
      await tx.run(sql`
        select pg_advisory_xact_lock(hashtextextended('programs of ' || w.user_id, 0))
        from workloads l join workspaces w on w.id = l.workspace_id where l.id = ${id}`)
      return lease(
        tx,
        sql`case l.wanted when 'running' then ${STARTED_AT_ONCE}::int else ${CHANGED_AT_ONCE}::int end > (
          select count(*) from workspaces w join workspaces s on s.user_id = w.user_id join workloads o on o.workspace_id = s.id
          where w.id = l.workspace_id and o.leased_until > ${at})`,
      )
    })
  )
}

/** Extends a lease whose holder still works. */
export const extendLease = (db: Db, id: string, until: Date): Promise<number> =>
  db.run(sql`update workloads set leased_until = ${until} where id = ${id} and leased_until is not null`)

export const isLeased = async (db: Db, id: string, at: Date): Promise<boolean> =>
  (
    await db.one<{ leased: boolean }>(sql`
      select not exists (
        select 1 from workloads where id = ${id} and (leased_until is null or leased_until <= ${at})) as leased`)
  ).leased

/** Stores the outcome and releases the lease. @returns 0 if the desired state changed meanwhile */
export const recordOutcome = (
  db: Db,
  id: string,
  version: number,
  outcome: { done: boolean; made?: boolean; failure?: string; note?: string },
): Promise<number> =>
  db.run(prepared`
    update workloads set leased_until = null, made = made or ${outcome.made ?? false}, done = ${outcome.done ? sql`${version}::int` : sql`done`},
      -- A workload that was stopped because of its disk keeps this failure until its owner changes it.
      failure = ${outcome.failure === undefined ? sql`case failure when 'storage' then failure else '' end` : outcome.failure},
      note = ${(outcome.note ?? '').slice(0, 500)}
    where id = ${id} and version = ${version}`)

export const releaseLease = (db: Db, id: string): Promise<number> =>
  db.run(sql`update workloads set leased_until = null where id = ${id}`)

/** Stores why a workload is not in its desired state. */
export const recordFailure = (db: Db, id: string, failure: string, note: string): Promise<number> =>
  db.run(sql`update workloads set failure = ${failure}, note = ${note.slice(0, 500)} where id = ${id}`)

/** Whether a workload of the workspace is leased. */
export const hasLease = async (db: Db, workspace: string, at: Date): Promise<boolean> =>
  (
    await db.one<{ leased: boolean }>(sql`
      select exists (select 1 from workloads where workspace_id = ${workspace} and leased_until > ${at}) as leased`)
  ).leased

/** Claims workspaces whose usage was not measured since `before`. */
export const claimDueSamples = (db: Db, before: Date, at: Date): Promise<WorkspaceRow[]> =>
  db.rows(sql`
    with due as (
      select id from workspaces where state = 'ready' and (sampled_at is null or sampled_at < ${before})
      order by sampled_at nulls first limit 2000 for update skip locked)
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

export const findLastSamples = (
  db: Db,
  ids: readonly string[],
): Promise<Pick<Sample, 'workload_id' | 'at' | 'cpu_seconds' | 'storage'>[]> =>
  db.rows(sql`
    select u.workload_id, u.at, u.cpu_seconds, u.storage from unnest(${ids}::text[]) i (id) cross join lateral (
      select workload_id, at, cpu_seconds, storage from workload_usage where workload_id = i.id order by at desc limit 1) u`)

/** Samples of workloads that were removed meanwhile are left out. */
export const insertSamples = (db: Db, rows: readonly Sample[]): Promise<number> =>
  db.run(sql`
    insert into workload_usage (workload_id, at, cpu, memory, storage, received, sent, cpu_seconds)
    select n.workload_id, n.at, n.cpu, n.memory, n.storage, n.received, n.sent, n.cpu_seconds
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) n (workload_id text, at timestamptz, cpu real, memory bigint, storage bigint,
      received bigint, sent bigint, cpu_seconds double precision)
    join workloads l on l.id = n.workload_id
    on conflict do nothing`)

/** Usage in intervals of `seconds`, oldest first: average CPU, maximum of the rest. */
export const listSamples = (
  db: Db,
  id: string,
  since: Date,
  seconds: number,
): Promise<Omit<Sample, 'workload_id' | 'cpu_seconds'>[]> =>
  db.rows(sql`
    select to_timestamp(floor(extract(epoch from at) / ${seconds}) * ${seconds}) as at, avg(cpu) as cpu, max(memory) as memory,
      max(storage) as storage, max(received) as received, max(sent) as sent
    from workload_usage where workload_id = ${id} and at >= ${since} group by 1 order by 1`)

/** Usage, and logs of removed workloads, are kept for a week. */
export const expired = (at: Date): Sql[] => [
  sql`delete from workload_usage where at < ${ago(at, 7 * DAY)}`,
  sql`delete from workloads where wanted = 'removed' and done = version and changed_at < ${ago(at, 7 * DAY)}`,
  sql`
    delete from workspaces w where state = 'removed' and changed_at < ${ago(at, 7 * DAY)}
      and not exists (select 1 from workloads l where l.workspace_id = w.id)`,
]

/** Workspaces that are still on a cluster. */
export const countPresent = async (db: Db, userId: number): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) as count from workspaces where user_id = ${userId} and state <> 'removed'`)
  ).count

/** Removed workspaces. */
export const erased = (userId: number): Sql[] => [
  sql`delete from workloads where workspace_id in (select id from workspaces where user_id = ${userId} and state = 'removed')`,
  sql`delete from workspaces where user_id = ${userId} and state = 'removed'`,
]

/** Without the variables of workloads, which can contain secrets. */
export const exported = (userId: number): Sql => sql`
  select row_number() over (order by w.created_at, w.id) as row_key, w.id, w.cluster, w.cpu, w.ram, w.storage, w.gpus, w.state, w.created_at,
    (select coalesce(json_agg(json_build_object('id', l.id, 'name', l.name, 'image', l.image, 'created_at', l.created_at)), '[]') from workloads l where l.workspace_id = w.id) as workloads
  from workspaces w where w.user_id = ${userId}`
