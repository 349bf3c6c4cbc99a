import type { Clock, Logger } from '@tidenet/daemon'
import type { PlatformConfig } from './config.ts'
import type { Pool } from './db/db.ts'
import type { Keys } from './keys.ts'

/** What a running server provides. A service takes the parts that it uses. Each domain's `context.ts` adds its own. */
export interface Context {
  config: PlatformConfig
  db: Pool
  clock: Clock
  /** Time of the database, unix ms: the clock of a server can be wrong. */
  databaseTime(): Promise<number>
  keys: Keys
  log: Logger
  /** The portal's public URL, without a trailing slash. */
  portalUrl(): string
}

export type { Db } from './db/db.ts'

export const now = ({ clock }: Pick<Context, 'clock'>): Date => new Date(clock.now())
