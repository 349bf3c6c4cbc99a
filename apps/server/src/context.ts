import type { Clock, Logger } from '@tidenet/daemon'
import type { Clusters } from './compute/clusters/clusters.ts'
import type { Config } from './config.ts'
import type { Chain } from './payments/chain/chain.ts'
import type { Db, Pool } from './platform/db/db.ts'
import type { Keys } from './platform/keys.ts'

/** What a running server has. A service asks for the few of these that it uses. */
export interface Context {
  config: Config
  db: Pool
  clock: Clock
  keys: Keys
  log: Logger
  /** Undefined where the operator has none; `demandChain` says so to whoever asks. */
  chain: Chain | undefined
  /** What runs people's containers; none where the operator has none. */
  clusters: Clusters
  /** Where people reach the portal, without a trailing slash. */
  portalUrl(): string
}

export type { Db }

/** The clock's time as PostgreSQL takes it. */
export const now = ({ clock }: Pick<Context, 'clock'>): Date => new Date(clock.now())
