import type { AssetType, Publication } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { scopeOf } from '../folder-scope/scope.ts'

/** What is kept of the SHA-256 of a block. */
export const DIGEST_BYTES = 16

export interface PublicationRow extends Pick<Publication, 'cid' | 'state' | 'reason'> {
  id: number
  asset_id: number
  kind: AssetType
  name: string
  size: number
  folder_id: number
  published_folder: number
  parts: number
  /** Parts that are not published any more. */
  ended: number
  created_at: Date
}

const columns = sql`
  p.id, p.cid, p.state, p.reason, coalesce(p.asset_id, 0) as asset_id, coalesce(p.folder_id, 0) as published_folder, p.created_at,
  coalesce(a.kind, 'folder') as kind, coalesce(a.name, f.name, '') as name, coalesce(a.size, p.bytes) as size,
  coalesce(a.folder_id, f.parent_id, 0) as folder_id, p.parts,
  p.parts - (select count(*) from publications q where q.part_of = p.id)::int as ended`
const withItems = sql`publications p left join assets a on a.id = p.asset_id left join folders f on f.id = p.folder_id`

export interface Filter {
  userId: number
  /** The folders of a key. */
  folders: readonly number[] | null
  cid?: string | undefined
  assetId?: number | undefined
  publishedFolder?: number | undefined
}

const isAsked = ({ userId, folders, cid, assetId, publishedFolder }: Filter): Sql => sql`
  p.user_id = ${userId} and p.part_of is null ${cid === undefined ? none : sql`and p.cid = ${cid}`}
  ${assetId === undefined ? none : sql`and p.asset_id = ${assetId}`}
  ${publishedFolder === undefined ? none : sql`and p.folder_id = ${publishedFolder}`}
  ${folders ? sql`and a.user_id = p.user_id and a.folder_id in ${scopeOf(userId, folders)}` : none}`

export const pageOfPublications = (db: Db, filter: Filter, { limit, offset }: { limit: number; offset: number }) =>
  db.rows<PublicationRow>(sql`
    select ${columns} from ${withItems} where ${isAsked(filter)} order by p.id desc limit ${limit} offset ${offset}`)

export const countPublications = async (db: Db, filter: Filter): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count from ${withItems} where ${isAsked(filter)}`)).count

/** @returns undefined if the entry is published already */
export const insertPublication = (
  tx: Db,
  publication: { userId: number; assetId: number; cid: string; at: Date },
): Promise<{ id: number } | undefined> =>
  tx.maybe(sql`
    insert into publications (user_id, asset_id, cid, created_at, next_at)
    values (${publication.userId}, ${publication.assetId}, ${publication.cid}, ${publication.at}, ${publication.at})
    on conflict (asset_id) where part_of is null do nothing returning id`)

/** Has the blocks of a publication that failed read again. */
export const restart = (tx: Db, assetId: number, at: Date) =>
  tx.run(sql`
    update publications set state = 'preparing', reason = '', tries = 0, next_at = ${at}
    where asset_id = ${assetId} and part_of is null and state = 'failed'`)

export const deletePublication = (tx: Db, userId: number, assetId: number) =>
  tx.run(sql`delete from publications where user_id = ${userId} and asset_id = ${assetId} and part_of is null`)

export interface Due {
  id: number
  user_id: number
  cid: string
  /** A folder of single files. */
  folder_id: number | null
  tries: number
}

/** A publication whose blocks must be read, which nobody else does before `until`. */
export const leaseDue = (db: Db, at: Date, until: Date) =>
  db.maybe<Due>(sql`
    with due as (
      select id from publications where state = 'preparing' and next_at <= ${at} order by next_at limit 1 for update skip locked
    )
    update publications p set next_at = ${until}, tries = p.tries + 1
    from due where p.id = due.id
    returning p.id, p.user_id, p.cid, p.folder_id, p.tries`)

/** @returns false if the publication ended meanwhile */
export const extendLease = async (db: Db, id: number, until: Date): Promise<boolean> =>
  (await db.run(sql`update publications set next_at = ${until} where id = ${id} and state = 'preparing'`)) > 0

/** @returns how many were new; 0 if the publication ended */
export const addBlocks = (
  db: Db,
  id: number,
  blocks: readonly { digest: Uint8Array; inner: boolean }[],
): Promise<number> =>
  db.run(sql`
    with lasting as (select id from publications where id = ${id} for key share)
    insert into publication_blocks (digest, publication_id, inner_node)
    select substr(digest, 1, ${DIGEST_BYTES}::int), lasting.id, bool_or(inner_node)
    from lasting, unnest(${blocks.map(({ digest }) => Buffer.from(digest))}::bytea[], ${blocks.map(({ inner }) => inner)}::boolean[]) b (digest, inner_node)
    group by 1, 2
    on conflict (digest, publication_id) do nothing`)

/** Blocks of what an account has published, apart from one. */
export const countBlocks = async (db: Db, userId: number, except: number): Promise<number> =>
  (
    await db.one<{ blocks: number }>(sql`
      select coalesce(sum(blocks), 0)::bigint as blocks from publications
      where user_id = ${userId} and state = 'ready' and id <> ${except}`)
  ).blocks

/** Deletes some of the blocks of a publication. @returns how many */
export const deleteBlocks = (db: Db, id: number): Promise<number> =>
  db.run(sql`
    delete from publication_blocks where publication_id = ${id}
      and digest in (select digest from publication_blocks where publication_id = ${id} limit ${EXPIRED_BATCH})`)

export const finish = (
  db: Db,
  id: number,
  end: { state: 'ready'; blocks: number; bytes: number } | { state: 'failed'; reason: 'tooManyBlocks' | 'unreadable' },
) =>
  db.run(sql`
    update publications set state = ${end.state}, blocks = ${end.state === 'ready' ? end.blocks : 0},
      bytes = ${end.state === 'ready' ? end.bytes : 0},
      reason = ${end.state === 'failed' ? end.reason : ''}
    where id = ${id} and state = 'preparing'`)

export interface Served {
  id: number
  user_id: number
  cid: string
  kind: AssetType
  name: string
  size: number
  areas: string[]
  blocks: number
  /** The folder of single files that it is published as a part of. */
  folder_cid: string | null
}

export interface Found extends Served {
  inner_node: boolean
  /** A folder of single files. */
  composed: boolean
}

const folderCid = sql`(select r.cid from publications r where r.id = p.part_of) as folder_cid`
const isServed = (at: Date): Sql => sql`
  p.state = 'ready' and (p.folder_id is not null
    or (a.cid = p.cid and a.expires_at > ${at} and a.restricted_to is null and not a.encrypted))`

/** The publications that have a block, those first of which it is the root. */
export const findServing = (
  db: Db,
  { digest, roots, partOf }: { digest: Uint8Array; roots: readonly string[]; partOf: number | undefined },
  at: Date,
  { limit, offset }: { limit: number; offset: number },
) =>
  db.rows<Found>(sql`
    select p.id, p.user_id, p.cid, p.blocks, b.inner_node, p.folder_id is not null as composed,
      coalesce(a.kind, 'folder') as kind, coalesce(a.name, f.name, '') as name, coalesce(a.size, p.bytes) as size,
      coalesce(a.areas, '{}') as areas, ${folderCid}
    from publication_blocks b join publications p on p.id = b.publication_id
      left join assets a on a.id = p.asset_id left join folders f on f.id = p.folder_id
    where b.digest = ${Buffer.from(digest.subarray(0, DIGEST_BYTES))} and ${isServed(at)}
      ${partOf === undefined ? none : sql`and p.part_of = ${partOf}`}
    order by p.cid = any(${roots}) desc, p.id limit ${limit} offset ${offset}`)

export const findServed = (db: Db, id: number, at: Date) =>
  db.maybe<Served>(sql`
    select p.id, p.user_id, p.cid, p.blocks, a.kind, a.name, a.size, a.areas, ${folderCid}
    from publications p join assets a on a.id = p.asset_id where p.id = ${id} and ${isServed(at)}`)

/** Blocks of publications that ended: a trigger notes these, so that nobody looks for them among all blocks. */
export const expired = (): Sql[] => [
  sql`delete from publication_blocks where (digest, publication_id) in (
    select b.digest, b.publication_id from ended_publications e join publication_blocks b on b.publication_id = e.id limit ${EXPIRED_BATCH})`,
  sql`delete from ended_publications where id in (
    select e.id from ended_publications e
    where not exists (select from publication_blocks b where b.publication_id = e.id) limit ${EXPIRED_BATCH})`,
]

export const erased = (userId: number): Sql[] => [sql`delete from publications where user_id = ${userId}`]

export const exported = (userId: number): Sql => sql`
  select p.id as row_key, p.cid, p.asset_id, p.folder_id, p.path, p.state, p.created_at from publications p where p.user_id = ${userId}`
