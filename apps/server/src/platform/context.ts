import type { Clock, Logger } from '@tidenet/daemon'
import type { PlatformConfig } from './config.ts'
import type { Pool } from './db/db.ts'
import type { Keys } from './keys.ts'

/** What a running server has. A service asks for the few of these that it uses; each domain's `context.ts` adds its own. */
export interface Context {
  config: PlatformConfig
  db: Pool
  clock: Clock
  keys: Keys
  log: Logger
  /** Where people reach the portal, without a trailing slash. */
  portalUrl(): string
}

export type { Db } from './db/db.ts'

/** The clock's time as PostgreSQL takes it. */
export const now = ({ clock }: Pick<Context, 'clock'>): Date => new Date(clock.now())
