import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { inReach } from '../contents/possession.ts'
import { deleteLinks } from '../links/links.ts'

export interface AssetRow {
  id: number
  user_id: number
  folder_id: number
  cid: string
  kind: 'file' | 'folder'
  name: string
  size: number
  encrypted: boolean
  areas: string[]
  share_status: number
  /** The only nodes that the account may read it from; null: any. */
  only_from: string[] | null
  expires_at: Date
}

export interface ContentRow {
  cid: string
  kind: 'file' | 'folder'
  size: number
}

export const findAsset = (db: Db, userId: number, cid: string) =>
  db.maybe<AssetRow>(sql`
    select id, user_id, folder_id, cid, kind, name, size, encrypted, areas, share_status, only_from, expires_at
    from assets where user_id = ${userId} and cid = ${cid}`)

/** Keeps the content from being cleaned away while a reference to it is made. */
export const holdContent = (tx: Db, cid: string) =>
  tx.maybe<ContentRow>(sql`select cid, kind, size from contents where cid = ${cid} for update`)

/** Whether there are bytes to a content: what was given up is being deleted, and cannot be called back. */
export const isHeld = async (tx: Db, cid: string): Promise<boolean> =>
  (await tx.maybe(
    sql`select 1 from replicas where cid = ${cid} and state in ('stored', 'claimed', 'lost') limit 1`,
  )) !== undefined

export const reservedFor = async (tx: Db, userId: number, cid: string): Promise<number> =>
  (await tx.maybe<{ size: number }>(sql`select size from reservations where user_id = ${userId} and cid = ${cid}`))
    ?.size ?? 0

export interface NewAsset {
  userId: number
  folderId: number
  cid: string
  kind: 'file' | 'folder'
  name: string
  size: number
  md5: string | null
  encrypted: boolean
  areas: string[]
  /** The only nodes that the account may read it from; null: any. */
  onlyFrom: string[] | null
  createdAt: Date
  expiresAt: Date
}

/** Lists the asset; the room announced for the same content is given back. What the trash has of it was forgotten before. */
export async function insertAsset(tx: Db, asset: NewAsset): Promise<void> {
  await tx.run(sql`delete from reservations where user_id = ${asset.userId} and cid = ${asset.cid}`)
  await tx.run(sql`
    insert into assets (user_id, folder_id, cid, kind, name, size, md5, encrypted, areas, only_from, created_at, expires_at)
    values (${asset.userId}, ${asset.folderId}, ${asset.cid}, ${asset.kind}, ${asset.name}, ${asset.size}, ${asset.md5}, ${asset.encrypted},
      ${asset.areas}, ${asset.onlyFrom}, ${asset.createdAt}, ${asset.expiresAt})
    on conflict on constraint assets_once do nothing`)
}

export const reserve = (tx: Db, asset: Omit<NewAsset, 'expiresAt' | 'onlyFrom'>, traceId: string) =>
  tx.run(sql`
    insert into reservations (user_id, cid, folder_id, kind, name, size, md5, encrypted, areas, trace_id, created_at)
    values (${asset.userId}, ${asset.cid}, ${asset.folderId}, ${asset.kind}, ${asset.name}, ${asset.size}, ${asset.md5}, ${asset.encrypted},
      ${asset.areas}, ${traceId}, ${asset.createdAt})
    on conflict (user_id, cid) do update set folder_id = excluded.folder_id, name = excluded.name, size = excluded.size,
      areas = excluded.areas, trace_id = excluded.trace_id, created_at = excluded.created_at`)

export interface ReservationRow {
  user_id: number
  cid: string
  folder_id: number
  kind: 'file' | 'folder'
  name: string
  size: number
  md5: string | null
  encrypted: boolean
  areas: string[]
}

/** Takes the reservation away and gives what it said. */
export const takeReservation = (tx: Db, userId: number, cid: string) =>
  tx.maybe<ReservationRow>(sql`
    delete from reservations where user_id = ${userId} and cid = ${cid}
    returning user_id, cid, folder_id, kind, name, size, md5, encrypted, areas`)

export const renameAsset = (db: Db, userId: number, cid: string, name: string) =>
  db.run(sql`update assets set name = ${name} where user_id = ${userId} and cid = ${cid}`)

export const setFolder = (tx: Db, assetId: number, folderId: number) =>
  tx.run(sql`update assets set folder_id = ${folderId} where id = ${assetId}`)

export const setAreas = (tx: Db, assetId: number, areas: readonly string[]) =>
  tx.run(sql`update assets set areas = ${areas} where id = ${assetId}`)

/** Deletes an asset that the transaction holds, with its link and visits. */
export async function deleteAsset(tx: Db, asset: Pick<AssetRow, 'id' | 'user_id' | 'cid'>): Promise<void> {
  await tx.run(sql`delete from assets where id = ${asset.id}`)
  await deleteLinks(tx, asset.user_id, [asset.cid])
}

/** Has the scheduler look at the replicas of a content at once. */
export const checkReplicas = (tx: Db, cid: string, at: Date) =>
  tx.run(sql`update contents set check_at = ${at} where cid = ${cid}`)

/** Countries of nodes that hold a content, or could. */
export const countriesOfNodes = (db: Db) =>
  db.rows<{ country: string }>(sql`select distinct country from nodes where status <> 'offline' order by country`)

export const countriesHolding = (db: Db, cid: string, onlyFrom: readonly string[] | null) =>
  db.rows<{ country: string }>(sql`
    select distinct n.country from replicas r join nodes n on n.id = r.node_id
    where r.cid = ${cid} and r.state = 'stored' and n.status <> 'offline' and ${inReach(onlyFrom)} order by n.country`)

/** How many others have downloaded the asset through a share. */
export const visitsOf = async (db: Db, assetId: number): Promise<number> =>
  (await db.one<{ visits: number }>(sql`select visits from assets where id = ${assetId}`)).visits
