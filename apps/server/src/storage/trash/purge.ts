import { lockAccountForUpdate } from '../../identity/index.ts'
import { type Context, now } from '../context.ts'
import { findDue, holdTrash } from './repository.ts'
import { purge } from './service.ts'

const FEW = 200

/** Deletes for good all that has lain in the trash for its time. Several servers may do it at once. */
export async function purgeDue(context: Pick<Context, 'db' | 'clock'>, signal?: AbortSignal): Promise<void> {
  const at = now(context)
  while (!signal?.aborted) {
    const due = await findDue(context.db, at, FEW)
    for (const entry of due) await purgeOne(context, entry, at)
    if (due.length < FEW) return
  }
}

const purgeOne = (context: Pick<Context, 'db' | 'clock'>, { id, user_id }: { id: number; user_id: number }, at: Date) =>
  context.db.transaction(async (tx) => {
    const { uid } = await lockAccountForUpdate(tx, user_id)
    // Its owner may have taken it out meanwhile.
    const still = (await holdTrash(tx, user_id, [id])).filter((row) => row.purge_at <= at)
    await purge(
      context,
      tx,
      { userId: user_id, uid },
      still.map((row) => row.id),
    )
  })
