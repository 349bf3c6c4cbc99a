import type { ClusterName } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { prepared, sql } from '../../platform/db/sql.ts'
import type { WorkloadRow, WorkspaceRow } from './repository.ts'

/** Statements for many new workspaces at once. */

export const knownWorkspaces = async (tx: Db, ids: readonly string[]): Promise<string[]> =>
  (await tx.rows<{ id: string }>(prepared`select id from workspaces where id = any(${ids}::text[])`)).map(
    ({ id }) => id,
  )

/** Workspaces with GPUs that are not suspended. */
export const soldGpus = (
  tx: Db,
  regions: readonly ClusterName[],
  except = '',
): Promise<Pick<WorkspaceRow, 'id' | 'cpu' | 'ram' | 'storage' | 'gpus'>[]> =>
  tx.rows(sql`
    select id, cpu, ram, storage, gpus from workspaces
    where cluster = any(${regions}) and state not in ('removed', 'suspended') and gpus > 0 and id <> ${except} order by id`)

interface NewWorkspace extends Pick<WorkspaceRow, 'cluster' | 'cpu' | 'ram' | 'storage'> {
  workspaceId: string
  userId: number
  /** Default: none. */
  gpus?: number
  /** Default: no. */
  offline?: boolean
}

export const insertWorkspaces = (tx: Db, orders: readonly NewWorkspace[], at: Date): Promise<number> =>
  tx.run(prepared`
    insert into workspaces (id, user_id, cluster, cpu, ram, storage, gpus, state, created_at, changed_at, offline)
    select w.id, w.user_id, w.cluster, w.cpu, w.ram, w.storage, w.gpus, 'making', ${at}::timestamptz, ${at}::timestamptz, w.offline
    from unnest(${orders.map(({ workspaceId }) => workspaceId)}::text[], ${orders.map(({ userId }) => userId)}::bigint[],
      ${orders.map(({ cluster }) => cluster)}::text[], ${orders.map(({ cpu }) => cpu)}::int[], ${orders.map(({ ram }) => ram)}::int[],
      ${orders.map(({ storage }) => storage)}::int[], ${orders.map(({ gpus = 0 }) => gpus)}::int[],
      ${orders.map(({ offline = false }) => offline)}::boolean[])
      w (id, user_id, cluster, cpu, ram, storage, gpus, offline)`)

/** A machine that a workspace starts with. */
export type NewMachine = Pick<WorkloadRow, 'id' | 'workspace_id' | 'env' | 'cpu' | 'memory' | 'storage'>

export const insertMachines = (tx: Db, machines: readonly NewMachine[], at: Date): Promise<number> =>
  tx.run(prepared`
    insert into workloads (id, workspace_id, name, template, image, command, env, ports, cpu, memory, storage, restart, wanted, created_at,
      changed_at)
    select m.id, m.workspace_id, 'machine', 'machine', null, '{}', m.env, '{}', m.cpu, m.memory, m.storage, 'on-failure', 'running',
      ${at}::timestamptz, ${at}::timestamptz
    from unnest(${machines.map(({ id }) => id)}::text[], ${machines.map(({ workspace_id }) => workspace_id)}::text[],
      ${machines.map(({ env }) => env)}::bytea[], ${machines.map(({ cpu }) => cpu)}::int[],
      ${machines.map(({ memory }) => memory)}::bigint[], ${machines.map(({ storage }) => storage)}::bigint[])
      m (id, workspace_id, env, cpu, memory, storage)`)

/** The settings of new workloads, as their first version. */
export const insertFirstSettings = (tx: Db, ids: readonly string[], at: Date): Promise<number> =>
  tx.run(prepared`
    insert into workload_settings (workload_id, revision, template, image, command, env, ports, cpu, memory, storage, restart, health, options, at)
    select l.id, 1, l.template, l.image, l.command, l.env, l.ports, l.cpu, l.memory, l.storage, l.restart, l.health, l.options, ${at}::timestamptz
    from workloads l where l.id = any(${ids}::text[])`)
