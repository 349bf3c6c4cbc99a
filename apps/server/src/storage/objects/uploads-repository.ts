import type { ObjectTag } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

type Texts = Record<string, string>
/** As the database gives it: nobody has checked what is in JSON. */
type Stored<R, F extends keyof R> = Omit<R, F> & Record<F, unknown>

export interface UploadRow {
  id: string
  key: string
  headers: Texts
  metadata: Texts
  tags: readonly ObjectTag[]
  algorithm: string
  /** Empty: the default of the algorithm. */
  checksum_type: string
  created_at: Date
  /** The API key that began it; null: a session. */
  key_id: string | null
}

export interface PartRow {
  number: number
  cid: string
  size: number
  md5: string
  receipt: string
  checksums: Texts
  modified_at: Date
}

interface Place {
  userId: number
  folderId: number
}

export const insertUpload = (tx: Db, { userId, folderId }: Place, upload: Omit<UploadRow, 'created_at'>, at: Date) =>
  tx.run(sql`
    insert into object_uploads (id, user_id, folder_id, key, headers, metadata, tags, algorithm, checksum_type, created_at, key_id)
    values (${upload.id}, ${userId}, ${folderId}, ${upload.key}, ${JSON.stringify(upload.headers)}, ${JSON.stringify(upload.metadata)},
      ${JSON.stringify(upload.tags)}::jsonb, ${upload.algorithm}, ${upload.checksum_type}, ${at}, ${upload.key_id})`)

export const countUploads = async (tx: Db, userId: number): Promise<number> =>
  (await tx.one<{ count: number }>(sql`select count(*) as count from object_uploads where user_id = ${userId}`)).count

export const findUpload = (db: Db, { userId, folderId }: Place, { id, key }: Pick<UploadRow, 'id' | 'key'>) =>
  db.maybe<Stored<UploadRow, 'headers' | 'metadata' | 'tags'>>(sql`
    select id, key, headers, metadata, tags, algorithm, checksum_type, created_at, key_id from object_uploads where id = ${id} and user_id = ${userId} and folder_id = ${folderId} and key = ${key}`)

export const listUploads = (
  db: Db,
  { userId, folderId }: Place,
  {
    prefix,
    afterKey,
    afterId,
    limit,
    ofKey,
  }: { prefix: string; afterKey: string; afterId: string; limit: number; ofKey: string | undefined },
) =>
  db.rows<Pick<UploadRow, 'id' | 'key' | 'created_at'>>(sql`
    select id, key, created_at from object_uploads
    where user_id = ${userId} and folder_id = ${folderId} and starts_with(key, ${prefix}) ${ofKey === undefined ? none : sql`and key_id = ${ofKey}`}
      and (key collate "C" > ${afterKey} collate "C" or (${afterId !== ''} and key = ${afterKey} and id > ${afterId}))
    order by key collate "C", id limit ${limit}`)

/** Uploads that began before this time. @returns their ids */
export const findOld = async (
  db: Db,
  { userId, folderId }: Place,
  { prefix, before, limit }: { prefix: string; before: Date; limit: number },
): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`
      select id from object_uploads where user_id = ${userId} and folder_id = ${folderId} and starts_with(key, ${prefix}) and created_at <= ${before}
      limit ${limit}`)
  ).map(({ id }) => id)

/** Parts of all uploads of an account. */
export const countParts = async (db: Db, userId: number): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select coalesce(sum(parts), 0) as count from object_uploads where user_id = ${userId}`,
    )
  ).count

export const putPart = (tx: Db, uploadId: string, part: PartRow) =>
  tx.run(sql`
    with put as (
      insert into object_parts (upload_id, number, cid, size, md5, receipt, checksums, modified_at)
      values (${uploadId}, ${part.number}, ${part.cid}, ${part.size}, ${part.md5}, ${part.receipt}, ${JSON.stringify(part.checksums)}, ${part.modified_at})
      on conflict (upload_id, number) do update
        set cid = excluded.cid, size = excluded.size, md5 = excluded.md5, receipt = excluded.receipt, checksums = excluded.checksums,
          modified_at = excluded.modified_at
      returning xmax = 0 as is_new
    )
    update object_uploads set parts = parts + 1 where id = ${uploadId} and (select is_new from put)`)

export const listParts = (db: Db, uploadId: string, after: number, limit: number) =>
  db.rows<Stored<PartRow, 'checksums'>>(sql`
    select number, cid, size, md5, receipt, checksums, modified_at from object_parts
    where upload_id = ${uploadId} and number > ${after} order by number limit ${limit}`)

/** The parts with these numbers. */
export const findParts = (db: Db, uploadId: string, numbers: readonly number[]) =>
  db.rows<Pick<PartRow, 'number' | 'cid' | 'size' | 'receipt'>>(sql`
    select number, cid, size, receipt from object_parts where upload_id = ${uploadId} and number = any(${numbers})`)

/** Counts how often it was opened. */
export const openPart = (db: Db, uploadId: string, number: number) =>
  db.maybe<Pick<PartRow, 'cid' | 'size' | 'receipt'> & { opened: number }>(sql`
    update object_parts set opened = opened + 1
    where upload_id = ${uploadId} and number = ${number} returning cid, size, receipt, opened`)

/** @returns the CIDs of its parts */
export const deleteUpload = async (tx: Db, uploadId: string): Promise<string[]> => {
  const parts = await tx.rows<{ cid: string }>(
    sql`delete from object_parts where upload_id = ${uploadId} returning cid`,
  )
  await tx.run(sql`delete from object_uploads where id = ${uploadId}`)
  return parts.map(({ cid }) => cid)
}

/** Uploads that began before this time. Their parts are released like all that was sent and not listed. */
export const expired = (before: Date): Sql[] => [
  sql`delete from object_uploads where id in (select id from object_uploads where created_at <= ${before} limit ${EXPIRED_BATCH})`,
]

export const erased = (userId: number): Sql[] => [sql`delete from object_uploads where user_id = ${userId}`]

export const exported = (userId: number): Sql => sql`
  select id as row_key, key, headers, metadata, created_at from object_uploads where user_id = ${userId}`
