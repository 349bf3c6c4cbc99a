import type { AssetType } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

export interface AssetInFolder {
  folder_id: number
  cid: string
  kind: AssetType
  name: string
  size: number
  encrypted: boolean
  areas: string[]
  restricted_to: string[] | null
}

/** A file of an account by its CID, wherever it is, that has not expired and is not encrypted. */
export const findOwnFile = (db: Db, userId: number, cid: string, at: Date): Promise<AssetInFolder | undefined> =>
  db.maybe(sql`
    select folder_id, cid, kind, name, size, encrypted, areas, restricted_to from assets
    where user_id = ${userId} and cid = ${cid} and kind = 'file' and not encrypted and expires_at > ${at} order by id limit 1`)

/** Assets in these folders of an account that have not expired; at most `limit`. */
export const assetsIn = (
  db: Db,
  userId: number,
  folders: readonly number[],
  at: Date,
  limit: number,
): Promise<AssetInFolder[]> =>
  db.rows(sql`
    select folder_id, cid, kind, name, size, encrypted, areas, restricted_to from assets
    where user_id = ${userId} and folder_id = any(${folders}) and expires_at > ${at} order by folder_id, id limit ${limit}`)

/** Those with one of these names, or with this CID; at most 1,000. */
export const assetsNamed = (
  db: Db,
  userId: number,
  folders: readonly number[],
  { names, cid }: { names: readonly string[]; cid?: string },
  at: Date,
): Promise<AssetInFolder[]> =>
  db.rows(sql`
    select folder_id, cid, kind, name, size, encrypted, areas, restricted_to from assets
    where user_id = ${userId} and folder_id = any(${folders}) and (name = any(${names}) or cid = ${cid ?? ''}) and expires_at > ${at}
    order by folder_id, id limit 1000`)
