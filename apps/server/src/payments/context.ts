import type { Context as ComputeContext } from '../compute/context.ts'
import type { Workspaces } from '../compute/index.ts'
import type { Chain } from './chain/chain.ts'
import type { PaymentsConfig } from './config.ts'

export { type Db, now } from '../platform/context.ts'

export interface Context extends ComputeContext {
  config: ComputeContext['config'] & PaymentsConfig
  /** Undefined where the operator has none; `demandChain` says so to whoever asks. */
  chain: Chain | undefined
  /** Makes what is ordered. */
  workspaces: Workspaces
}
