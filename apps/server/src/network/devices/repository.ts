import type { Lang } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export const findCode = (db: Db, hash: Buffer, at: Date) =>
  db.maybe<{ user_id: number; lang: Lang }>(sql`
    select user_id, lang from device_codes where hash = ${hash} and expires_at > ${at}`)

export const upsertCode = (db: Db, code: { userId: number; hash: Buffer; lang: Lang; expiresAt: Date }) =>
  db.run(sql`
    insert into device_codes (user_id, hash, lang, expires_at)
    values (${code.userId}, ${code.hash}, ${code.lang}, ${code.expiresAt})
    on conflict (user_id) do update set hash = excluded.hash, lang = excluded.lang, expires_at = excluded.expires_at`)

export const deleteCode = (db: Db, userId: number) => db.run(sql`delete from device_codes where user_id = ${userId}`)

export const erased = (userId: number): Sql[] => [sql`delete from device_codes where user_id = ${userId}`]
