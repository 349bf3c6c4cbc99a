import type { Context as IdentityContext } from '../identity/context.ts'
import type { NetworkConfig } from './config.ts'
import type { Demand } from './placement/demand.ts'
import type { Policy } from './policy.ts'

export { type Db, now } from '../platform/context.ts'

export interface Context extends IdentityContext {
  config: IdentityContext['config'] & NetworkConfig
  demand: Demand
  policy: Policy
}
