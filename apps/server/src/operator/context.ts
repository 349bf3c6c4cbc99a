import type { Context as PaymentsContext } from '../payments/context.ts'
import type { OperatorConfig } from './config.ts'

export { type Db, now } from '../platform/context.ts'

export interface Context extends PaymentsContext {
  config: PaymentsContext['config'] & OperatorConfig
}
