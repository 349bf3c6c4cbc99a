import { type AssetType, SHARE } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

export interface LinkRow {
  id: string
  user_id: number
  /** The CID of an asset or the id of a folder. */
  target: string
  /** The entry that it shares; null: a folder. */
  asset_id: number | null
  kind: AssetType | 'group'
  short_pass: string
  /** Null: never. */
  expires_at: Date | null
  areas: string[]
  created_at: Date
  /** Increases with every change; share tokens contain it. */
  updated_at: Date
}

/** What a link shares: an entry or a folder, by id. */
export type LinkTarget = { assetId: number } | { folderId: number }

const shares = (target: LinkTarget): Sql =>
  'assetId' in target
    ? sql`l.asset_id = ${target.assetId}`
    : sql`l.kind = 'group' and l.target = ${String(target.folderId)}`

const columns = sql`l.id, l.user_id, l.target, l.asset_id, l.kind, l.short_pass, l.expires_at, l.areas, l.created_at, l.updated_at`

export const findLink = (db: Db, userId: number, target: LinkTarget) =>
  db.maybe<LinkRow>(sql`select ${columns} from links l where l.user_id = ${userId} and ${shares(target)}`)

/** The link of an entry of a content that may be in the trash. */
export const findLinkOfContent = (
  db: Db,
  userId: number,
  { cid, assetId }: { cid: string; assetId?: number | undefined },
) =>
  db.maybe<LinkRow>(sql`
    select ${columns} from links l where l.user_id = ${userId} and l.target = ${cid} and l.kind <> 'group'
      ${assetId === undefined ? none : sql`and l.asset_id = ${assetId}`} order by l.asset_id limit 1`)

/** The links of these entries and folders. */
export const findLinks = (db: Db, userId: number, { assets = [], folders = [] }: Items) =>
  db.rows<LinkRow>(sql`
    select ${columns} from links l where l.user_id = ${userId}
      and (l.asset_id = any(${assets}) or l.kind = 'group' and l.target = any(${folders.map(String)}))`)

/** Ids of entries and folders. */
interface Items {
  assets?: readonly number[]
  folders?: readonly number[]
}

/** The share links of an account, short and long, without revoked ones. */
export const countLinks = async (db: Db, userId: number): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select (select count(*) from links where user_id = ${userId})
        + (select count(*) from short_links where user_id = ${userId} and revoked_at is null) as count`)
  ).count

export const findLinkById = (db: Db, id: string) =>
  db.maybe<LinkRow>(sql`select ${columns} from links l where l.id = ${id}`)

/** The first link of each account to a shared item, by id or by target; two rows are enough to know that a target is ambiguous. */
export const findOpenLinks = (db: Db, by: { id: string } | { target: string }) =>
  db.rows<LinkRow>(sql`
    select distinct on (l.user_id) ${columns} from links l
    where ${'id' in by ? sql`l.id = ${by.id}` : sql`l.target = ${by.target}`}
      and (exists (select 1 from assets a where a.id = l.asset_id and a.user_id = l.user_id and a.share_status = ${SHARE.on})
        or exists (select 1 from folders f where f.id = case when l.kind = 'group' then l.target::bigint end and f.user_id = l.user_id and f.share_status = ${SHARE.on}))
    order by l.user_id, l.asset_id limit 2`)

/** Creates the link, or replaces the terms of the existing one. */
export const upsertLink = (tx: Db, link: Omit<LinkRow, 'updated_at'>) =>
  tx.one<LinkRow>(sql`
    insert into links as l (id, user_id, target, asset_id, kind, short_pass, expires_at, areas, created_at, updated_at)
    values (${link.id}, ${link.user_id}, ${link.target}, ${link.asset_id}, ${link.kind}, ${link.short_pass}, ${link.expires_at}, ${link.areas},
      ${link.created_at}, ${link.created_at})
    on conflict ${link.asset_id === null ? sql`(user_id, target) where kind = 'group'` : sql`(asset_id)`} do update set short_pass = excluded.short_pass, expires_at = excluded.expires_at, areas = excluded.areas,
      updated_at = greatest(excluded.updated_at, l.updated_at + interval '1 millisecond')
    returning ${columns}`)

export const updateLink = (tx: Db, link: Pick<LinkRow, 'id' | 'short_pass' | 'expires_at'>, at: Date) =>
  tx.run(sql`
    update links set short_pass = ${link.short_pass}, expires_at = ${link.expires_at},
      updated_at = greatest(${at}::timestamptz, updated_at + interval '1 millisecond')
    where id = ${link.id}`)

/** The content of an entry was replaced: its links show the new one. */
export const followContent = (tx: Db, assetId: number, cid: string) =>
  tx.run(sql`update links set target = ${cid} where asset_id = ${assetId}`)

export const deleteLink = (tx: Db, id: string) => tx.run(sql`delete from links where id = ${id}`)

/** Deletes links and counted downloads of deleted entries and folders. */
export const deleteLinks = (tx: Db, userId: number, { assets = [], folders = [] }: Items) =>
  tx.run(sql`
    with counted as (delete from share_downloads where user_id = ${userId} and target = any(${assets.map(visited)})),
      short as (delete from short_links where asset_id = any(${assets}) or user_id = ${userId} and folder_id = any(${folders}))
    delete from links where user_id = ${userId}
      and (asset_id = any(${assets}) or kind = 'group' and target = any(${folders.map(String)}))`)

/** The entry in the table of counted downloads. */
const visited = (assetId: number): string => `asset:${assetId}`

/** Records a download by a visitor. @returns false if one was recorded after `since` */
export const recordDownload = async (
  tx: Db,
  visit: { userId: number; assetId: number; visitor: Buffer; at: Date; since: Date },
): Promise<boolean> =>
  (await tx.run(sql`
    insert into share_downloads as d (user_id, target, visitor, first_at)
    values (${visit.userId}, ${visited(visit.assetId)}, ${visit.visitor}, ${visit.at})
    on conflict (user_id, target, visitor) do update set first_at = excluded.first_at where d.first_at <= ${visit.since}`)) ===
  1

export const erased = (userId: number): Sql[] => [
  sql`delete from links where id in (select id from links where user_id = ${userId} limit ${EXPIRED_BATCH})`,
  sql`delete from share_downloads where ctid = any(array(
    select ctid from share_downloads where user_id = ${userId} limit ${EXPIRED_BATCH}))`,
]

/** What an account shares, after this target, in order. */
export const findSharedTargets = async (db: Db, userId: number, after: string, limit: number): Promise<string[]> =>
  (
    await db.rows<{ target: string }>(sql`
      select target from (
        select target from links where user_id = ${userId}
        union select cid from assets where user_id = ${userId} and share_status = ${SHARE.on}
        union select id::text from folders where user_id = ${userId} and share_status = ${SHARE.on}
      ) shared where target collate "C" > ${after} order by target collate "C" limit ${limit}`)
  ).map(({ target }) => target)

/** Nodes refuse the tokens that were issued for these targets. */
export const endTokensOf = (db: Db, userId: number, targets: readonly string[]) =>
  db.rows(sql`select end_shares(${userId}, ${targets})`)

/** Nodes refuse the tokens that were issued for the account, whether or not for a share. */
export const endAccount = (db: Db, userId: number) => db.rows(sql`select end_account(${userId})`)

export const exported = (userId: number): Sql => sql`
  select row_number() over (order by created_at, id) as row_key, id, target, kind, short_pass, expires_at, areas, created_at from links
  where user_id = ${userId}`
