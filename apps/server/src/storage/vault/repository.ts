import type { VaultWayKind } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export interface VaultRow {
  recipient: string
  created_at: Date
}

export interface WayRow {
  id: number
  kind: VaultWayKind
  name: string
  /** The vault's key, encrypted: an armored age file. */
  wrap: string
  credential: string
  created_at: Date
}

export type NewWay = Pick<WayRow, 'kind' | 'name' | 'wrap' | 'credential'>

export const findVault = (db: Db, userId: number) =>
  db.maybe<VaultRow>(sql`select recipient, created_at from vaults where user_id = ${userId}`)

export const findWays = (db: Db, userId: number) =>
  db.rows<WayRow>(sql`
    select id, kind, name, wrap, credential, created_at from vault_ways where user_id = ${userId} order by id`)

/** 0 if the account has a vault. */
export const insertVault = (tx: Db, userId: number, recipient: string, at: Date): Promise<number> =>
  tx.run(sql`
    insert into vaults (user_id, recipient, created_at) values (${userId}, ${recipient}, ${at}) on conflict do nothing`)

export const insertWay = async (tx: Db, userId: number, way: NewWay, at: Date): Promise<number> =>
  (
    await tx.one<{ id: number }>(sql`
      insert into vault_ways (user_id, kind, name, wrap, credential, created_at)
      values (${userId}, ${way.kind}, ${way.name}, ${way.wrap}, ${way.credential}, ${at}) returning id`)
  ).id

export const deleteWay = (tx: Db, userId: number, id: number): Promise<number> =>
  tx.run(sql`delete from vault_ways where user_id = ${userId} and id = ${id}`)

/** Deletes the vault with its ways. */
export const deleteVault = (tx: Db, userId: number): Promise<number> =>
  tx.run(sql`delete from vaults where user_id = ${userId}`)

/** Encrypted folders and files of an account, including those in the trash. */
export const countEncrypted = (db: Db, userId: number) =>
  db.one<{ folders: number; files: number }>(sql`
    select (select count(*) from folders where user_id = ${userId} and encrypted)
        + (select count(*) from trashed_folders where user_id = ${userId} and encrypted) as folders,
      (select count(*) from assets where user_id = ${userId} and encrypted)
        + (select count(*) from trashed_assets where user_id = ${userId} and encrypted) as files`)

export const erased = (userId: number): Sql[] => [
  sql`delete from vault_ways where user_id = ${userId}`,
  sql`delete from vaults where user_id = ${userId}`,
]

/** Without the wrapped keys. */
export const exported = (userId: number): Sql => sql`
  select id as row_key, kind, name, created_at from vault_ways where user_id = ${userId}`
