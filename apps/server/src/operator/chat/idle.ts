import { type Context, now } from '../context.ts'
import { customerKeyOf } from './desk-wire.ts'
import * as repository from './repository.ts'

const BATCH = 200

/** Closes conversations of visitors that nobody wrote in for a while: otherwise those that nobody reads any more hide the others. */
export async function closeIdle(context: Pick<Context, 'db' | 'clock'>, signal?: AbortSignal): Promise<void> {
  for (let closed = BATCH; closed === BATCH && !signal?.aborted; )
    closed = await context.db.transaction(async (tx) => {
      const rows = await repository.closeIdle(tx, now(context), BATCH)
      for (const row of rows) await repository.announce(tx, customerKeyOf(row), { id: row.id, first: row.last_seq })
      return rows.length
    })
}
