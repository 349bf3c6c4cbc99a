import { type AssetType, type LinkState, SHARE } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

export interface ShortLinkRow {
  id: string
  user_id: number
  /** Encrypted. */
  token: Buffer
  /** The entry that it opens; null: a folder. */
  asset_id: number | null
  folder_id: number | null
  /** Encrypted; null: no password. */
  pass: Buffer | null
  note: string
  /** Null: never. */
  expires_at: Date | null
  /** Null: no limit of its own. */
  max_downloads: number | null
  /** Null: everybody who has the link. */
  emails: string[] | null
  /** Null: it opens an item; otherwise it receives files, and both limits are set. */
  upload_files: number | null
  upload_bytes: number | null
  uploaded_files: number
  uploaded_bytes: number
  active: boolean
  views: number
  downloads: number
  last_used_at: Date | null
  created_at: Date
  /** Increases with every change; share tokens contain it. */
  updated_at: Date
  revoked_at: Date | null
}

/** How long a revoked link can be restored. */
export const REVOKED_LIFE = 30 * DAY

const columns = sql`s.id, s.user_id, s.token, s.asset_id, s.folder_id, s.pass, s.note, s.expires_at, s.max_downloads, s.emails, s.upload_files, s.upload_bytes::float8 as upload_bytes,
  s.uploaded_files, s.uploaded_bytes::float8 as uploaded_bytes, s.active, s.views::float8 as views,
  s.downloads::float8 as downloads, s.last_used_at, s.created_at, s.updated_at, s.revoked_at`

export const findByToken = (db: Db, tokenHash: Buffer) =>
  db.maybe<ShortLinkRow>(sql`
    select ${columns} from short_links s where s.token_hash = ${tokenHash} and s.revoked_at is null and s.active`)

export const findShortLink = (db: Db, id: string) =>
  db.maybe<ShortLinkRow>(sql`select ${columns} from short_links s where s.id = ${id}`)

export const countShortLinks = async (db: Db, userId: number): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count from short_links where user_id = ${userId}`)).count

export const insertShortLink = (
  tx: Db,
  link: Pick<
    ShortLinkRow,
    | 'id'
    | 'user_id'
    | 'token'
    | 'asset_id'
    | 'folder_id'
    | 'pass'
    | 'note'
    | 'expires_at'
    | 'max_downloads'
    | 'emails'
    | 'upload_files'
    | 'upload_bytes'
    | 'created_at'
  > & { token_hash: Buffer },
) =>
  tx.run(sql`
    insert into short_links (id, user_id, token_hash, token, asset_id, folder_id, pass, note, expires_at, max_downloads, emails, upload_files, upload_bytes, created_at, updated_at)
    values (${link.id}, ${link.user_id}, ${link.token_hash}, ${link.token}, ${link.asset_id}, ${link.folder_id}, ${link.pass}, ${link.note},
      ${link.expires_at}, ${link.max_downloads}, ${link.emails}, ${link.upload_files}, ${link.upload_bytes}, ${link.created_at}, ${link.created_at})`)

/** A later time than the last change, even if the clock stood still. */
const changed = (at: Date) => sql`updated_at = greatest(${at}::timestamptz, updated_at + interval '1 millisecond')`

export const updateShortLink = (
  tx: Db,
  link: Pick<
    ShortLinkRow,
    'id' | 'pass' | 'note' | 'expires_at' | 'max_downloads' | 'emails' | 'upload_files' | 'upload_bytes' | 'active'
  >,
  at: Date,
) =>
  tx.run(sql`
    update short_links set pass = ${link.pass}, note = ${link.note}, expires_at = ${link.expires_at}, max_downloads = ${link.max_downloads},
      emails = ${link.emails}, upload_files = ${link.upload_files}, upload_bytes = ${link.upload_bytes}, active = ${link.active}, ${changed(at)}
    where id = ${link.id}`)

export const setRevoked = (tx: Db, id: string, revokedAt: Date | null, at: Date) =>
  tx.run(sql`update short_links set revoked_at = ${revokedAt}, ${changed(at)} where id = ${id}`)

/** Records what a visitor does. @returns false if it was recorded after `since` */
export const recordVisit = async (
  tx: Db,
  visit: { linkId: string; visitor: Buffer; what: string; at: Date; since: Date },
): Promise<boolean> =>
  (await tx.run(sql`
    insert into short_link_visits as v (link_id, visitor, what, at)
    values (${visit.linkId}, ${visit.visitor}, ${visit.what}, ${visit.at})
    on conflict (link_id, visitor, what) do update set at = excluded.at where v.at <= ${visit.since}`)) === 1

export const addView = (tx: Db, id: string, at: Date) =>
  tx.run(sql`update short_links set views = views + 1, last_used_at = ${at} where id = ${id}`)

/** Counts a download. @returns false if the link's own limit is reached */
export const addShortLinkDownload = async (tx: Db, id: string, at: Date): Promise<boolean> =>
  (await tx.run(sql`
    update short_links set downloads = downloads + 1, last_used_at = ${at}
    where id = ${id} and (max_downloads is null or downloads < max_downloads)`)) === 1

/** A preview is not a download, but delivers the same bytes: without a limit, it would replace the downloads. */
const PREVIEWS_A_DOWNLOAD = 10

/** Counts a preview by a link with a download limit. @returns false if its downloads or previews are used up */
export const addShortLinkPreview = async (db: Db, id: string): Promise<boolean> =>
  (await db.run(sql`
    update short_links set previews = previews + 1
    where id = ${id} and downloads < max_downloads and previews < max_downloads::bigint * ${PREVIEWS_A_DOWNLOAD}`)) ===
  1

/** Counts a file that a visitor uploads. @returns false if that exceeds a limit of the link */
export const addUpload = async (tx: Db, id: string, size: number, at: Date): Promise<boolean> =>
  (await tx.run(sql`
    update short_links set uploaded_files = uploaded_files + 1, uploaded_bytes = uploaded_bytes + ${size}, last_used_at = ${at}
    where id = ${id} and uploaded_files < upload_files and uploaded_bytes + ${size} <= upload_bytes`)) === 1

export interface ListedLink {
  id: string
  form: 'short' | 'long'
  /** Null for a folder, and for an entry in the trash. */
  cid: string | null
  asset_id: number | null
  linked_folder: number | null
  kind: AssetType | 'group'
  token: Buffer | null
  pass: Buffer | null
  /** Of a long link; '' for a short one. */
  short_pass: string
  note: string
  expires_at: Date | null
  max_downloads: number | null
  emails: string[] | null
  upload_files: number | null
  upload_bytes: number | null
  uploaded_files: number
  uploaded_bytes: number
  active: boolean
  revoked: boolean
  /** Null for a long link, whose item is not shared any more. */
  revoked_at: Date | null
  views: number | null
  downloads: number
  last_used_at: Date | null
  created_at: Date
  areas: string[]
  /** Null while it is in the trash. */
  item_name: string | null
  size: number
  encrypted: boolean
  folder_id: number
}

/** What is linked: entries of a content, one of them, or a folder. */
export type LinkedItem = { cid: string; assetId?: number | undefined } | { folderId: number }

export interface LinkFilter {
  q?: string | undefined
  state?: LinkState | undefined
  kind?: AssetType | 'group' | undefined
  item?: LinkedItem | undefined
  id?: string | undefined
}

/** Short and long links with the item that each opens. A long link is revoked while its item is not shared. */
const allLinks = (userId: number): Sql => sql`
  select x.*, a.cid, case when x.linked_folder is null then coalesce(a.kind, 'file') else 'group' end as kind,
    coalesce(a.name, f.name) as item_name, coalesce(a.size, t.bytes, 0)::bigint as size, coalesce(a.encrypted, false) as encrypted,
    coalesce(a.folder_id, f.parent_id, 0)::bigint as folder_id
  from (
    select id, 'short' as form, asset_id, folder_id as linked_folder, token, pass, '' as short_pass, note, expires_at, max_downloads, emails, upload_files, upload_bytes::float8 as upload_bytes,
      uploaded_files, uploaded_bytes::float8 as uploaded_bytes, active, revoked_at is not null as revoked, revoked_at, views, downloads, last_used_at, created_at,
      '{}'::text[] as areas
    from short_links where user_id = ${userId}
    union all
    select l.id, 'long', la.id, lf.id, null, null, l.short_pass, '', l.expires_at, null, null::text[], null, null, 0, 0, true,
      coalesce(la.share_status, lf.share_status) = ${SHARE.off}, null, null, coalesce(la.downloads, lf.downloads, 0)::bigint, null, l.created_at, l.areas
    from links l
    left join assets la on l.kind <> 'group' and la.user_id = ${userId} and la.id = l.asset_id
    left join folders lf on lf.user_id = ${userId} and lf.id = case when l.kind = 'group' then l.target::bigint end
    where l.user_id = ${userId} and coalesce(la.share_status, lf.share_status) in (${SHARE.on}, ${SHARE.off})
  ) x
  left join assets a on a.user_id = ${userId} and a.id = x.asset_id
  left join folders f on f.user_id = ${userId} and f.id = x.linked_folder
  left join folder_totals t on t.user_id = ${userId} and t.folder_id = f.id`

const states = (at: Date): Record<Exclude<LinkState, 'revoked'>, Sql> => {
  const there = sql`item_name is not null`
  const lasting = sql`(expires_at is null or expires_at > ${at})`
  const unused = sql`((max_downloads is null or downloads < max_downloads)
    and (upload_files is null or (uploaded_files < upload_files and uploaded_bytes < upload_bytes)))`
  return {
    gone: sql`not ${there}`,
    off: sql`${there} and not active`,
    expired: sql`${there} and active and not ${lasting}`,
    used_up: sql`${there} and active and ${lasting} and not ${unused}`,
    live: sql`${there} and active and ${lasting} and ${unused}`,
  }
}

/** Characters with a meaning in `like`. */
const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

const filtered = (userId: number, { q, state, kind, item, id }: LinkFilter, at: Date): Sql => sql`
  from (${allLinks(userId)}) l where ${state === 'revoked' ? sql`revoked` : sql`not revoked`}
    ${q ? sql`and (item_name ilike ${`%${escaped(q)}%`} or note ilike ${`%${escaped(q)}%`})` : none}
    ${state && state !== 'revoked' ? sql`and ${states(at)[state]}` : none}
    ${kind ? sql`and kind = ${kind}` : none}
    ${item ? isItem(item) : none}
    ${id ? sql`and id = ${id}` : none}`

const isItem = (item: LinkedItem): Sql =>
  'folderId' in item
    ? sql`and linked_folder = ${item.folderId}`
    : sql`and cid = ${item.cid} ${item.assetId === undefined ? none : sql`and asset_id = ${item.assetId}`}`

/** A page of the links of an account, newest first; revoked ones only if the filter asks for them, the last revoked first. */
export const pageOfLinks = (
  db: Db,
  userId: number,
  filter: LinkFilter,
  { at, limit, offset }: { at: Date; limit: number; offset: number },
) =>
  db.rows<ListedLink>(sql`
    select id, form, cid, asset_id, linked_folder, kind, token, pass, short_pass, note, expires_at, max_downloads, emails, upload_files, upload_bytes, uploaded_files, uploaded_bytes, active, revoked, revoked_at, views, downloads, last_used_at, created_at,
      areas, item_name, size, encrypted, folder_id
    ${filtered(userId, filter, at)} order by coalesce(revoked_at, created_at) desc, id limit ${limit} offset ${offset}`)

export const countPageOfLinks = async (db: Db, userId: number, filter: LinkFilter, at: Date): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count ${filtered(userId, filter, at)}`)).count

/**
 * Counts the short links that open an item, for statements of other modules. By the database's clock, because rows are listed without one.
 * @param item the condition on a link `s`
 */
const countLive = (item: Sql): Sql => sql`(
  select count(*) from short_links s where ${item} and s.upload_files is null and s.revoked_at is null and s.active
    and (s.expires_at is null or s.expires_at > now()))`

/** Of the asset `a`. */
export const linksOfAsset = countLive(sql`s.asset_id = a.id`)
/** Of the folder `f`. */
export const linksOfFolder = countLive(sql`s.user_id = f.user_id and s.folder_id = f.id`)

/** Nodes refuse the tokens that were issued for short links of the account. */
export const endShortLinksOf = (db: Db, userId: number) =>
  db.rows(sql`
    select end_short_links(array(select id from short_links where user_id = ${userId} and revoked_at is null), 'link', ${userId}, '{}')`)

export const erased = (userId: number): Sql[] => [
  sql`delete from short_links where id in (select id from short_links where user_id = ${userId} limit ${EXPIRED_BATCH})`,
]

export const expired = (at: Date): Sql[] => [
  sql`delete from short_links where id in (
    select id from short_links where revoked_at < ${ago(at, REVOKED_LIFE)} limit ${EXPIRED_BATCH} for update skip locked)`,
  sql`delete from short_link_visits where (link_id, visitor, what) in (
    select link_id, visitor, what from short_link_visits where at < ${ago(at, 2 * DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
]

/** Without the addresses and passwords of links, which are secrets. */
export const exported = (userId: number): Sql => sql`
  select row_number() over (order by created_at, id) as row_key, id, asset_id, folder_id, note, emails, expires_at, max_downloads, upload_files,
    upload_bytes, uploaded_files, uploaded_bytes, active, views, downloads, last_used_at, created_at, revoked_at from short_links where user_id = ${userId}`
