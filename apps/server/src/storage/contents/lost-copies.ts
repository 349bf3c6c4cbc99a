import { emitEvent, findListeners } from '../../identity/index.ts'
import { placement } from '../../network/index.ts'
import { ago } from '../../platform/ago.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Context, now } from '../context.ts'

/** Copies are marked as lost in transactions that may end later than others. */
const LAG_MS = 30_000

/**
 * Records the event `replica.lost` for accounts that receive it: one for each with all copies lost since the last run. Copies are read when
 * it runs, not where they are lost, so that an outage of a large node does not cause an event per copy. Several servers may run it.
 */
export async function reportLostCopies(context: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await context.db.transaction(async (tx) => {
    const last = await tx.maybe<{ until: Date }>(sql`select until from lost_copies_reported for update skip locked`)
    const at = now(context)
    const until = ago(at, LAG_MS)
    if (!last || last.until >= until) return
    await tx.run(sql`update lost_copies_reported set until = ${until}`)
    const listeners = await findListeners(tx, 'replica.lost')
    if (listeners.length === 0) return
    const listed = sql`select distinct user_id, cid from assets where user_id = any(${listeners}::bigint[])`
    for (const { user_id, ...lost } of await placement.findLostCopies(tx, listed, { after: last.until, until }))
      await emitEvent(tx, user_id, 'replica.lost', lost, at)
  })
}
