import {
  type AssetType,
  type ReceiptClaims,
  TEMP_FILE_DOWNLOADS,
  TEMP_FILE_LIFE,
  TEMP_FILE_MAX,
  TEMP_FILE_PREVIEWS,
  TEMP_FILE_SHARES,
} from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

export interface TempFile {
  cid: string
  name: string
  size: number
  kind: AssetType
  areas: string[]
  encrypted: boolean
  /** The only nodes that it may be read from; null: any. */
  restricted_to: string[] | null
  shares: number
  downloads: number
  previews: number
  expires_at: Date
}

export type NewTempFile = Pick<TempFile, 'cid' | 'name' | 'size' | 'kind' | 'areas' | 'encrypted' | 'restricted_to'> & {
  /** Whether a node has stored its bytes. */
  stored: boolean
}

/** Publishes a file for a day, or extends it. @returns undefined if it was extended as often as allowed */
export const upsertTempFile = (tx: Db, file: NewTempFile, at: Date) =>
  tx.maybe<{ stored: boolean; shares: number; fresh: boolean }>(sql`
    insert into temp_files as t (cid, stored, name, size, kind, areas, encrypted, restricted_to, created_at, expires_at)
    values (${file.cid}, ${file.stored}, ${file.name}, ${file.size}, ${file.kind}, ${file.areas}, ${file.encrypted},
      ${file.restricted_to}, ${at}, ${new Date(at.getTime() + TEMP_FILE_LIFE)})
    on conflict (cid) do update set
      shares = case when t.expires_at <= ${at} then 0 else t.shares + 1 end,
      downloads = case when t.expires_at <= ${at} then 0 else t.downloads end,
      previews = case when t.expires_at <= ${at} then 0 else t.previews end,
      stored = (t.stored and t.expires_at > ${at}) or excluded.stored,
      restricted_to = case when t.stored and t.expires_at > ${at} and (t.restricted_to is null or not excluded.stored or excluded.restricted_to is not null)
        then t.restricted_to else excluded.restricted_to end,
      name = case when t.expires_at <= ${at} then excluded.name else t.name end,
      expires_at = greatest(t.expires_at, excluded.expires_at)
    where t.expires_at <= ${at} or t.shares < ${TEMP_FILE_SHARES - 1}
    returning stored, shares, xmax = 0 as fresh`)

/** A stored file that has not expired. */
export const findTempFile = (db: Db, cid: string, at: Date) =>
  db.maybe<TempFile>(sql`
    select cid, name, size, kind, areas, encrypted, restricted_to, shares, downloads, previews, expires_at from temp_files
    where cid = ${cid} and stored and expires_at > ${at}`)

/** Marks a file as stored, with size and kind from the receipt. */
export const markTempFileStored = (tx: Db, { cid, size, kind }: ReceiptClaims, restrictedTo: string[] | null) =>
  tx.run(sql`
    update temp_files set stored = true, size = ${size}, kind = ${kind}, restricted_to = ${restrictedTo}
    where cid = ${cid} and (not stored or (restricted_to is not null and ${restrictedTo === null})) and ${size <= TEMP_FILE_MAX}`)

/** Restricts a stored file, unless it is restricted already, to these nodes. */
export const restrictTempFile = (tx: Db, cid: string, nodeIds: readonly string[]) =>
  tx.run(sql`update temp_files set restricted_to = ${nodeIds} where cid = ${cid} and stored and restricted_to is null`)

/** @returns 0 if its downloads are used up */
export const countDownload = (db: Db, cid: string) =>
  db.run(sql`update temp_files set downloads = downloads + 1 where cid = ${cid} and downloads < ${TEMP_FILE_DOWNLOADS}`)

/** @returns 0 if its previews or downloads are used up */
export const countPreview = (db: Db, cid: string) =>
  db.run(sql`
    update temp_files set previews = previews + 1
    where cid = ${cid} and previews < ${TEMP_FILE_PREVIEWS} and downloads < ${TEMP_FILE_DOWNLOADS}`)

/** Deletes expired files. @returns their CIDs */
export const deleteExpired = async (tx: Db, at: Date, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ cid: string }>(sql`
      delete from temp_files where cid in (
        select cid from temp_files where expires_at <= ${at} order by expires_at limit ${limit} for update skip locked)
      returning cid`)
  ).map((row) => row.cid)
