import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import type { KeyPlace } from './deletions-repository.ts'
import type { ObjectRow } from './repository.ts'

/** Where a version is among those of its key, the newest first. */
export interface Position {
  /** The current object has the highest number; objects in the trash have that of their deletion. */
  deletion: string
  /** 0: a delete marker, 1: a content. */
  step: number
  version: number
}

export interface VersionRow
  extends Omit<Position, 'deletion'>,
    Pick<ObjectRow, 'cid' | 'kind' | 'size' | 'md5' | 'encrypted' | 'created_at'> {
  deletion: string
  /** Null for a marker. */
  asset_id: number | null
  /** Null is the version "null". */
  version_id: string | null
  /** In the table of versions; null: it is the content of its entry. */
  row_id: number | null
  restricted_to: string[] | null
  receipt_id: number | null
  is_trashed: boolean
}

/** Of the current object. */
const HIGHEST = sql`9223372036854775807::bigint`

/** Of functions, too, whose columns are never null either, which only they know. */
const columns = sql`coalesce(x.deletion::text, '') as deletion, coalesce(x.step, 0) as step, coalesce(x.version, 0) as version, x.asset_id,
  replace(x.version_id::text, '-', '') as version_id, x.row_id, coalesce(x.cid, '') as cid, case when x.kind = 'folder' then 'folder' else 'file' end as kind,
  coalesce(x.size, 0) as size, x.md5, coalesce(x.encrypted, false) as encrypted, x.restricted_to, x.receipt_id,
  coalesce(x.created_at, 'epoch') as created_at, coalesce(x.is_trashed, false) as is_trashed`

/**
 * One version of a key. It begins with the version, not with the key, which can have any number of them.
 * @param versionId null: "null"
 */
export const findVersion = (db: Db, userId: number, { folderId, part }: KeyPlace, versionId: string | null) => {
  const isNamed = (table: Sql) =>
    versionId === null ? sql`${table}.version_id is null` : sql`${table}.version_id = ${versionId}::uuid`
  // Most deletions of a key do not have it.
  const isNull = versionId === null ? sql`and d.has_null` : none
  const isOfKey = sql`d.user_id = ${userId} and d.folder_id = ${folderId} and d.part = ${part} collate "C" ${isNull}`
  const kept = sql`v.version, v.asset_id, v.version_id, v.id, v.cid, v.kind, v.size, v.md5, v.encrypted, v.restricted_to, v.receipt_id, v.created_at`
  return db.maybe<VersionRow>(sql`
    with entry as (
      select max(a.id) as id from assets a where a.user_id = ${userId} and a.folder_id = ${folderId}
        and coalesce(a.key_part, a.name) collate "C" = ${part} collate "C"
    )
    select ${columns} from (
      select ${HIGHEST} as deletion, 1 as step, a.version, a.id as asset_id, a.version_id, null::bigint as row_id, a.cid, a.kind, a.size, a.md5,
        a.encrypted, a.restricted_to, a.receipt_id, a.created_at, false as is_trashed
      from assets a where a.id = (select id from entry) and ${isNamed(sql`a`)}
      union all select d.id, 1, t.version, t.asset_id, t.version_id, null, t.cid, t.kind, t.size, t.md5, t.encrypted, t.restricted_to,
        t.receipt_id, t.created_at, true
      from trashed_assets t join object_deletions d on d.asset_id = t.asset_id where ${isOfKey} and ${isNamed(sql`t`)}
      union all select ${HIGHEST}, 1, ${kept}, false
      from asset_versions v where v.asset_id = (select id from entry) and v.kept and ${isNamed(sql`v`)}
      union all select d.id, 1, ${kept}, true
      from asset_versions v join object_deletions d on d.asset_id = v.asset_id where ${isOfKey} and v.kept and ${isNamed(sql`v`)}
      union all select d.id, 0, 0, null, d.version_id, null, '', 'file', 0, null, false, null, null, d.created_at, true
      from object_deletions d where ${isOfKey} and d.is_marker and ${isNamed(sql`d`)}
    ) x order by x.deletion desc, x.step, x.version desc limit 1`)
}

type Listed = VersionRow & Partial<Pick<ObjectRow, 'etag' | 'modified_at' | 'tags'>>

/** The versions of a key, the newest first. @param past only those behind it; undefined: all */
export const listOfKey = (
  db: Db,
  userId: number,
  { folderId, part }: KeyPlace,
  past: Position | undefined,
  limit: number,
) =>
  db.rows<Listed>(sql`
    select ${columns}, d.etag, d.modified_at, d.tags
    from versions_of_key(${userId}, ${folderId}, ${part}, ${limit}, ${past?.deletion ?? null}, ${past?.step ?? null}, ${past?.version ?? null})
      with ordinality x (deletion, step, version, asset_id, version_id, row_id, cid, kind, size, md5, encrypted, restricted_to, receipt_id,
        created_at, is_trashed, place)
    left join object_details d on d.asset_id = x.asset_id and d.version = x.version order by x.place`)

export type ListedRow = { key: string } & (
  | { is_group: true }
  | ({ is_group: false /** Among the versions of its key. */; nth: number } & Listed)
)

/** See `versions_below`. @param at the key of the folder, with its slash */
export const listBelow = (
  db: Db,
  userId: number,
  at: { folderId: number; path: string },
  { after, starting, grouped, limit }: { after: string; starting: string; grouped: boolean; limit: number },
) =>
  db.rows<ListedRow>(sql`
    select coalesce(x.key, '') as key, coalesce(x.is_group, false) as is_group, x.nth, ${columns}, d.etag, d.modified_at, d.tags
    from versions_below(${userId}, ${at.folderId}, ${at.path}, ${after === '' ? null : after}, ${starting}, ${grouped}, ${limit})
      with ordinality x (key, is_group, nth, deletion, step, version, asset_id, version_id, row_id, cid, kind, size, md5, encrypted, restricted_to,
        receipt_id, created_at, is_trashed, place)
    left join object_details d on d.asset_id = x.asset_id and d.version = x.version order by x.place`)
