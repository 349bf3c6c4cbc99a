import { type Context, now } from '../context.ts'
import type { Sql } from '../db/sql.ts'
import type { Task } from './tasks.ts'

/** Rows per statement, so that locks are short. */
export const EXPIRED_BATCH = 5000

type Features = readonly { readonly expired?: (at: Date) => readonly Sql[] }[]

/** Deletes expired rows of all features. Safe to run concurrently. */
export async function deleteExpired(context: Pick<Context, 'db' | 'clock'>, features: Features): Promise<void> {
  const at = now(context)
  for (const { expired } of features)
    for (const statement of expired?.(at) ?? []) while ((await context.db.run(statement)) === EXPIRED_BATCH);
}

export const expiryTask = (features: Features): Task<Pick<Context, 'db' | 'clock'>> => ({
  name: 'expired',
  every: { usual: 10 * 60_000, quick: 10_000 },
  run: (context) => deleteExpired(context, features),
})
