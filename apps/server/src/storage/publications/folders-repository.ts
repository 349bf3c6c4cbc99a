import type { Block } from '@tidenet/content/cid'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { DIGEST_BYTES } from './repository.ts'

/** Published folders of single files, and the files in them. */

export interface FileRow {
  id: number
  folder_id: number
  cid: string
  name: string
  size: number
  encrypted: boolean
  /** Whether the account is known to have the bytes. */
  proven: boolean
}

/** Files and stored folders in these folders, that have not expired. */
export const findFiles = (db: Db, userId: number, folders: readonly number[], at: Date, limit: number) =>
  db.rows<FileRow>(sql`
    select id, folder_id, cid, name, size, encrypted, restricted_to is null as proven from assets
    where user_id = ${userId} and folder_id = any(${folders}) and expires_at > ${at} order by id limit ${limit}`)

export const countParts = async (db: Db, userId: number): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) as count from publications where user_id = ${userId} and part_of is not null`,
    )
  ).count

export const deleteFolderPublication = (tx: Db, userId: number, folderId: number) =>
  tx.run(sql`delete from publications where user_id = ${userId} and folder_id = ${folderId}`)

export const insertFolderPublication = (
  tx: Db,
  { userId, folderId, parts, at }: { userId: number; folderId: number; parts: number; at: Date },
) =>
  tx.one<{ id: number }>(sql`
    insert into publications (user_id, folder_id, cid, parts, created_at, next_at)
    values (${userId}, ${folderId}, '', ${parts}, ${at}, ${at}) returning id`)

export interface NewPart {
  assetId: number
  cid: string
  path: string
  /** Of a file that is one block, which nobody has to read. */
  only?: { digest: Uint8Array; size: number } | undefined
}

export async function insertParts(
  tx: Db,
  { id, userId, at }: { id: number; userId: number; at: Date },
  parts: readonly NewPart[],
): Promise<void> {
  await tx.run(sql`
    with parts as (
      insert into publications (user_id, asset_id, cid, part_of, path, state, blocks, bytes, created_at, next_at)
      select ${userId}::bigint, asset_id, cid, ${id}::bigint, path, case when size >= 0 then 'ready' else 'preparing' end,
        (size >= 0)::int, greatest(size, 0), ${at}::timestamptz, ${at}::timestamptz
      from unnest(${parts.map(({ assetId }) => assetId)}::bigint[], ${parts.map(({ cid }) => cid)}::text[],
        ${parts.map(({ path }) => path)}::text[], ${parts.map(({ only }) => only?.size ?? -1)}::bigint[]) n (asset_id, cid, path, size)
      returning id, asset_id, blocks
    )
    insert into publication_blocks (digest, publication_id, inner_node)
    select substr(n.digest, 1, ${DIGEST_BYTES}::int), parts.id, false
    from unnest(${parts.map(({ assetId }) => assetId)}::bigint[],
      ${parts.map(({ only }) => Buffer.from(only?.digest ?? []))}::bytea[]) n (asset_id, digest)
      join parts on parts.asset_id = n.asset_id
    where parts.blocks = 1`)
}

export interface PartRow {
  cid: string
  path: string
  state: 'preparing' | 'ready' | 'failed'
  reason: '' | 'tooManyBlocks' | 'unreadable'
  blocks: number
  bytes: number
}

export const partsOf = (db: Db, id: number) =>
  db.rows<PartRow>(sql`select cid, path, state, reason, blocks, bytes from publications where part_of = ${id}`)

export const deleteParts = (db: Db, id: number) => db.run(sql`delete from publications where part_of = ${id}`)

/** Leaves a folder until its parts are ready, which is no failed try. */
export const postpone = (db: Db, id: number, until: Date) =>
  db.run(sql`update publications set next_at = ${until}, tries = tries - 1 where id = ${id} and state = 'preparing'`)

export async function insertNodes(tx: Db, id: number, nodes: readonly Block[]): Promise<void> {
  await tx.run(sql`
    insert into publication_nodes (publication_id, digest, bytes)
    select ${id}::bigint, digest, bytes
    from unnest(${nodes.map(({ cid }) => Buffer.from(cid.multihash.digest))}::bytea[], ${nodes.map(({ bytes }) => Buffer.from(bytes))}::bytea[]) n (digest, bytes)
    on conflict do nothing`)
}

export const setRoot = (tx: Db, id: number, cid: string) =>
  tx.run(sql`update publications set cid = ${cid} where id = ${id}`)

/** A node of a published folder. */
export const findNode = (db: Db, id: number, digest: Uint8Array) =>
  db.maybe<{ bytes: Buffer; user_id: number; cid: string }>(sql`
    select n.bytes, p.user_id, p.cid from publication_nodes n join publications p on p.id = n.publication_id
    where n.publication_id = ${id} and n.digest = ${Buffer.from(digest)} and p.state = 'ready'`)
