import type { Context as PlatformContext } from '../platform/context.ts'
import type { IdentityConfig } from './config.ts'

export { type Db, now } from '../platform/context.ts'

export interface Context extends PlatformContext {
  config: PlatformContext['config'] & IdentityConfig
}
