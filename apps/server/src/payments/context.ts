import type { Context as ComputeContext } from '../compute/context.ts'
import type { Workspaces } from '../compute/index.ts'
import type { Chain } from './chain/chain.ts'
import type { PaymentsConfig } from './config.ts'

export { type Db, now } from '../platform/context.ts'

export interface Context extends ComputeContext {
  config: ComputeContext['config'] & PaymentsConfig
  /** Undefined without a configured chain, see `requireChain`. */
  chain: Chain | undefined
  workspaces: Workspaces
}
