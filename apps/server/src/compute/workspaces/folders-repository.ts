import type { ClusterName, FolderProblem, FolderSkip } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** A folder of an account's storage in a program. */
export interface FolderRow {
  workload_id: string
  folder_id: number
  name: string
  path: string
  key_id: number
  sealed_key: Buffer
  fill_asked: number
  fill_done: number
  filled_at: Date | null
  save_asked: number
  save_done: number
  saved_at: Date | null
  saved_files: number
  saved_bytes: number
  saved_run: Date | null
  /** Until when the end of its order waits for its files. */
  ends_by: Date | null
  detach_wanted: boolean
  tries: number
  leased_until: Date | null
  filling: boolean
  problem: FolderProblem | ''
  note: string
  skipped: { path: string; reason: FolderSkip }[]
  skipped_count: number
}

/** With what is needed to copy. */
export interface LeasedFolder extends FolderRow {
  base: Record<string, string>
  copying: Record<string, string>
}

const columns = sql`
  f.workload_id, f.folder_id, f.name, f.path, f.key_id, f.sealed_key, f.fill_asked, f.fill_done, f.filled_at, f.save_asked, f.save_done,
  f.saved_at, f.saved_files, f.saved_bytes, f.saved_run, f.ends_by, f.detach_wanted, f.tries, f.leased_until, f.filling, f.problem, f.note, f.skipped,
  f.skipped_count`

export const foldersOf = (db: Db, workloads: readonly string[]): Promise<FolderRow[]> =>
  db.rows(sql`select ${columns} from workload_folders f where f.workload_id = any(${workloads})`)

export const lockFolderOf = (tx: Db, workload: string): Promise<FolderRow | undefined> =>
  tx.maybe(sql`select ${columns} from workload_folders f where f.workload_id = ${workload} for update`)

export const insertFolder = (
  tx: Db,
  row: Pick<FolderRow, 'workload_id' | 'folder_id' | 'name' | 'path' | 'key_id' | 'sealed_key'>,
): Promise<number> =>
  tx.run(sql`
    insert into workload_folders (workload_id, folder_id, name, path, key_id, sealed_key)
    values (${row.workload_id}, ${row.folder_id}, ${row.name}, ${row.path}, ${row.key_id}, ${row.sealed_key})`)

/** Another key of the same folder. What failed is tried again. */
export const replaceKey = (
  tx: Db,
  { workload_id, key_id, sealed_key }: Pick<FolderRow, 'workload_id' | 'key_id' | 'sealed_key'>,
  at: Date,
): Promise<number> =>
  tx.run(sql`
    update workload_folders set key_id = ${key_id}, sealed_key = ${sealed_key}, detach_wanted = false, fill_asked = fill_asked + 1,
      save_asked = save_asked + 1, due_at = ${at}, tries = 0, problem = '', note = ''
    where workload_id = ${workload_id}`)

export const deleteFolder = (tx: Db, workload: string): Promise<number> =>
  tx.run(sql`delete from workload_folders where workload_id = ${workload}`)

/** New files are copied at the next start. Nothing without a folder. */
export const askFill = (tx: Db, workload: string): Promise<number> =>
  tx.run(sql`update workload_folders set fill_asked = fill_asked + 1 where workload_id = ${workload}`)

/** Changed files are saved soon. Nothing without a folder. */
export const askSave = (tx: Db, workload: string, at: Date, { detach = false } = {}): Promise<number> =>
  tx.run(sql`
    update workload_folders set save_asked = save_asked + 1, due_at = ${at}, tries = 0, detach_wanted = detach_wanted or ${detach}
    where workload_id = ${workload}`)

/** The same at the end of the order of a workspace, once. @returns the workloads whose files were not asked for before */
export const askEndSaves = (db: Db, workspace: string, at: Date, by: Date): Promise<{ workload_id: string }[]> =>
  db.rows(sql`
    update workload_folders f set save_asked = save_asked + 1, due_at = ${at}, tries = 0, problem = '', note = '', ends_by = ${by}
    from workloads l where l.id = f.workload_id and l.workspace_id = ${workspace} and f.ends_by is null
    returning f.workload_id`)

/** The order was bought again. */
export const keepFolders = (tx: Db, workspace: string): Promise<number> =>
  tx.run(sql`
    update workload_folders f set ends_by = null from workloads l where l.id = f.workload_id and l.workspace_id = ${workspace}`)

/** Changed files are saved after the end of a run, once. */
export const askSaveAfter = (db: Db, workload: string, started: Date, at: Date): Promise<number> =>
  db.run(sql`
    update workload_folders set save_asked = save_asked + 1, due_at = ${at}, tries = 0, saved_run = ${started}
    where workload_id = ${workload} and saved_run is distinct from ${started}`)

/** Those of these workloads that have a folder and should run. */
export const withFolderAmong = (
  db: Db,
  workloads: readonly string[],
): Promise<{ workload_id: string; workspace_id: string; saved_run: Date | null }[]> =>
  db.rows(sql`
    select f.workload_id, l.workspace_id, f.saved_run from workload_folders f join workloads l on l.id = f.workload_id
    where f.workload_id = any(${workloads}) and l.wanted = 'running' and l.done = l.version`)

/**
 * Folders whose files are due, one of each account, those that waited longest first. At the end of an order two of its account are copied at
 * the same time, because one that takes long would use up the time of the others.
 */
export const dueFolders = (db: Db, at: Date, limit: number): Promise<{ workload_id: string; user_id: number }[]> =>
  db.rows(sql`
    select workload_id, user_id from (
      select distinct on (w.user_id) f.workload_id, w.user_id, f.due_at
      from workload_folders f join workloads l on l.id = f.workload_id join workspaces w on w.id = l.workspace_id
      where f.due_at <= ${at} and (f.leased_until is null or f.leased_until <= ${at}) and l.wanted <> 'removed'
        and (w.state = 'ready' or (w.state = 'suspended' and f.ends_by > ${at}))
        and case when f.ends_by is null then 1 else 2 end > (
          select count(*) from workload_folders o join workloads p on p.id = o.workload_id join workspaces s on s.id = p.workspace_id
          where s.user_id = w.user_id and o.leased_until > ${at})
      order by w.user_id, f.due_at) d
    order by due_at limit ${limit}`)

/** Undefined: somebody else copies, or there is no folder. */
export const leaseFolder = (
  db: Db,
  workload: string,
  lease: { id: string; at: Date; until: Date; filling: boolean },
): Promise<LeasedFolder | undefined> =>
  db.maybe(sql`
    update workload_folders f set lease = ${lease.id}, leased_until = ${lease.until}, filling = ${lease.filling}
    where f.workload_id = ${workload} and (f.leased_until is null or f.leased_until <= ${lease.at})
    returning ${columns}, f.base, f.copying`)

/** 0: somebody else copies, the folder was detached, or the program is not to be started any more. */
export const renewLease = (db: Db, workload: string, lease: string, until: Date): Promise<number> =>
  db.run(sql`
    update workload_folders f set leased_until = ${until}
    where f.workload_id = ${workload} and f.lease = ${lease} and (not f.filling or exists (
      select 1 from workloads l join workspaces w on w.id = l.workspace_id
      where l.id = f.workload_id and l.wanted = 'running' and w.state in ('ready', 'making')))`)

/** Ends a lease of a copy that was not needed. */
export const releaseFolder = (db: Db, workload: string, lease: string): Promise<number> =>
  db.run(sql`
    update workload_folders set lease = null, leased_until = null, filling = false
    where workload_id = ${workload} and lease = ${lease}`)

/** Stores what is going to be copied. 0: somebody else copies. */
export const recordCopying = (
  db: Db,
  workload: string,
  lease: string,
  copying: Readonly<Record<string, string>>,
): Promise<number> =>
  db.run(sql`
    update workload_folders set copying = ${JSON.stringify(copying)}::jsonb where workload_id = ${workload} and lease = ${lease}`)

export interface Copied {
  base: Readonly<Record<string, string>>
  problem: FolderProblem | ''
  note: string
  savedFiles: number
  savedBytes: number
  skipped: FolderRow['skipped']
  skippedCount: number
  /** Which requests are done. */
  saveDone?: number
  fillDone?: number
  /** When it is tried again. */
  due: Date | null
}

/** Stores the result and releases the lease. 0: somebody else copies, or the folder was detached. */
export const recordCopied = (db: Db, workload: string, lease: string, done: Copied, at: Date): Promise<number> =>
  db.run(sql`
    update workload_folders set lease = null, leased_until = null, filling = false, base = ${JSON.stringify(done.base)}::jsonb,
      copying = case when ${done.fillDone ?? null}::int is null then copying else '{}'::jsonb end,
      fill_done = coalesce(${done.fillDone ?? null}, fill_done), save_done = coalesce(${done.saveDone ?? null}, save_done),
      filled_at = case when ${done.fillDone ?? null}::int is null then filled_at else ${at}::timestamptz end,
      saved_at = case when ${done.saveDone ?? null}::int is null then saved_at else ${at}::timestamptz end,
      saved_files = saved_files + ${done.savedFiles}, saved_bytes = saved_bytes + ${done.savedBytes}, problem = ${done.problem},
      note = ${done.note}, skipped = ${JSON.stringify(done.skipped)}::jsonb, skipped_count = ${done.skippedCount},
      tries = case ${done.problem}::text when '' then 0 else tries + 1 end,
      -- Asked again meanwhile: at once.
      due_at = case when ${done.saveDone ?? null}::int < save_asked then ${at}::timestamptz else ${done.due}::timestamptz end
    where workload_id = ${workload} and lease = ${lease}`)

/** Releases the lease after a failure, and stores why. */
export const recordFailed = (
  db: Db,
  workload: string,
  lease: string,
  failed: { problem: FolderProblem; note: string; due: Date | null },
): Promise<number> =>
  db.run(sql`
    update workload_folders set lease = null, leased_until = null, filling = false, problem = ${failed.problem}, note = ${failed.note},
      tries = tries + 1, due_at = ${failed.due}
    where workload_id = ${workload} and lease = ${lease}`)

/** The folders in the programs of a workspace, with the region of its cluster. */
export const foldersInWorkspace = (db: Db, workspace: string): Promise<(FolderRow & { cluster: ClusterName })[]> =>
  db.rows(sql`
    select ${columns}, w.cluster from workload_folders f join workloads l on l.id = f.workload_id join workspaces w on w.id = l.workspace_id
    where w.id = ${workspace}`)
