import { lockAccountForUpdate } from '../../identity/index.ts'
import { type Context, now } from '../context.ts'
import { findDue, lockEntries } from './repository.ts'
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
