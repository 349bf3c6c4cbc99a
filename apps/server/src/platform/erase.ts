import type { Db } from './db/db.ts'
import type { Sql } from './db/sql.ts'
import { EXPIRED_BATCH } from './tasks/expired.ts'

/** An account whose data is deleted for good. */
export interface ErasedAccount {
  id: number
  uid: string
  /** Null: it had none. */
  email: string | null
}

/**
 * A statement that changes at most `EXPIRED_BATCH` rows and is repeated until it changes fewer; or a function that deletes a part in a short
 * transaction of its own, and is called until it returns false. Both can be repeated, or run on two servers at once.
 */
export type EraseStep<C> = Sql | ((context: C) => Promise<boolean>)

/** Runs the steps. @returns false if it was interrupted */
export async function runSteps<C extends { db: Db }>(
  context: C,
  steps: readonly EraseStep<C>[],
  signal: AbortSignal,
): Promise<boolean> {
  for (const step of steps) {
    let more = true
    while (more) {
      if (signal.aborted) return false
      more = typeof step === 'function' ? await step(context) : (await context.db.run(step)) >= EXPIRED_BATCH
    }
  }
  return true
}
