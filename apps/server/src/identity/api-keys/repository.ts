import type { Permission } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

export interface KeyRow {
  name: string
  key_start: string
  kind: 'admin' | 'normal'
  perms: Permission[]
  /** Null: unrestricted. */
  folder_id: number | null
  created_at: Date
  used_at: Date | null
}

/** Serializes the creation of keys until the transaction ends. */
export const lockAccountAndCountKeys = async (tx: Db, userId: number): Promise<{ vip: boolean; keys: number }> => {
  const { vip } = await tx.one<{ vip: boolean }>(sql`select vip from users where id = ${userId} for no key update`)
  // A separate statement, so that it sees keys that were added while waiting for the lock.
  const { keys } = await tx.one<{ keys: number }>(sql`select count(*) as keys from api_keys where user_id = ${userId}`)
  return { vip, keys }
}

/** 0 if the name is taken. */
export const insertKey = (
  tx: Db,
  key: {
    userId: number
    name: string
    keyHash: Buffer
    keyStart: string
    secretHash: Buffer
    kind: 'admin' | 'normal'
    permissions: readonly Permission[]
    folderId: number | null
    at: Date
  },
): Promise<number> =>
  tx.run(sql`
    insert into api_keys (user_id, name, key_hash, key_start, secret_hash, kind, perms, folder_id, created_at)
    values (${key.userId}, ${key.name}, ${key.keyHash}, ${key.keyStart}, ${key.secretHash}, ${key.kind},
      ${key.permissions}, ${key.folderId}, ${key.at})
    on conflict on constraint api_keys_name do nothing`)

export const listKeys = (db: Db, userId: number): Promise<KeyRow[]> =>
  db.rows(sql`
    select name, key_start, kind, perms, folder_id, created_at, used_at from api_keys where user_id = ${userId} order by id desc`)

export const keysUsed = (db: Db, userId: number): Promise<{ keys: number; last: Date | null }> =>
  db.one(sql`select count(*) as keys, max(used_at) as last from api_keys where user_id = ${userId}`)

export const deleteKey = (db: Db, userId: number, name: string): Promise<number> =>
  db.run(sql`delete from api_keys where user_id = ${userId} and name = ${name}`)

export const findKey = (db: Db, userId: number, name: string): Promise<Pick<KeyRow, 'kind' | 'perms'> | undefined> =>
  db.maybe(sql`select kind, perms from api_keys where user_id = ${userId} and name = ${name}`)
