import { AppError, type contract, type Parsed } from '@tidenet/contract'
import { endProgramKey, folderOfProgramKey } from '../../identity/index.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import type { ConsoleCaller } from '../../platform/http/callers.ts'
import { findFolder } from '../../storage/index.ts'
import { type Context, now } from '../context.ts'
import { sealEnv } from './env.ts'
import { dropFolder, withPath } from './folder-state.ts'
import { askSave, insertFolder, lockFolderOf, replaceKey } from './folders-repository.ts'
import { reconcileWorkloadJob } from './jobs.ts'
import { editWorkload, type WorkspaceRow } from './repository.ts'
import { recordSettings } from './settings.ts'
import { actorOf, type Deps, lockWorkload } from './workloads.ts'

/** Folders of the account's storage in programs: which program has which, and with what key. `folder-transfers.ts` copies the files. */

/** Folders of the system, in which programs and the engine keep their own files. */
const SYSTEM = new Set([
  'bin',
  'boot',
  'dev',
  'etc',
  'lib',
  'lib64',
  'proc',
  'root',
  'run',
  'sbin',
  'sys',
  'usr',
  'var',
  'tmp',
])
/** Below these, anything. */
const OPEN_BELOW = new Set(['root', 'var', 'tmp', 'usr'])

/** A folder that was chosen, and is not in the program yet. */
export interface ChosenFolder {
  path: string
  key: string
  keyId: number
  folder: number
  name: string
}

/**
 * Checks an API key and a path.
 * @throws AppError folderProgramKey, keyAddress, folderUnknown, folderPath
 */
export async function chooseFolder(
  context: Deps,
  caller: ConsoleCaller,
  { key, path: given }: { key: string; path: string },
  ip: string,
): Promise<ChosenFolder> {
  const path = given.replace(/\/$/, '')
  const names = path.split('/').slice(1)
  const [top = ''] = names
  const isSystem = SYSTEM.has(top) && !(OPEN_BELOW.has(top) && names.length > 1)
  // `/data` is the disk itself, on which the program has other files.
  if (isSystem || path === '/data' || names.some((name) => name === '.' || name === '..'))
    throw new AppError('folderPath')
  const found = await folderOfProgramKey(context, caller.userId, key, ip)
  if (!found) throw new AppError('folderProgramKey')
  const folder = await findFolder(context.db, caller.userId, found.folder)
  if (!folder) throw new AppError('folderUnknown')
  return { path, key, keyId: found.id, folder: found.folder, name: folder.name }
}

/** @throws AppError folderNotOffered */
export function requireFolders(
  { clusters }: Pick<Context, 'clusters'>,
  { cluster }: Pick<WorkspaceRow, 'cluster'>,
): void {
  if (!clusters.of(cluster)?.driver.transfer) throw new AppError('folderNotOffered')
}

/** Stores a folder of a new program, before its first start. */
export const addFolder = (tx: Db, { keys }: Pick<Context, 'keys'>, id: string, chosen: ChosenFolder): Promise<number> =>
  insertFolder(tx, {
    workload_id: id,
    folder_id: chosen.folder,
    name: chosen.name,
    path: chosen.path,
    key_id: chosen.keyId,
    sealed_key: sealEnv(keys, id, { key: chosen.key }),
  })

/** @throws AppError as the contract declares */
export async function attachFolder(
  context: Deps,
  caller: ConsoleCaller,
  { id, ...input }: Parsed<typeof contract.clusters.attachFolder>,
  from: { ip: string },
): Promise<void> {
  const chosen = await chooseFolder(context, caller, input, from.ip)
  await context.db.transaction(async (tx) => {
    const { space, row } = await lockWorkload(tx, caller, id)
    if (space.offline) throw new AppError('guestLimited')
    requireFolders(context, space)
    const at = now(context)
    const present = await lockFolderOf(tx, id)
    if (present && (present.folder_id !== chosen.folder || present.path !== chosen.path))
      throw new AppError('folderAttached')
    if (present) {
      const sealed = sealEnv(context.keys, id, { key: chosen.key })
      await replaceKey(tx, { workload_id: id, key_id: chosen.keyId, sealed_key: sealed }, at)
      if (present.key_id !== chosen.keyId) await endProgramKey(tx, caller.userId, present.key_id)
    } else {
      await addFolder(tx, context, id, chosen)
      await editWorkload(tx, id, { ...row, options: withPath(row.options, chosen.path) }, at)
      await recordSettings(tx, id, at)
    }
    await reconcileWorkloadJob.add(tx, { id })
    const detail = { folder: chosen.folder, path: chosen.path }
    await audit(tx, context, actorOf(caller), from, { action: 'workload.folder', subject: `workload:${id}`, detail })
  })
}

/** @throws AppError workloadUnknown, workspaceNotReady, folderMissing */
export async function saveFolderSoon(context: Deps, caller: ConsoleCaller, id: string): Promise<void> {
  await context.db.transaction(async (tx) => {
    await lockWorkload(tx, caller, id)
    if ((await askSave(tx, id, now(context))) === 0) throw new AppError('folderMissing')
  })
}

/**
 * Takes a folder from a program and deletes its key, after its files were saved.
 * @param input.save false: at once, and unsaved files stay on the disk only
 * @throws AppError workloadUnknown, workspaceNotReady, folderMissing
 */
export async function detachFolder(
  context: Deps,
  caller: ConsoleCaller,
  { id, save }: Parsed<typeof contract.clusters.detachFolder>,
  from: { ip: string },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    await lockWorkload(tx, caller, id)
    const present = await lockFolderOf(tx, id)
    if (!present) throw new AppError('folderMissing')
    if (save) await askSave(tx, id, now(context), { detach: true })
    else await dropFolder(tx, caller.userId, present)
    const detail = { folder: present.folder_id, path: present.path, detached: true, save }
    await audit(tx, context, actorOf(caller), from, { action: 'workload.folder', subject: `workload:${id}`, detail })
  })
}
