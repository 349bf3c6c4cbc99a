import type { Context as OperatorContext } from '../operator/context.ts'
import type { PortalConfig } from './config.ts'

export { type Db, now } from '../platform/context.ts'

export interface Context extends OperatorContext {
  config: OperatorContext['config'] & PortalConfig
}
