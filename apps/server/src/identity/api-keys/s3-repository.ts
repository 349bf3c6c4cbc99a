import type { Db } from '../../platform/db/db.ts'
import { prepared, sql } from '../../platform/db/sql.ts'
import { type FoundKey, foundKey } from './repository.ts'

export const insertCredential = (
  tx: Db,
  { accessId, keyId, sealed, at }: { accessId: string; keyId: number; sealed: Buffer; at: Date },
) =>
  tx.run(sql`
    insert into s3_credentials (access_id, key_id, sealed, created_at) values (${accessId}, ${keyId}, ${sealed}, ${at})`)

/** The access key of a key that was replaced works as long as that one does. */
export const keepCredential = (tx: Db, keyId: number, formerId: number) =>
  tx.run(sql`update s3_credentials set former_id = ${formerId} where key_id = ${keyId} and former_id is null`)

/** Those of replaced keys are deleted with them. */
export const deleteCredential = (tx: Db, keyId: number) =>
  tx.run(sql`delete from s3_credentials where key_id = ${keyId} and former_id is null`)

export const findSealedSecret = async (db: Db, accessId: string): Promise<Buffer | undefined> =>
  (await db.maybe<{ sealed: Buffer }>(prepared`select sealed from s3_credentials where access_id = ${accessId}`))
    ?.sealed

/** The account of an access key, and the current or replaced API key that it belongs to. */
export const findKeyOfAccessId = (db: Db, accessId: string) =>
  db.maybe<FoundKey>(
    foundKey(sql`
    select k.id, c.former_id, f.ends_at, case when f.id is null then k.used_at else f.used_at end as used_at
    from s3_credentials c join api_keys k on k.id = c.key_id left join former_keys f on f.id = c.former_id
    where c.access_id = ${accessId}`),
  )

/** Whose access key it says it is, before anybody has proved to have its secret. */
export async function ownerOfAccessKey(
  db: Db,
  accessId: string,
): Promise<{ userId: number; folders: readonly number[] | null } | undefined> {
  const key = await findKeyOfAccessId(db, accessId)
  return key && { userId: key.id, folders: key.folders }
}
