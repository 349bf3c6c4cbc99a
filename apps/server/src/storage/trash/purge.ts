import { lockAccountForUpdate } from '../../identity/index.ts'
import { releaseContents } from '../contents/release.ts'
import { type Context, now } from '../context.ts'
import { deleteSomeTrashed, findDue, lockEntries } from './repository.ts'
import { purge } from './service.ts'

const BATCH = 200

/** Permanently deletes expired entries of the trash. Several servers may run it at the same time. */
export async function purgeDue(context: Pick<Context, 'db' | 'clock'>, signal?: AbortSignal): Promise<void> {
  const at = now(context)
  while (!signal?.aborted) {
    const due = await findDue(context.db, at, BATCH)
    for (const entry of due) await purgeOne(context, entry, at)
    if (due.length < BATCH) return
  }
}

const purgeOne = (context: Pick<Context, 'db' | 'clock'>, { id, user_id }: { id: number; user_id: number }, at: Date) =>
  context.db.transaction(async (tx) => {
    const { uid } = await lockAccountForUpdate(tx, user_id)
    // The owner may have restored it in the meantime.
    const expired = (await lockEntries(tx, user_id, [id])).filter((row) => row.purge_at <= at)
    await purge(
      context,
      tx,
      { userId: user_id, uid },
      expired.map((row) => row.id),
    )
  })

/** Deletes a part of an account's files in the trash. @returns whether there may be more */
export const eraseTrashed = (
  context: Pick<Context, 'db' | 'clock'>,
  { id, uid }: { id: number; uid: string },
  limit: number,
): Promise<boolean> =>
  context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, id)
    const cids = await deleteSomeTrashed(tx, id, limit)
    await releaseContents(context, tx, cids, { userId: id, uid })
    return cids.length > 0
  })
