import type { ClusterName } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export interface RegistryRow {
  host: string
  sealed: Buffer
  changed_at: Date
}

export const listLogins = (db: Db, userId: number): Promise<RegistryRow[]> =>
  db.rows(sql`select host, sealed, changed_at from registry_logins where user_id = ${userId} order by host`)

export const findLogin = (db: Db, userId: number, host: string): Promise<RegistryRow | undefined> =>
  db.maybe(sql`select host, sealed, changed_at from registry_logins where user_id = ${userId} and host = ${host}`)

export const saveLogin = (tx: Db, userId: number, row: RegistryRow): Promise<number> =>
  tx.run(sql`
    insert into registry_logins as r (user_id, host, sealed, changed_at) values (${userId}, ${row.host}, ${row.sealed}, ${row.changed_at})
    on conflict (user_id, host) do update set sealed = excluded.sealed, changed_at = excluded.changed_at`)

export const deleteLogin = (tx: Db, userId: number, host: string): Promise<number> =>
  tx.run(sql`delete from registry_logins where user_id = ${userId} and host = ${host}`)

/** Programs of an account that should run, with an image of a registry. */
export const runningWithImagesOf = (
  db: Db,
  userId: number,
  { host, regions }: { host: string; regions: readonly ClusterName[] },
): Promise<{ id: string }[]> =>
  db.rows(sql`
    select l.id from workspaces w join workloads l on l.workspace_id = w.id
    where w.user_id = ${userId} and w.cluster = any(${regions}) and w.state = 'ready' and l.wanted = 'running'
      and starts_with(l.image, ${`${host}/`})`)

export const erased = (userId: number): Sql[] => [sql`delete from registry_logins where user_id = ${userId}`]
