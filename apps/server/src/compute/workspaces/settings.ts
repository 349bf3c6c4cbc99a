import { SETTINGS_KEPT } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { insertSettings, trimSettings } from './settings-repository.ts'

/** Records the present settings of a workload as a new version. Callers hold the lock of its workspace. */
export async function recordSettings(tx: Db, id: string, at: Date, restored?: number): Promise<void> {
  await insertSettings(tx, id, at, restored)
  await trimSettings(tx, id, SETTINGS_KEPT)
}
