import type { Lang, ShownFolder } from '@tidenet/contract'
import { endProgramKey } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { noteText } from '../clusters/notes.ts'
import { deleteFolder, type FolderRow, foldersInWorkspace } from './folders-repository.ts'
import type { WorkloadRow, WorkspaceRow } from './repository.ts'

/** The path is a folder on the disk of the program, and stays one after the folder is detached. */
export const withPath = (options: WorkloadRow['options'], path: string): WorkloadRow['options'] =>
  options.paths?.includes(path) ? options : { ...options, paths: [...(options.paths ?? []), path] }

/** Deletes the row and its key. */
export async function dropFolder(
  tx: Db,
  userId: number,
  row: Pick<FolderRow, 'workload_id' | 'key_id'>,
): Promise<void> {
  await endProgramKey(tx, userId, row.key_id)
  await deleteFolder(tx, row.workload_id)
}

/** The workspace is gone: nothing more can be saved. */
export const dropFoldersOf = (db: Db, { id, user_id: userId }: Pick<WorkspaceRow, 'id' | 'user_id'>): Promise<void> =>
  db.transaction(async (tx) => {
    for (const row of await foldersInWorkspace(tx, id)) await dropFolder(tx, userId, row)
  })

/** @param at the present; @param lang of the note */
export function toWireFolder(row: FolderRow | undefined, at: Date, lang: Lang): ShownFolder | null {
  if (!row) return null
  const isCopying = row.leased_until !== null && row.leased_until > at
  const isOpen = row.save_asked > row.save_done && row.problem === ''
  return {
    id: row.folder_id,
    name: row.name,
    path: row.path,
    state: isCopying
      ? row.filling
        ? 'copying'
        : 'saving'
      : row.filled_at === null
        ? 'waiting'
        : isOpen
          ? 'saving'
          : 'ready',
    problem: row.problem,
    note: noteText(row.note, lang),
    copied_at: row.filled_at?.toISOString() ?? '',
    saved_at: row.saved_at?.toISOString() ?? '',
    saved_files: row.saved_files,
    saved_bytes: row.saved_bytes,
    skipped: row.skipped,
    skipped_count: row.skipped_count,
    detaching: row.detach_wanted,
  }
}
