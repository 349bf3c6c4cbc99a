import { DELETED_CIDS_MAX } from '@tidenet/contract'
import { emitEvent } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Entry } from './repository.ts'

/** Records that assets were moved to the trash, or deleted for good. */
export async function emitDeleted(
  tx: Db,
  userId: number,
  entries: readonly Entry[],
  { trashed, at }: { trashed: boolean; at: Date },
): Promise<void> {
  for (let from = 0; from < entries.length; from += DELETED_CIDS_MAX) {
    const part = entries.slice(from, from + DELETED_CIDS_MAX)
    const data = { cids: part.map(({ cid }) => cid), asset_ids: part.map(({ id }) => id), trashed }
    // Without a receiver, a large folder costs one statement.
    if ((await emitEvent(tx, userId, 'asset.deleted', data, at)) === 0) return
  }
}
