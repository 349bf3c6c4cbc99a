import { AppError, type contract, type Output, type Parsed, type Setting } from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { ConsoleCaller } from '../../platform/http/callers.ts'
import type { Keys } from '../../platform/keys.ts'
import { now } from '../context.ts'
import { hasStoredImage, isStored } from './archives.ts'
import { openEnv } from './env.ts'
import { reconcileWorkloadJob } from './jobs.ts'
import { sizeOfWorkload } from './reconcile.ts'
import { editWorkload, updateWanted } from './repository.ts'
import { recordSettings } from './settings.ts'
import { findSettings, listSettings, type SettingsRow } from './settings-repository.ts'
import { toWireSize } from './wire.ts'
import {
  actorOf,
  type Deps,
  lockWorkload,
  requireFreeResources,
  requireSupervision,
  requireWorkload,
  resolveImage,
} from './workloads.ts'

/** Versions of the settings of workloads. */

/** The versions of the settings, newest first. @throws AppError workloadUnknown */
export async function settingsHistory(
  context: Deps,
  caller: ConsoleCaller,
  id: string,
): Promise<Output<typeof contract.clusters.history>> {
  const { wanted } = await requireWorkload(context.db, caller, id)
  if (wanted === 'removed') throw new AppError('workloadUnknown')
  const rows = await listSettings(context.db, id)
  const list = rows.map((row, index) => ({
    revision: row.revision,
    at: row.at.toISOString(),
    image: row.image ?? '',
    command: row.command,
    env: Object.keys(openEnv(context.keys, id, row.env)),
    ports: row.ports,
    ...toWireSize(sizeOfWorkload(row)),
    restart: row.restart,
    health: row.health,
    changed: settingsChanged(context.keys, id, row, rows[index + 1]),
    restored: row.restored,
  }))
  return { list }
}

function settingsChanged(
  keys: Pick<Keys, 'console'>,
  id: string,
  row: SettingsRow,
  before: SettingsRow | undefined,
): Setting[] {
  if (!before) return []
  const isOther = (part: (one: SettingsRow) => unknown) => JSON.stringify(part(row)) !== JSON.stringify(part(before))
  const parts: Record<Setting, (one: SettingsRow) => unknown> = {
    image: ({ image }) => image,
    command: ({ command }) => command,
    env: ({ env }) => Object.entries(openEnv(keys, id, env)).sort(),
    ports: ({ ports }) => ports,
    restart: ({ restart }) => restart,
    health: ({ health }) => health,
    size: ({ cpu, memory, storage }) => [cpu, memory, storage],
  }
  return (Object.keys(parts) as Setting[]).filter((name) => isOther(parts[name]))
}

/**
 * Restores an earlier version of the settings. The disk stays, and so does its size, because disks cannot shrink.
 * @throws AppError as the contract declares
 */
export async function rollBackWorkload(
  context: Deps,
  caller: ConsoleCaller,
  { id, revision }: Parsed<typeof contract.clusters.rollback>,
  from: { ip: string },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const { space, rows, row } = await lockWorkload(tx, caller, id)
    const old = await findSettings(tx, id, revision)
    if (!old) throw new AppError('revisionUnknown')
    // The operator may have closed its registry since.
    if (isStored(old.image) && !(await hasStoredImage({ ...context, db: tx }, caller.userId, old.image)))
      throw new AppError('archiveFile')
    if (old.image !== null && !isStored(old.image)) resolveImage(context, old.image)
    requireSupervision(context, space, old)
    const size = { cpu: old.cpu, memory: old.memory, storage: Math.max(old.storage, row.storage) }
    requireFreeResources(space, rows, { id, size: sizeOfWorkload(size) })
    const at = now(context)
    await editWorkload(tx, id, old, at)
    await updateWanted(tx, id, size, at)
    await recordSettings(tx, id, at, revision)
    await reconcileWorkloadJob.add(tx, { id })
    const detail = { workspace: space.id, revision }
    await audit(tx, context, actorOf(caller), from, { action: 'workload.rollback', subject: `workload:${id}`, detail })
  })
}
