import type { Context as NetworkContext } from '../network/context.ts'
import type { StorageConfig } from './config.ts'

export { type Db, now } from '../network/context.ts'

export interface Context extends NetworkContext {
  config: NetworkContext['config'] & StorageConfig
}
