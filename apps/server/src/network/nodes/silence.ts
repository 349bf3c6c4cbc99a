import { type Context, now } from '../context.ts'
import { markSilent } from './repository.ts'
import { timesOf } from './times.ts'

/** Marks nodes that missed their heartbeats offline. @returns those nodes */
export const findSilentNodes = (context: Pick<Context, 'db' | 'clock' | 'config'>): Promise<{ id: string }[]> =>
  markSilent(context.db, new Date(context.clock.now() - timesOf(context.config).offlineAfter), now(context))
