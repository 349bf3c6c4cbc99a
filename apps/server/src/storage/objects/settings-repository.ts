import type { Db } from '../../platform/db/db.ts'
import { prepared, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

export interface SettingsRow {
  versioning: 'Enabled' | 'Suspended' | null
  /** As the database gives it: nobody has checked what is in JSON. */
  cors: unknown
  lifecycle: unknown
}

/** The settings of the folder of the root that this folder is, or is in. */
export const findSettings = (db: Db, userId: number, folderId: number) =>
  db.maybe<SettingsRow>(prepared`
    select versioning, cors, lifecycle from bucket_settings where user_id = ${userId} and folder_id = bucket_of(${userId}, ${folderId})`)

export interface ChangedSettings {
  versioning?: string | undefined
  cors?: readonly object[] | undefined
  lifecycle?: readonly object[] | undefined
}

/** The state of versions in the bucket that a folder is in; null: never enabled. */
export const versioningOf = async (db: Db, userId: number, folderId: number): Promise<SettingsRow['versioning']> =>
  (
    await db.maybe<Pick<SettingsRow, 'versioning'>>(prepared`
      select versioning from bucket_settings where user_id = ${userId} and folder_id = bucket_of(${userId}, ${folderId})`)
  )?.versioning ?? null

/** Absent ones stay. Rules that are set are due at once. */
export const changeSettings = (
  tx: Db,
  { userId, folderId }: { userId: number; folderId: number },
  { versioning, cors, lifecycle }: ChangedSettings,
  at: Date,
) => {
  const corsText = cors === undefined ? null : JSON.stringify(cors)
  const rules = lifecycle === undefined ? null : JSON.stringify(lifecycle)
  const checkAt = lifecycle && lifecycle.length > 0 ? at : null
  return tx.run(sql`
    insert into bucket_settings as s (folder_id, user_id, versioning, cors, lifecycle, check_at)
    values (${folderId}, ${userId}, ${versioning ?? null}, coalesce(${corsText}::jsonb, '[]'), coalesce(${rules}::jsonb, '[]'), ${checkAt})
    on conflict (folder_id) do update set versioning = coalesce(excluded.versioning, s.versioning), cors = coalesce(${corsText}::jsonb, s.cors),
      lifecycle = coalesce(${rules}::jsonb, s.lifecycle),
      check_at = case when ${rules}::jsonb is null then s.check_at else excluded.check_at end,
      checked_until = case when ${rules}::jsonb is null then s.checked_until end`)
}

export interface DueRow {
  folder_id: number
  user_id: number
  lifecycle: unknown
  checked_until: unknown
}

/** Whether the rules of a bucket are still those that were taken, and it still is one. */
export const isTaken = async (tx: Db, folderId: number, lease: Date): Promise<boolean> =>
  (
    await tx.rows(sql`
      select from bucket_settings s join folders f on f.id = s.folder_id
      where s.folder_id = ${folderId} and s.check_at = ${lease} and f.parent_id = 0 for share of s`)
  ).length > 0

/** Claims a bucket whose rules are due, so that no other server evaluates them until then. Folders in the trash or in other folders are no buckets. */
export const claimDueBucket = (db: Db, at: Date, until: Date) =>
  db.maybe<DueRow>(sql`
    update bucket_settings set check_at = ${until} where folder_id = (
      select s.folder_id from bucket_settings s join folders f on f.id = s.folder_id
      where f.parent_id = 0 and s.check_at <= ${at} order by s.check_at limit 1 for update of s skip locked)
    returning folder_id, user_id, lifecycle, checked_until`)

/** Rules that were set again in the meantime begin anew. @param taken the `until` of `claimDueBucket` */
export const setChecked = (
  db: Db,
  folderId: number,
  taken: Date,
  { checkAt, until }: { checkAt: Date; until: object | undefined },
) =>
  db.run(sql`
    update bucket_settings set check_at = ${checkAt}, checked_until = ${until === undefined ? null : JSON.stringify(until)}::jsonb
    where folder_id = ${folderId} and check_at = ${taken}`)

/** Settings of folders that are gone, also from the trash. */
export const expired = (): Sql[] => [
  sql`delete from bucket_settings where folder_id in (
    select s.folder_id from bucket_settings s
    where not exists (select from folders f where f.id = s.folder_id)
      and not exists (select from trashed_folders t where t.id = s.folder_id)
    limit ${EXPIRED_BATCH})`,
]

export const erased = (userId: number): Sql[] => [sql`delete from bucket_settings where user_id = ${userId}`]

export const exported = (userId: number): Sql => sql`
  select folder_id as row_key, folder_id, versioning, cors, lifecycle from bucket_settings where user_id = ${userId}`
