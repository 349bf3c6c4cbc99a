import type { ObjectTag } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { prepared, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

type Texts = Record<string, string>

export interface ObjectRow {
  asset_id: number
  folder_id: number
  version: number
  cid: string
  kind: 'file' | 'folder'
  name: string
  size: number
  md5: string | null
  encrypted: boolean
  created_at: Date
  /** Null in all details: it did not come by S3. */
  etag: string | null
  modified_at: Date | null
  headers: unknown
  metadata: unknown
  checksums: unknown
  tags: unknown
  version_id: string
}

const columns = sql`a.id as asset_id, a.folder_id, a.version, a.cid, a.kind, a.name, a.size, a.md5, a.encrypted, a.created_at, d.etag, d.modified_at,
  d.headers, d.metadata, d.checksums, d.tags,
  case when a.version_id is not null then replace(a.version_id::text, '-', '')
    when bucket_versioning(a.user_id, a.folder_id) is not null then 'null' else '' end as version_id`
const withDetails = sql`assets a left join object_details d on d.asset_id = a.id and d.version = a.version`

export const findObjects = (db: Db, userId: number, assetIds: readonly number[]) =>
  db.rows<ObjectRow>(
    prepared`select ${columns} from ${withDetails} where a.user_id = ${userId} and a.id = any(${assetIds})`,
  )

export type ListedRow = { key: string } & (
  | { asset_id: null }
  | Pick<ObjectRow, 'asset_id' | 'cid' | 'size' | 'md5' | 'encrypted' | 'created_at' | 'etag' | 'modified_at'>
)

/** See `keys_below`. @param at the key of the folder, with its slash */
export const listKeys = (
  db: Db,
  userId: number,
  at: { folderId: number; path: string },
  { after, starting, grouped, limit }: { after: string; starting: string; grouped: boolean; limit: number },
) =>
  db.rows<ListedRow>(sql`
    select coalesce(k.key, '') as key, k.asset_id, a.cid, a.size, a.md5, a.encrypted, a.created_at, d.etag, d.modified_at
    from keys_below(${userId}, ${at.folderId}, ${at.path}, ${after === '' ? null : after}, ${starting}, ${grouped}, false, ${limit})
      with ordinality k (key, asset_id, folder_id, is_group, place)
    left join assets a on a.id = k.asset_id left join object_details d on d.asset_id = a.id and d.version = a.version
    order by k.place`)

export interface NewDetails {
  assetId: number
  etag: string
  headers: Texts
  metadata: Texts
  checksums: Texts
  tags: readonly ObjectTag[]
  /** Names the write: the `jti` of its receipt, or what the gateway calls it. Null: repeating it would change nothing. */
  upload: string | null
}

/** The versions of objects that writes have made: the answers to these may have been lost. */
export const findWrittenBefore = (tx: Db, writes: readonly { assetId: number; upload: string }[]) =>
  tx.rows<{ asset_id: number; upload: string; version_id: string }>(prepared`
    select d.asset_id, coalesce(d.upload, '') as upload,
      coalesce(replace(coalesce(a.version_id, v.version_id)::text, '-', ''), '') as version_id
    from unnest(${writes.map(({ assetId }) => assetId)}::bigint[], ${writes.map(({ upload }) => upload)}::text[]) w (asset_id, upload)
    join object_details d on d.asset_id = w.asset_id and d.upload = w.upload
    left join assets a on a.id = d.asset_id and a.version = d.version
    left join asset_versions v on v.asset_id = d.asset_id and v.version = d.version and v.kept
    where coalesce(a.version_id, v.version_id) is not null`)

/** Keeps what S3 sent with the content that the entry has now. */
export const putDetails = (tx: Db, userId: number, details: readonly NewDetails[], at: Date) =>
  tx.run(prepared`
    insert into object_details (asset_id, version, user_id, etag, modified_at, headers, metadata, checksums, tags, upload)
    select a.id, a.version, a.user_id, n.etag, ${at}, n.headers, n.metadata, n.checksums, n.tags, n.upload
    from jsonb_to_recordset(${JSON.stringify(details)}::jsonb)
      n ("assetId" bigint, etag text, headers jsonb, metadata jsonb, checksums jsonb, tags jsonb, upload text)
    join assets a on a.id = n."assetId" and a.user_id = ${userId}
    on conflict (asset_id, version) do update
      set etag = excluded.etag, modified_at = excluded.modified_at, headers = excluded.headers, metadata = excluded.metadata,
        checksums = excluded.checksums, tags = excluded.tags, upload = excluded.upload`)

/** Files that came by other ways get details with tags alone. */
export const setTags = (
  tx: Db,
  { userId, assetId, version }: { userId: number; assetId: number; version: number },
  tags: readonly ObjectTag[],
) =>
  tx.run(sql`
    insert into object_details (asset_id, version, user_id, tags)
    values (${assetId}, ${version}, ${userId}, ${JSON.stringify(tags)})
    on conflict (asset_id, version) do update set tags = excluded.tags`)

/** Details of contents, by entry and version. */
export const findDetails = (db: Db, assetId: number, version: number) =>
  db.maybe<Pick<ObjectRow, 'etag' | 'modified_at' | 'headers' | 'metadata' | 'checksums' | 'tags'>>(sql`
    select etag, modified_at, headers, metadata, checksums, tags from object_details where asset_id = ${assetId} and version = ${version}`)

/** The number of a version can come again. */
export const deleteDetails = (tx: Db, assetId: number, version: number) =>
  tx.run(sql`delete from object_details where asset_id = ${assetId} and version = ${version}`)

/** Details of versions that are gone. */
export const expired = (): Sql[] => [
  sql`delete from object_details where (asset_id, version) in (
    select d.asset_id, d.version from object_details d
    where not exists (select from assets a where a.id = d.asset_id and a.version = d.version)
      and not exists (select from trashed_assets t where t.asset_id = d.asset_id and t.version = d.version)
      and not exists (select from asset_versions v where v.asset_id = d.asset_id and v.version = d.version)
    limit ${EXPIRED_BATCH})`,
]

export const erased = (userId: number): Sql[] => [sql`delete from object_details where user_id = ${userId}`]

export const exported = (userId: number): Sql => sql`
  select asset_id || '/' || version as row_key, asset_id, version, etag, modified_at, headers, metadata, tags from object_details where user_id = ${userId}`
