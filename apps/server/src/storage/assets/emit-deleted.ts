import { DELETED_CIDS_MAX } from '@tidenet/contract'
import { emitEvent } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'

/** Records that assets were moved to the trash, or deleted for good. */
export async function emitDeleted(
  tx: Db,
  userId: number,
  cids: readonly string[],
  { trashed, at }: { trashed: boolean; at: Date },
): Promise<void> {
  for (let from = 0; from < cids.length; from += DELETED_CIDS_MAX) {
    const data = { cids: cids.slice(from, from + DELETED_CIDS_MAX), trashed }
    // Without a receiver, a large folder costs one statement.
    if ((await emitEvent(tx, userId, 'asset.deleted', data, at)) === 0) return
  }
}
