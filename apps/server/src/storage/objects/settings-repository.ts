import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

export interface SettingsRow {
  versioning: 'Enabled' | 'Suspended' | null
  /** As the database gives it: nobody has checked what is in JSON. */
  cors: unknown
}

/** The settings of the folder of the root that this folder is, or is in. */
export const findSettings = (db: Db, userId: number, folderId: number) =>
  db.maybe<SettingsRow>(sql`
    select versioning, cors from bucket_settings where user_id = ${userId} and folder_id = bucket_of(${userId}, ${folderId})`)

export interface ChangedSettings {
  versioning?: string | undefined
  cors?: readonly object[] | undefined
}

/** The state of versions in the bucket that a folder is in; null: never enabled. */
export const versioningOf = async (db: Db, userId: number, folderId: number): Promise<SettingsRow['versioning']> =>
  (await db.one<Pick<SettingsRow, 'versioning'>>(sql`select bucket_versioning(${userId}, ${folderId}) as versioning`))
    .versioning

/** Absent ones stay. */
export const changeSettings = (tx: Db, userId: number, folderId: number, { versioning, cors }: ChangedSettings) => {
  const corsText = cors === undefined ? null : JSON.stringify(cors)
  return tx.run(sql`
    insert into bucket_settings (folder_id, user_id, versioning, cors)
    values (${folderId}, ${userId}, ${versioning ?? null}, coalesce(${corsText}::jsonb, '[]'))
    on conflict (folder_id) do update set versioning = coalesce(excluded.versioning, bucket_settings.versioning),
      cors = coalesce(${corsText}::jsonb, bucket_settings.cors)`)
}

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
  select folder_id as row_key, folder_id, versioning, cors from bucket_settings where user_id = ${userId}`
