import { spendAnonymous } from '../contents/receipts.ts'
import { releaseContents } from '../contents/release.ts'
import { type Context, now } from '../context.ts'
import { deleteExpired } from '../temp-files/temp-files.ts'

const BATCH = 200

/** Deletes expired anonymous files and releases their contents. */
export async function expireTempFiles(context: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const at = now(context)
  await context.db.transaction(async (tx) => {
    const cids = await deleteExpired(tx, at, BATCH)
    if (cids.length === 0) return
    await spendAnonymous(tx, cids, at)
    await releaseContents(context, tx, cids)
  })
}
