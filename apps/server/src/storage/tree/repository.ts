import { SHARE, VIP_FOLDERS } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { prepared, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { linksOfFolder } from '../links/short-links.ts'

export interface FolderRow {
  id: number
  user_id: number
  parent_id: number
  name: string
  shared: boolean
  encrypted: boolean
  /** Short links that open it. */
  links: number
  downloads: number
  created_at: Date
  files: number
  bytes: number
}

export const columns = sql`f.id, f.user_id, f.parent_id, f.name, f.share_status = ${SHARE.on} as shared, f.encrypted, ${linksOfFolder} as links,
  f.downloads, f.created_at,
  coalesce(t.files, 0)::bigint as files, coalesce(t.bytes, 0)::bigint as bytes`
export const withTotals = sql`folders f left join folder_totals t on t.user_id = f.user_id and t.folder_id = f.id`

export const findFolder = (db: Db, userId: number, folderId: number) =>
  db.maybe<FolderRow>(sql`select ${columns} from ${withTotals} where f.user_id = ${userId} and f.id = ${folderId}`)

/** Locks a folder, so that it is not deleted until the transaction ends. */
export const lockFolderForShare = (tx: Db, userId: number, folderId: number) =>
  tx.maybe<{ id: number; parent_id: number; encrypted: boolean }>(sql`
    select id, parent_id, encrypted from folders where user_id = ${userId} and id = ${folderId} for share`)

/** Those of these folders that the account has; they are locked as by `lockFolderForShare`. */
export const lockFoldersForShare = async (
  tx: Db,
  userId: number,
  folderIds: readonly number[],
): Promise<Map<number, { encrypted: boolean }>> =>
  new Map(
    (
      await tx.rows<{ id: number; encrypted: boolean }>(prepared`
        select id, encrypted from folders where user_id = ${userId} and id = any(${folderIds}) order by id for share`)
    ).map(({ id, encrypted }) => [id, { encrypted }]),
  )

/** Those of these places that a file or folder has, as `folder/name`. */
export const findTakenNames = async (
  tx: Db,
  userId: number,
  places: readonly { folderId: number; name: string }[],
): Promise<Set<string>> =>
  new Set(
    (
      await tx.rows<{ place: string }>(prepared`
        with w as (
          select * from unnest(${places.map(({ folderId }) => folderId)}::bigint[], ${places.map(({ name }) => name)}::text[]) p (folder_id, name)
        )
        select w.folder_id || '/' || w.name as place from w
        where exists (select 1 from assets a where a.user_id = ${userId} and a.folder_id = w.folder_id and a.name = w.name)
          or exists (select 1 from folders f where f.user_id = ${userId} and f.parent_id = w.folder_id and f.name = w.name)`)
    ).map((row) => row.place),
  )

export const countFolders = async (db: Db, userId: number): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from folders where user_id = ${userId}`)).count

export const insertFolder = async (tx: Db, userId: number, parentId: number, name: string, at: Date): Promise<number> =>
  (
    await tx.one<{ id: number }>(sql`
      insert into folders (user_id, parent_id, name, created_at) values (${userId}, ${parentId}, ${name}, ${at}) returning id`)
  ).id

/** From now on only encrypted files can be put into these folders. */
export const markEncrypted = (tx: Db, userId: number, folderIds: readonly number[]) =>
  tx.run(
    sql`update folders set encrypted = true where user_id = ${userId} and id = any(${folderIds}) and not encrypted`,
  )

/** Whether these folders directly contain files, or announced ones, that are not encrypted. */
export const holdUnencrypted = async (tx: Db, userId: number, folderIds: readonly number[]): Promise<boolean> =>
  (
    await tx.one<{ found: boolean }>(sql`
      select exists (select from assets where user_id = ${userId} and folder_id = any(${folderIds}) and not encrypted)
        or exists (select from reservations where user_id = ${userId} and folder_id = any(${folderIds}) and not encrypted) as found`)
  ).found

export interface NamedFolder {
  parent_id: number
  name: string
  id: number
}

/** The folders with these names, each in its parent; of several with the same name, the oldest. */
export const findFoldersNamed = (db: Db, userId: number, wanted: readonly { parent: number; name: string }[]) =>
  db.rows<NamedFolder>(sql`
    select f.parent_id, f.name, min(f.id) as id
    from unnest(${wanted.map(({ parent }) => parent)}::bigint[], ${wanted.map(({ name }) => name)}::text[]) w (parent_id, name)
    join folders f on f.user_id = ${userId} and f.parent_id = w.parent_id and f.name = w.name
    group by f.parent_id, f.name`)

export const insertFolders = (tx: Db, userId: number, added: readonly { parent: number; name: string }[], at: Date) =>
  tx.rows<NamedFolder>(sql`
    insert into folders (user_id, parent_id, name, created_at)
    select ${userId}, w.parent_id, w.name, ${at}
    from unnest(${added.map(({ parent }) => parent)}::bigint[], ${added.map(({ name }) => name)}::text[]) w (parent_id, name)
    returning parent_id, name, id`)

export const renameFolder = (db: Db, userId: number, folderId: number, name: string) =>
  db.run(sql`update folders set name = ${name}, key_part = null where user_id = ${userId} and id = ${folderId}`)

export const setParent = (tx: Db, userId: number, folderId: number, parentId: number) =>
  tx.run(sql`update folders set parent_id = ${parentId} where user_id = ${userId} and id = ${folderId}`)

/** The folder and its ancestors, outermost first; empty if the account has no such folder. */
export const findPath = (db: Db, userId: number, folderId: number) =>
  db.rows<{ id: number; name: string; shared: boolean }>(sql`
    with recursive up as (
      select id, parent_id, name, share_status, 0 as height from folders where user_id = ${userId} and id = ${folderId}
      union all
      select f.id, f.parent_id, f.name, f.share_status, up.height + 1
      from up join folders f on f.id = up.parent_id and f.user_id = ${userId} and up.height < ${VIP_FOLDERS}
    )
    select id, name, share_status = ${SHARE.on} as shared from up order by height desc`)

/** Ids of the folder and all folders below it. */
export const findTree = async (db: Db, userId: number, folderId: number): Promise<number[]> =>
  (
    await db.rows<{ id: number }>(sql`
      with recursive tree as (
        select id from folders where user_id = ${userId} and id = ${folderId}
        union
        select f.id from tree join folders f on f.user_id = ${userId} and f.parent_id = tree.id
      )
      select id from tree`)
  ).map((row) => row.id)

/** The folder and all folders below it; parents come first. */
export const foldersBelow = (
  db: Db,
  userId: number,
  folderId: number,
): Promise<{ id: number; parent_id: number; name: string }[]> =>
  db.rows(sql`
    with recursive tree as (
      select id, parent_id, name, 0 as depth from folders where user_id = ${userId} and id = ${folderId}
      union all
      select f.id, f.parent_id, f.name, tree.depth + 1 from tree join folders f on f.user_id = ${userId} and f.parent_id = tree.id
        where tree.depth < ${VIP_FOLDERS}
    )
    select id, parent_id, name from tree order by depth, id`)

/** Whether the folder contains nothing, and no upload into it is announced. */
export const isEmpty = async (db: Db, userId: number, folderId: number): Promise<boolean> =>
  (
    await db.one<{ empty: boolean }>(sql`
      select not exists (select 1 from folders where user_id = ${userId} and parent_id = ${folderId})
        and not exists (select 1 from assets where user_id = ${userId} and folder_id = ${folderId})
        and not exists (select 1 from reservations where user_id = ${userId} and folder_id = ${folderId}) as empty`)
  ).empty

export const deleteFolders = (tx: Db, userId: number, folderIds: readonly number[]) =>
  tx.run(sql`
    with totals as (delete from folder_totals where user_id = ${userId} and folder_id = any(${folderIds})),
      runs as (delete from folder_runs where user_id = ${userId} and folder_id = any(${folderIds}))
    delete from folders where user_id = ${userId} and id = any(${folderIds})`)

export const setShared = (tx: Db, userId: number, folderId: number, shared: boolean) =>
  tx.run(
    sql`update folders set share_status = ${shared ? SHARE.on : SHARE.off} where user_id = ${userId} and id = ${folderId}`,
  )

/** Counts a download of something in the folder. */
export const addDownload = (tx: Db, folderId: number) =>
  tx.run(sql`update folders set downloads = downloads + 1 where id = ${folderId}`)

/**
 * Restores folders under their ids.
 * @param trashed the statement that returns them
 * @param top where the topmost folder goes, and its name
 */
export const restoreFolders = (
  tx: Db,
  trashed: Sql,
  top: { id: number; parentId: number; name: string },
): Promise<number> =>
  tx.run(sql`
    insert into folders (id, user_id, parent_id, name, share_status, encrypted, downloads, created_at) overriding system value
    select id, user_id, case when id = ${top.id} then ${top.parentId}::bigint else parent_id end,
      case when id = ${top.id} then ${top.name} else name end, share_status, encrypted, downloads, created_at
    from (${trashed}) f`)

/** The statement that reserves positions for these assets at the end of their folders. */
export const reservePositions = (assets: Sql): Sql => sql`
  insert into folder_totals as t (user_id, folder_id, next_seq)
  select user_id, folder_id, count(*) + 1 from ${assets} group by user_id, folder_id
  on conflict (user_id, folder_id) do update set next_seq = t.next_seq + excluded.next_seq
  returning folder_id, next_seq`

/** Counts what is directly in a folder; 0 is the root. */
export const countContents = (db: Db, userId: number, folderId: number) =>
  db.one<{ folders: number; files: number }>(sql`
    select (select count(*) from folders where user_id = ${userId} and parent_id = ${folderId}) as folders,
      coalesce((select files from folder_totals where user_id = ${userId} and folder_id = ${folderId}), 0)::bigint as files`)

/** Subfolders, newest first. */
export const findFolders = (db: Db, userId: number, parentId: number, limit: number, offset: number) =>
  db.rows<FolderRow>(sql`
    select ${columns} from ${withTotals} where f.user_id = ${userId} and f.parent_id = ${parentId}
    order by f.id desc limit ${limit} offset ${offset}`)

/**
 * Ids of the files of a page, newest first. The counts per run of 512 positions tell in which run the page begins. The index scan starts
 * there, so it skips fewer than 512 rows at any depth.
 */
export const findFileIds = async (
  db: Db,
  userId: number,
  folderId: number,
  limit: number,
  offset: number,
): Promise<number[]> =>
  (
    await db.rows<{ id: number }>(sql`
      with counted as (
        select run, (sum(files) over (order by run desc) - files)::bigint as newer from folder_runs
        where user_id = ${userId} and folder_id = ${folderId} and files > 0
      ), first as (
        select run, newer from counted where newer <= ${offset}::bigint order by run limit 1
      )
      select id from assets
      where user_id = ${userId} and folder_id = ${folderId} and seq < ((select run from first) + 1) * 512
      order by seq desc limit ${limit} offset greatest(0, ${offset}::bigint - (select newer from first))`)
  ).map((row) => row.id)

/** Call it after the assets were deleted. */
export const erased = (userId: number): Sql[] => [
  sql`delete from folders where id in (select id from folders where user_id = ${userId} limit ${EXPIRED_BATCH})`,
  sql`delete from folder_runs where ctid = any(array(
    select ctid from folder_runs where user_id = ${userId} limit ${EXPIRED_BATCH}))`,
  sql`delete from folder_totals where ctid = any(array(
    select ctid from folder_totals where user_id = ${userId} limit ${EXPIRED_BATCH}))`,
]

export const exported = (userId: number): Sql => sql`
  select id as row_key, id, parent_id, name, encrypted, share_status = ${SHARE.on} as shared, downloads, created_at from folders
  where user_id = ${userId}`
