import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Target } from './targets.ts'

export interface LinkRow {
  id: string
  user_id: number
  /** The CID of an asset or the number of a folder. */
  target: string
  kind: 'file' | 'folder' | 'group'
  short_pass: string
  /** Null: never. */
  expires_at: Date | null
  areas: string[]
  created_at: Date
  /** Never the same twice: tickets carry it. */
  updated_at: Date
}

const columns = sql`l.id, l.user_id, l.target, l.kind, l.short_pass, l.expires_at, l.areas, l.created_at, l.updated_at`

export interface OwnerRow {
  userId: number
  uid: string
  vip: boolean
}

export const findOwner = (db: Db, uid: string) =>
  db.maybe<OwnerRow>(sql`select id as "userId", uid, vip from users where uid = ${uid}`)

export interface ItemRow {
  kind: LinkRow['kind']
  share_status: number
  visits: number
  /** Null: a folder does not expire. */
  expires_at: Date | null
}

/** An asset or a folder of an account, as far as sharing goes. */
export const findItem = (db: Db, userId: number, target: Target) =>
  db.maybe<ItemRow>(
    target.kind === 'asset'
      ? sql`select kind, share_status, visits, expires_at from assets where user_id = ${userId} and cid = ${target.cid}`
      : sql`select 'group' as kind, share_status, visits, null as expires_at from folders where user_id = ${userId} and id = ${target.folderId}`,
  )

export const setStatus = (tx: Db, userId: number, target: Target, status: number) =>
  tx.run(
    target.kind === 'asset'
      ? sql`update assets set share_status = ${status} where user_id = ${userId} and cid = ${target.cid}`
      : sql`update folders set share_status = ${status} where user_id = ${userId} and id = ${target.folderId}`,
  )

/** What lies in the trash comes back unshared. */
export const unshareTrashed = (tx: Db, userId: number, target: Target) =>
  tx.run(
    target.kind === 'asset'
      ? sql`update trashed_assets set share_status = 0 where user_id = ${userId} and cid = ${target.cid}`
      : sql`update trashed_folders set share_status = 0 where user_id = ${userId} and id = ${target.folderId}`,
  )

export const findLink = (db: Db, userId: number, target: string) =>
  db.maybe<LinkRow>(sql`select ${columns} from links l where l.user_id = ${userId} and l.target = ${target}`)

export const findLinks = (db: Db, userId: number, targets: readonly string[]) =>
  db.rows<LinkRow>(sql`select ${columns} from links l where l.user_id = ${userId} and l.target = any(${targets})`)

export const findLinkById = (db: Db, id: string) =>
  db.maybe<LinkRow>(sql`select ${columns} from links l where l.id = ${id}`)

/** Links that show something now, by id or by what they show; two are enough to know that it is not the only one. */
export const findOpenLinks = (db: Db, by: { id: string } | { target: string }) =>
  db.rows<LinkRow & { uid: string }>(sql`
    select ${columns}, u.uid from links l join users u on u.id = l.user_id
    where ${'id' in by ? sql`l.id = ${by.id}` : sql`l.target = ${by.target}`}
      and (exists (select 1 from assets a where a.user_id = l.user_id and a.cid = l.target and a.share_status = 1)
        or exists (select 1 from folders f where f.id = case when l.kind = 'group' then l.target::bigint end and f.user_id = l.user_id and f.share_status = 1))
    limit 2`)

/** Makes the link, or gives the one there is new terms. */
export const putLink = (tx: Db, link: Omit<LinkRow, 'updated_at'>) =>
  tx.one<LinkRow>(sql`
    insert into links as l (id, user_id, target, kind, short_pass, expires_at, areas, created_at, updated_at)
    values (${link.id}, ${link.user_id}, ${link.target}, ${link.kind}, ${link.short_pass}, ${link.expires_at}, ${link.areas},
      ${link.created_at}, ${link.created_at})
    on conflict (user_id, target) do update set short_pass = excluded.short_pass, expires_at = excluded.expires_at, areas = excluded.areas,
      updated_at = greatest(excluded.updated_at, l.updated_at + interval '1 millisecond')
    returning ${columns}`)

/** What was open to everybody has terms now: whoever was let in before must come again. */
export const endOpen = (tx: Db, userId: number, target: string) =>
  tx.rows(sql`select end_shares(${userId}, ${[target]})`)

export const updateLink = (tx: Db, link: Pick<LinkRow, 'id' | 'short_pass' | 'expires_at'>, at: Date) =>
  tx.run(sql`
    update links set short_pass = ${link.short_pass}, expires_at = ${link.expires_at},
      updated_at = greatest(${at}::timestamptz, updated_at + interval '1 millisecond')
    where id = ${link.id}`)

export const deleteLink = (tx: Db, id: string) => tx.run(sql`delete from links where id = ${id}`)

/** The number of downloads of an asset that counted; waits for others that are counting. */
export const holdVisits = (tx: Db, assetId: number) =>
  tx.maybe<{ visits: number }>(sql`select visits from assets where id = ${assetId} for update`)

/** Notes a visitor. @returns false for one who was noted after `since` already */
export const noteVisit = async (
  tx: Db,
  visit: { userId: number; target: string; visitor: Buffer; at: Date; since: Date },
): Promise<boolean> =>
  (await tx.run(sql`
    insert into visits as v (user_id, target, visitor, first_at)
    values (${visit.userId}, ${visit.target}, ${visit.visitor}, ${visit.at})
    on conflict (user_id, target, visitor) do update set first_at = excluded.first_at where v.first_at <= ${visit.since}`)) ===
  1

export const addVisit = (tx: Db, assetId: number, folderId: number | undefined) =>
  tx.run(sql`
    with folder as (update folders set visits = visits + 1 where id = ${folderId ?? 0})
    update assets set visits = visits + 1 where id = ${assetId}`)
