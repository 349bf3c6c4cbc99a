import * as workspaces from '../../compute/workspaces/workspaces.ts'
import type { Context } from '../../context.ts'

/** What orders ask of clusters. */
export type Workspaces = Pick<
  typeof workspaces,
  'offered' | 'hasRoom' | 'create' | 'resize' | 'suspend' | 'restore' | 'remove'
>

/** What the life of orders needs. */
export interface OrdersContext extends Context {
  /** In the place of the clusters, for tests. */
  workspaces?: Workspaces
}

export const workspacesOf = (context: OrdersContext): Workspaces => context.workspaces ?? workspaces
