import type { ClusterName, PublishedAccess } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Label } from './labels.ts'

/** A program that visitors ask for. */
export interface TargetRow {
  workload: string
  workspace: string
  cluster: ClusterName
  user_id: number
  ports: number[]
  wanted: 'running' | 'stopped'
  workspace_state: 'making' | 'ready' | 'suspended'
  port: number
  access: PublishedAccess
  password: string | null
}

/** The program of a label; undefined if there is none, or if it has no such port. */
export const findTarget = (db: Db, { program, workspace, port }: Label): Promise<TargetRow | undefined> =>
  db.maybe(sql`
    select l.id as workload, w.id as workspace, w.cluster, w.user_id, l.ports, l.wanted, w.state as workspace_state, p.port,
      coalesce(a.access, 'account') as access, a.password
    from workspaces w join workloads l on l.workspace_id = w.id
      cross join lateral (select coalesce(${port ?? null}::int, l.ports[1]) as port) p
      left join workload_addresses a on a.workload_id = l.id and a.port = p.port
    where w.code = ${workspace} and w.state <> 'removed' and l.name = ${program} and l.wanted <> 'removed' and p.port = any(l.ports)`)

export interface AddressRow {
  workload_id: string
  port: number
  access: PublishedAccess
}

/** How ports can be reached; a port without a row is for its account only. */
export const addressesOf = (db: Db, workloads: readonly string[]): Promise<AddressRow[]> =>
  db.rows(sql`select workload_id, port, access from workload_addresses where workload_id = any(${workloads})`)

export const saveAddress = (tx: Db, { workload_id, port, access }: AddressRow, password: string | null, at: Date) =>
  tx.run(sql`
    insert into workload_addresses (workload_id, port, access, password, changed_at)
    values (${workload_id}, ${port}, ${access}, ${password}, ${at})
    on conflict (workload_id, port) do update set access = excluded.access, password = excluded.password, changed_at = excluded.changed_at`)

export const accessOf = (db: Db, workload: string, port: number) =>
  db.maybe<{ access: PublishedAccess; password: string | null }>(
    sql`select access, password from workload_addresses where workload_id = ${workload} and port = ${port}`,
  )
