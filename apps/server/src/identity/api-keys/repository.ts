import type { Permission } from '@tidenet/contract'
import { ago } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { type MemberRow, memberColumns } from '../accounts/member.ts'

/** How long a removed key can be restored. */
export const REMOVED_LIFE_MS = 7 * 86_400_000

export interface KeyRow {
  id: number
  name: string
  key_hash: Buffer
  key_start: string
  kind: 'admin' | 'normal'
  perms: Permission[]
  /** Null: unrestricted. */
  folder_id: number | null
  /** Ids of the folders that it is limited to; null: not limited. */
  folders: number[] | null
  expires_at: Date | null
  ips: string[]
  /** Bytes per month; null: no cap. */
  traffic_cap: number | null
  /** Coins per month; null: no orders. */
  spending_cap: number | null
  created_at: Date
  used_at: Date | null
  used_from: string | null
  rotated_at: Date | null
}

const columns = sql`id, name, key_hash, key_start, kind, perms, folder_id, folders, expires_at, ips, traffic_cap, spending_cap, created_at, used_at, used_from, rotated_at`

/** Serializes the creation of keys until the transaction ends. */
export const lockAccountAndCountKeys = async (tx: Db, userId: number): Promise<{ vip: boolean; keys: number }> => {
  const { vip } = await tx.one<{ vip: boolean }>(sql`select vip from users where id = ${userId} for no key update`)
  // A separate statement, so that it sees keys that were added while waiting for the lock.
  const { keys } = await tx.one<{ keys: number }>(
    sql`select count(*) as keys from api_keys where user_id = ${userId} and removed_at is null`,
  )
  return { vip, keys }
}

/** @returns its id; undefined if the name is taken */
export const insertKey = async (
  tx: Db,
  key: {
    userId: number
    /** The account that gets the secret. */
    issuedBy: number
    name: string
    keyHash: Buffer
    keyStart: string
    secretHash: Buffer
    kind: 'admin' | 'normal'
    permissions: readonly Permission[]
    folderId: number | null
    folders: readonly number[] | null
    expiresAt: Date | null
    ips: readonly string[]
    trafficCap: number | null
    spendingCap: number | null
    at: Date
  },
): Promise<number | undefined> =>
  (
    await tx.maybe<{ id: number }>(sql`
    insert into api_keys (user_id, issued_by, name, key_hash, key_start, secret_hash, kind, perms, folder_id, folders, expires_at, ips,
      traffic_cap, spending_cap, created_at)
    values (${key.userId}, ${key.issuedBy}, ${key.name}, ${key.keyHash}, ${key.keyStart}, ${key.secretHash}, ${key.kind},
      ${key.permissions}, ${key.folderId}, ${key.folders}, ${key.expiresAt}, ${key.ips},
      ${key.trafficCap}, ${key.spendingCap}, ${key.at})
    on conflict (user_id, name) where removed_at is null do nothing returning id`)
  )?.id

/** With the ids of their S3 access keys. */
export const listKeys = (db: Db, userId: number) =>
  db.rows<KeyRow & { access_id: string | null }>(sql`
    select ${columns}, (select access_id from s3_credentials c where c.key_id = k.id and c.former_id is null) as access_id
    from api_keys k where user_id = ${userId} and removed_at is null order by id desc`)

export const keysUsed = (db: Db, userId: number): Promise<{ keys: number; last: Date | null }> =>
  db.one(
    sql`select count(*) as keys, max(used_at) as last from api_keys where user_id = ${userId} and removed_at is null`,
  )

export const deleteKey = (tx: Db, id: number) => tx.run(sql`delete from api_keys where id = ${id}`)

export const deleteOwnKey = (tx: Db, userId: number, id: number) =>
  tx.run(sql`delete from api_keys where id = ${id} and user_id = ${userId}`)

/** Removes a key so that it can be restored. Of the account's removed keys, the newest `max` stay. */
export async function removeKey(tx: Db, { id, userId }: { id: number; userId: number }, at: Date, max: number) {
  await tx.run(sql`update api_keys set removed_at = ${at} where id = ${id}`)
  await tx.run(sql`
    delete from api_keys where id in (
      select id from api_keys where user_id = ${userId} and removed_at is not null order by removed_at desc, id desc offset ${max})`)
}

/** The key of this name that was removed last, after `since`. */
export const findRemovedKey = (tx: Db, userId: number, name: string, since: Date) =>
  tx.maybe<Pick<KeyRow, 'id' | 'key_start'>>(sql`
    select id, key_start from api_keys where user_id = ${userId} and name = ${name} and removed_at > ${since}
    order by removed_at desc, id desc limit 1 for update`)

/** The keys that can be restored, newest first: of each name, the one that was removed last. */
export const listRemovedKeys = (db: Db, userId: number, since: Date) =>
  db.rows<Pick<KeyRow, 'name' | 'key_start'> & { removed_at: Date }>(sql`
    select name, key_start, removed_at from (
      select distinct on (name) name, key_start, removed_at from api_keys
      where user_id = ${userId} and removed_at > ${since} order by name, removed_at desc, id desc) k
    order by removed_at desc`)

export const restoreKey = (tx: Db, id: number, at: Date) =>
  tx.run(sql`update api_keys set removed_at = null, restored_at = ${at} where id = ${id}`)

/** Keys whose secrets were given out for the account, or to it for a team, at this time or later, and keys restored since. */
export const deleteKeysSince = (tx: Db, userId: number, since: Date): Promise<number> =>
  tx.run(sql`
    delete from api_keys where (user_id = ${userId} or issued_by = ${userId}) and (created_at >= ${since} or rotated_at >= ${since} or restored_at >= ${since})`)

export const findKey = (db: Db, userId: number, name: string): Promise<Pick<KeyRow, 'kind' | 'perms'> | undefined> =>
  db.maybe(sql`select kind, perms from api_keys where user_id = ${userId} and name = ${name} and removed_at is null`)

export const lockKeyForUpdate = (tx: Db, userId: number, name: string): Promise<KeyRow | undefined> =>
  tx.maybe(
    sql`select ${columns} from api_keys where user_id = ${userId} and name = ${name} and removed_at is null for update`,
  )

/** The unique constraint of an account's key names, for `isDuplicate`. */
export const UNIQUE_NAME = 'api_keys_name'

export const updateKey = (
  tx: Db,
  key: Pick<
    KeyRow,
    'id' | 'name' | 'kind' | 'perms' | 'expires_at' | 'ips' | 'folders' | 'traffic_cap' | 'spending_cap'
  >,
) =>
  tx.run(sql`
    update api_keys set name = ${key.name}, kind = ${key.kind}, perms = ${key.perms}, expires_at = ${key.expires_at}, ips = ${key.ips},
      folders = ${key.folders}, traffic_cap = ${key.traffic_cap}, spending_cap = ${key.spending_cap}
    where id = ${key.id}`)

export interface FoundKey
  extends MemberRow,
    Pick<KeyRow, 'kind' | 'perms' | 'folder_id' | 'folders' | 'ips' | 'traffic_cap' | 'spending_cap'> {
  key_id: number
  /** Null: the current key. */
  former_id: number | null
  /** Expiry of the key, or the earlier end of a replaced one. */
  ends_at: Date | null
  /** Last use of the current, or of the replaced key. */
  used_at: Date | null
}

/** The account of a current or replaced key. */
export const findKeyOfHash = (db: Db, keyHash: Buffer) =>
  db.maybe<FoundKey>(
    foundKey(sql`
    select id, null::bigint as former_id, null::timestamptz as ends_at, used_at from api_keys where key_hash = ${keyHash}
    union all
    select key_id, id, ends_at, used_at from former_keys where key_hash = ${keyHash}`),
  )

/** @param found the columns id, former_id, ends_at and used_at of at most one key */
export const foundKey = (found: Sql): Sql => sql`
    with found as (${found})
    select k.id as key_id, found.former_id, k.kind, k.perms, k.folder_id, k.folders, k.ips, k.traffic_cap, k.spending_cap, least(k.expires_at, found.ends_at) as ends_at,
      found.used_at, ${memberColumns}
    from found join api_keys k on k.id = found.id and k.removed_at is null join users u on u.id = k.user_id`

/** Those of these keys that have all permissions now: since when their secret is valid, and the addresses that may use them. */
export const usableAdminKeys = async (
  db: Db,
  ids: readonly string[],
  at: Date,
): Promise<Map<string, { since: Date | null; ips: string[] }>> =>
  new Map(
    (
      await db.rows<{ id: number; rotated_at: Date | null; ips: string[] }>(sql`
        select id, rotated_at, ips from api_keys
        where id = any(${ids}::bigint[]) and kind = 'admin' and folder_id is null and folders is null and removed_at is null
          and (expires_at is null or expires_at > ${at})`)
    ).map(({ id, rotated_at, ips }) => [String(id), { since: rotated_at, ips }]),
  )

/** Records a use, unless the key was used after `recent`. */
export const recordUse = (
  db: Db,
  { key_id, former_id }: Pick<FoundKey, 'key_id' | 'former_id'>,
  at: Date,
  from: string,
  recent: Date,
) =>
  db.run(sql`
    with former as (update former_keys set used_at = ${at} where id = ${former_id})
    update api_keys set used_at = ${at}, used_from = ${from}
    where id = ${key_id} and (used_at is null or used_at < ${recent})`)

export const replaceKey = (
  tx: Db,
  id: number,
  {
    keyHash,
    keyStart,
    secretHash,
    issuedBy,
    at,
  }: { keyHash: Buffer; keyStart: string; secretHash: Buffer; issuedBy: number; at: Date },
) =>
  tx.run(sql`
    update api_keys set key_hash = ${keyHash}, key_start = ${keyStart}, secret_hash = ${secretHash}, rotated_at = ${at}, issued_by = ${issuedBy}
    where id = ${id}`)

/** Keeps the current key as a replaced one. @returns its id */
export const insertFormerKey = async (
  tx: Db,
  key: Pick<KeyRow, 'id' | 'key_hash' | 'key_start' | 'used_at'>,
  endsAt: Date,
): Promise<number> =>
  (
    await tx.one<{ id: number }>(sql`
      insert into former_keys (key_id, key_hash, key_start, ends_at, used_at)
      values (${key.id}, ${key.key_hash}, ${key.key_start}, ${endsAt}, ${key.used_at}) returning id`)
  ).id

export interface FormerKeyRow {
  key_id: number
  key_start: string
  ends_at: Date
  used_at: Date | null
}

/** Replaced keys of an account that still work, newest first. */
export const listFormerKeys = (db: Db, userId: number, at: Date): Promise<FormerKeyRow[]> =>
  db.rows(sql`
    select f.key_id, f.key_start, f.ends_at, f.used_at from former_keys f join api_keys k on k.id = f.key_id
    where k.user_id = ${userId} and k.removed_at is null and f.ends_at > ${at} order by f.id desc`)

export const countFormerKeys = async (tx: Db, keyId: number, at: Date): Promise<number> =>
  (
    await tx.one<{ count: number }>(
      sql`select count(*) as count from former_keys where key_id = ${keyId} and ends_at > ${at}`,
    )
  ).count

export const deleteFormerKeys = (tx: Db, keyId: number) => tx.run(sql`delete from former_keys where key_id = ${keyId}`)

export const expired = (at: Date): Sql[] => [
  sql`delete from former_keys where id in (
    select id from former_keys where ends_at <= ${at} limit ${EXPIRED_BATCH} for update skip locked)`,
  sql`delete from api_keys where id in (
    select id from api_keys where removed_at <= ${ago(at, REMOVED_LIFE_MS)} limit ${EXPIRED_BATCH} for update skip locked)`,
]

/** With their replaced keys. */
export const erased = (userId: number): Sql[] => [
  sql`delete from api_keys where user_id = ${userId}`,
  sql`update api_keys set issued_by = null where issued_by = ${userId}`,
]

/** Without what the keys are made of. */
export const exported = (userId: number): Sql => sql`
  select id as row_key, name, key_start, kind, perms, folder_id, ips, traffic_cap, spending_cap, created_at, expires_at, rotated_at, used_at, removed_at from api_keys
  where user_id = ${userId}`

/** The names of these keys, by id, as far as they still exist. */
export const keyNames = async (db: Db, userId: number, ids: readonly string[]): Promise<Map<string, string>> =>
  new Map(
    ids.length === 0
      ? []
      : (
          await db.rows<{ id: number; name: string }>(sql`
            select id, name from api_keys where user_id = ${userId} and id::text = any(${[...new Set(ids)]})`)
        ).map(({ id, name }) => [String(id), name]),
  )
