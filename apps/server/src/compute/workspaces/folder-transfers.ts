import { randomUUID } from 'node:crypto'
import { FOLDER_FILES_MAX, type FolderProblem } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { requireCluster } from '../clusters/clusters.ts'
import { type ClusterDriver, ClusterError } from '../clusters/driver.ts'
import { redactPaths } from '../clusters/redact-paths.ts'
import type { TransferResult, TransferTask } from '../clusters/transfer-task.ts'
import { type Context, now } from '../context.ts'
import { freePlaces, takePlace } from './copy-places.ts'
import type { DownloadDeps } from './downloads.ts'
import { openEnv } from './env.ts'
import { dropFolder } from './folder-state.ts'
import {
  askEndSaves,
  dueFolders,
  type FolderRow,
  foldersInWorkspace,
  foldersOf,
  type LeasedFolder,
  leaseFolder,
  lockFolderOf,
  recordCopied,
  recordCopying,
  recordFailed,
  releaseFolder,
  renewLease,
} from './folders-repository.ts'
import { extendLease, findWorkload, findWorkspace, type WorkloadRow, type WorkspaceRow } from './repository.ts'

/** Copies the files of folders in programs. What is to be done is in the table, so any server continues what another one began. */

export type TransferDeps = DownloadDeps & Pick<Context, 'portalUrl'>

/** Renewed while it copies; the lease of a server that was killed ends soon. */
const LEASE_MS = 2 * 60_000
const RENEW_MS = 30_000
const FIRST_RETRY_MS = 30_000
const LONGEST_RETRY_MS = 3_600_000
/** What only the owner can change. It is not tried again until somebody asks. */
const FINAL: ReadonlySet<FolderProblem> = new Set(['key', 'folder'])
/** What does not keep a program from starting that had its files before. */
const RUNS_WITHOUT: ReadonlySet<FolderProblem> = new Set([...FINAL, 'many', 'large', 'changing'])
/** What more time may change; for these, the end of an order waits this long. */
const MAY_PASS: ReadonlySet<FolderProblem | ''> = new Set(['', 'away', 'changing', 'failed'])
const END_MS = 30 * 60_000

/** Starts what is due, as far as there is room. */
export async function saveDue(context: TransferDeps, signal?: AbortSignal): Promise<void> {
  const room = freePlaces('save')
  if (room <= 0) return
  for (const { workload_id, user_id } of await dueFolders(context.db, now(context), room)) {
    const leave = takePlace('save', user_id)
    if (!leave) continue
    void saveFolder(context, workload_id, signal)
      .catch((err) => context.log.warn({ err }, 'a folder could not be saved'))
      .finally(leave)
  }
}

/**
 * Saves the files of a program's folder, and detaches it if that was asked. Nothing if there is nothing to do.
 * @returns false if somebody else copies, or there is no folder
 */
export async function saveFolder(context: TransferDeps, workload: string, signal?: AbortSignal): Promise<boolean> {
  const { db } = context
  const found = await findTarget(context, workload)
  if (!found) return false
  return withLease(context, workload, { filling: false, signal }, async (row, lease, goesOn) => {
    const result = await transfer(context, { ...found, row, lease, kind: 'save' }, goesOn)
    const isDone = result.problem === ''
    await recordCopied(
      db,
      workload,
      lease,
      { ...result, ...(isDone && { saveDone: row.save_asked }), due: dueAfter(context, row, result.problem) },
      now(context),
    )
    if (isDone && row.detach_wanted) await db.transaction((tx) => detachSaved(tx, found.space.user_id, row))
  })
}

/** Detaches a folder that was saved, unless its owner attached or changed it meanwhile. */
async function detachSaved(tx: Db, userId: number, saved: FolderRow): Promise<void> {
  const row = await lockFolderOf(tx, saved.workload_id)
  if (row?.detach_wanted && row.key_id === saved.key_id && row.save_asked === saved.save_asked)
    await dropFolder(tx, userId, row)
}

/**
 * Copies new files of its folder into a program that is about to be started, if that was asked. The lease of the program is extended
 * meanwhile.
 * @returns false if it has to wait, because others copy
 * @throws ClusterError `folder` if it cannot start without them; `failed` if a retry may help
 */
export async function fillFolder(context: TransferDeps, workload: string): Promise<boolean> {
  const found = await findTarget(context, workload)
  const [folder] = await foldersOf(context.db, [workload])
  // Crashes and new sizes need no new files, and must not wait for the portal.
  if (!found || !folder || isFilled(folder)) return true
  const leave = takePlace('fill', found.space.user_id)
  if (!leave) return false
  try {
    return await withLease(context, workload, { filling: true }, async (row, lease, goesOn) => {
      if (isFilled(row)) return void (await releaseFolder(context.db, workload, lease))
      const result = await transfer(context, { ...found, row, lease, kind: 'fill' }, goesOn)
      const { filled, problem, note } = result
      const due = dueAfter(context, row, problem)
      const isSaved = filled && problem === ''
      await recordCopied(
        context.db,
        workload,
        lease,
        { ...result, ...(filled && { fillDone: row.fill_asked }), ...(isSaved && { saveDone: row.save_asked }), due },
        now(context),
      )
      if (filled) return
      // A program that had its files before runs without the new ones, unless a part of them may be there. Only in it can its owner delete files.
      if (problem !== '' && RUNS_WITHOUT.has(problem) && row.filled_at !== null && !isPartial(row)) return
      throw new ClusterError(problem === 'away' || problem === 'failed' || problem === '' ? 'failed' : 'folder', note)
    })
  } finally {
    leave()
  }
}

/** Whether a program can be started without copying files. */
export const hasFiles = async ({ db }: Pick<TransferDeps, 'db'>, workload: string): Promise<boolean> =>
  (await foldersOf(db, [workload])).every(isFilled)

const isFilled = ({ fill_asked: asked, fill_done: done }: FolderRow): boolean => asked === done
const isPartial = ({ copying }: LeasedFolder): boolean => Object.keys(copying).length > 0

interface Target {
  workload: WorkloadRow
  space: WorkspaceRow
  driver: ClusterDriver
}

async function findTarget({ db, clusters }: TransferDeps, id: string): Promise<Target | undefined> {
  const workload = await findWorkload(db, id)
  const space = workload && (await findWorkspace(db, workload.workspace_id))
  if (!workload || !space || space.state === 'removed') return undefined
  return { workload, space, driver: requireCluster(clusters, space.cluster).driver }
}

/** @returns false if somebody else copies */
async function withLease(
  context: TransferDeps,
  workload: string,
  { filling, signal }: { filling: boolean; signal?: AbortSignal | undefined },
  work: (row: LeasedFolder, lease: string, goesOn: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const { db } = context
  const id = randomUUID()
  const until = () => new Date(context.clock.now() + LEASE_MS)
  const row = await leaseFolder(db, workload, { id, at: now(context), until: until(), filling })
  if (!row) return false
  const lost = new AbortController()
  const renew = async () => {
    if ((await renewLease(db, workload, id, until())) === 0) return lost.abort()
    if (filling) await extendLease(db, workload, until())
  }
  const renewal = setInterval(() => void renew().catch(() => {}), RENEW_MS)
  try {
    await work(row, id, signal ? AbortSignal.any([signal, lost.signal]) : lost.signal)
  } catch (error) {
    // Also after a defect: without this, it would wait for the end of the lease.
    const { message } = error as Error
    await recordFailed(db, workload, id, {
      problem: 'failed',
      note: redactPaths(message).slice(0, 500),
      due: dueAfter(context, row, 'failed'),
    })
    throw error
  } finally {
    clearInterval(renewal)
  }
  return true
}

/** When it is tried again. */
function dueAfter(context: Pick<Context, 'clock'>, { tries }: LeasedFolder, problem: FolderProblem | ''): Date | null {
  if (problem === '' || FINAL.has(problem)) return null
  return new Date(context.clock.now() + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(tries, 10)))
}

async function transfer(
  context: TransferDeps,
  {
    workload,
    space,
    driver,
    row,
    lease,
    kind,
  }: Target & { row: LeasedFolder; lease: string; kind: TransferTask['kind'] },
  signal?: AbortSignal,
): Promise<TransferResult> {
  if (!driver.transfer) throw new ClusterError('failed', 'The cluster cannot copy files.')
  return driver.transfer(
    { workspace: space.id, workload: workload.id },
    {
      kind,
      portal: context.portalUrl(),
      key: openEnv(context.keys, workload.id, row.sealed_key).key ?? '',
      folder: row.folder_id,
      path: row.path,
      base: row.base,
      copying: row.copying,
      maxBytes: workload.storage,
      maxFiles: FOLDER_FILES_MAX,
    },
    {
      signal,
      async plan(copying) {
        if ((await recordCopying(context.db, workload.id, lease, copying)) === 0)
          throw new ClusterError('failed', 'Somebody else copies the files.')
      },
    },
  )
}

/**
 * At the end of an order: stops the programs of a workspace that have folders, and has their files saved. The task does that which saves,
 * because other orders wait for this call.
 * @throws ClusterError `saving` until they are saved, as far as that is possible; the caller retries
 */
export async function requireSavedFolders(context: TransferDeps, { id, cluster }: WorkspaceRow): Promise<void> {
  const { clock, clusters, db, log } = context
  const ending = await askEndSaves(db, id, now(context), new Date(clock.now() + END_MS))
  if (ending.length > 0) {
    const { driver } = requireCluster(clusters, cluster)
    await Promise.all(
      ending.map(({ workload_id: workload }) =>
        driver.stop({ workspace: id, workload }).catch((err) => log.debug({ err }, 'not stopped')),
      ),
    )
  }
  const isSaving = ({ ends_by, save_asked, save_done, problem }: FolderRow) =>
    save_done !== save_asked && MAY_PASS.has(problem) && (ends_by?.getTime() ?? 0) > clock.now()
  if ((await foldersInWorkspace(db, id)).some(isSaving))
    throw new ClusterError('saving', 'Files of the programs are being saved.')
}
