import type { Context } from '../context.ts'

/** Starts the duties of the scheduler; returns how to stop them. */
export function startScheduler(_context: Context): () => Promise<void> {
  return async () => {}
}
