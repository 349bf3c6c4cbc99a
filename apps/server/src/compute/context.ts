import type { Context as StorageContext } from '../storage/context.ts'
import type { Clusters } from './clusters/clusters.ts'
import type { ComputeConfig } from './config.ts'

export { type Db, now } from '../platform/context.ts'

export interface Context extends StorageContext {
  config: StorageContext['config'] & ComputeConfig
  /** Where containers run; may be empty. */
  clusters: Clusters
}
