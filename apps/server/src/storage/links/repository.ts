import { type AssetType, SHARE } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

export interface LinkRow {
  id: string
  user_id: number
  /** The CID of an asset or the id of a folder. */
  target: string
  kind: AssetType | 'group'
  short_pass: string
  /** Null: never. */
  expires_at: Date | null
  areas: string[]
  created_at: Date
  /** Increases with every change; share tokens contain it. */
  updated_at: Date
}

const columns = sql`l.id, l.user_id, l.target, l.kind, l.short_pass, l.expires_at, l.areas, l.created_at, l.updated_at`

export const findLink = (db: Db, userId: number, target: string) =>
  db.maybe<LinkRow>(sql`select ${columns} from links l where l.user_id = ${userId} and l.target = ${target}`)

export const findLinks = (db: Db, userId: number, targets: readonly string[]) =>
  db.rows<LinkRow>(sql`select ${columns} from links l where l.user_id = ${userId} and l.target = any(${targets})`)

export const countLinks = async (db: Db, userId: number): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count from links where user_id = ${userId}`)).count

export const findLinkById = (db: Db, id: string) =>
  db.maybe<LinkRow>(sql`select ${columns} from links l where l.id = ${id}`)

/** Links to shared items, by id or by target; two rows are enough to know that a target is ambiguous. */
export const findOpenLinks = (db: Db, by: { id: string } | { target: string }) =>
  db.rows<LinkRow>(sql`
    select ${columns} from links l
    where ${'id' in by ? sql`l.id = ${by.id}` : sql`l.target = ${by.target}`}
      and (exists (select 1 from assets a where a.user_id = l.user_id and a.cid = l.target and a.share_status = ${SHARE.on})
        or exists (select 1 from folders f where f.id = case when l.kind = 'group' then l.target::bigint end and f.user_id = l.user_id and f.share_status = ${SHARE.on}))
    limit 2`)

/** Creates the link, or replaces the terms of the existing one. */
export const upsertLink = (tx: Db, link: Omit<LinkRow, 'updated_at'>) =>
  tx.one<LinkRow>(sql`
    insert into links as l (id, user_id, target, kind, short_pass, expires_at, areas, created_at, updated_at)
    values (${link.id}, ${link.user_id}, ${link.target}, ${link.kind}, ${link.short_pass}, ${link.expires_at}, ${link.areas},
      ${link.created_at}, ${link.created_at})
    on conflict (user_id, target) do update set short_pass = excluded.short_pass, expires_at = excluded.expires_at, areas = excluded.areas,
      updated_at = greatest(excluded.updated_at, l.updated_at + interval '1 millisecond')
    returning ${columns}`)

export const updateLink = (tx: Db, link: Pick<LinkRow, 'id' | 'short_pass' | 'expires_at'>, at: Date) =>
  tx.run(sql`
    update links set short_pass = ${link.short_pass}, expires_at = ${link.expires_at},
      updated_at = greatest(${at}::timestamptz, updated_at + interval '1 millisecond')
    where id = ${link.id}`)

export const deleteLink = (tx: Db, id: string) => tx.run(sql`delete from links where id = ${id}`)

/** Deletes links and counted downloads of deleted items; `targets` are CIDs and folder ids as text. */
export const deleteLinks = (tx: Db, userId: number, targets: readonly string[]) =>
  tx.run(sql`
    with counted as (delete from share_downloads where user_id = ${userId} and target = any(${targets}))
    delete from links where user_id = ${userId} and target = any(${targets})`)

/** Records a download by a visitor. @returns false if one was recorded after `since` */
export const recordDownload = async (
  tx: Db,
  visit: { userId: number; target: string; visitor: Buffer; at: Date; since: Date },
): Promise<boolean> =>
  (await tx.run(sql`
    insert into share_downloads as d (user_id, target, visitor, first_at)
    values (${visit.userId}, ${visit.target}, ${visit.visitor}, ${visit.at})
    on conflict (user_id, target, visitor) do update set first_at = excluded.first_at where d.first_at <= ${visit.since}`)) ===
  1
