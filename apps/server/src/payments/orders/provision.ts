import { isProvisioning, ORDER } from '@tidenet/contract'
import { ClusterError } from '../../compute/index.ts'
import { type Context, now } from '../context.ts'
import { notifyOwner } from './notices.ts'
import { addEvent, changeOrder, lockOrder, type OrderRow } from './repository.ts'
import { CLUSTER_TIMEOUT, GRACE, HOUR } from './times.ts'

/** Steps that change workspaces on clusters. Each can run twice. */

export const workspaceOf = (order: OrderRow) => ({
  workspaceId: order.workspace_id,
  userId: order.user_id,
  cluster: order.cluster,
  cpu: order.cpu,
  ram: order.ram,
  storage: order.storage,
  gpus: order.gpus,
})

/** Creates, resizes or restores the workspace; then the order runs. @throws ClusterError */
export async function provision(context: Context, leased: OrderRow): Promise<void> {
  const order = await takeOverWorkspace(context, leased)
  const { create, resize, restore } = context.workspaces
  if (order.workspace === 'active') await resize(context, workspaceOf(order))
  else if (order.workspace === 'suspended')
    await restore(context, workspaceOf(order)).catch((error: unknown) => {
      if (!(error instanceof ClusterError) || error.failure !== 'unknown') throw error
      return create(context, workspaceOf(order))
    })
  else await create(context, workspaceOf(order))

  await context.db.transaction(async (tx) => {
    const own = await lockOrder(tx, order.id)
    if (!own) return
    const at = now(context)
    const starts = isProvisioning(own.status)
    await changeOrder(
      tx,
      own.id,
      {
        workspace: 'active',
        ...(starts && {
          status: ORDER.running,
          started_at: at,
          expired_at: new Date(at.getTime() + own.duration * HOUR),
        }),
        tries: 0,
        due_at: at,
      },
      at,
    )
    if (!starts) return
    await addEvent(tx, { id: own.id, event: own.replaces === '' ? 'running' : 'upgraded', at })
  })
}

/** An order that replaces an expired one takes over its workspace while it is suspended. */
async function takeOverWorkspace(context: Context, order: OrderRow): Promise<OrderRow> {
  if (order.restores === '' || order.workspace !== 'none') return order
  return context.db.transaction(async (tx) => {
    const old = await lockOrder(tx, order.restores)
    if (old?.workspace !== 'suspended' || old.cluster !== order.cluster || old.user_id !== order.user_id) return order
    await changeOrder(tx, old.id, { workspace: 'transferred', kept_until: null })
    await changeOrder(tx, order.id, { workspace: 'suspended', workspace_id: old.workspace_id })
    return { ...order, workspace: 'suspended', workspace_id: old.workspace_id }
  })
}

/** Whether an order can wait longer for a cluster that is unavailable, rather than failing. */
export const canWaitForCluster = (order: Pick<OrderRow, 'updated_at'>, error: unknown, at: number): boolean =>
  // A paid order was last updated when its payment was confirmed.
  error instanceof ClusterError && error.failure === 'absent' && at < order.updated_at.getTime() + CLUSTER_TIMEOUT

/** The cluster failed too often: refund everything. */
export async function refundUnprovisioned(context: Context, order: OrderRow): Promise<void> {
  await context.db.transaction(async (tx) => {
    const own = await lockOrder(tx, order.id)
    if (!own || !isProvisioning(own.status)) return
    const at = now(context)
    await changeOrder(
      tx,
      own.id,
      {
        status: ORDER.allocationFailed,
        ending: 'failed',
        // Part of the workspace may have been created or restored.
        ...((own.workspace === 'none' || own.workspace === 'suspended') && { workspace: 'active' }),
        tries: 0,
        due_at: at,
        kept_until: new Date(at.getTime() + GRACE),
      },
      at,
    )
    await addEvent(tx, { id: own.id, event: 'allocationFailed', at })
    await notifyOwner(context, tx, own, 'failed')
  })
}

/** Adds the first of several failures in a row to the timeline. */
export async function recordFailure(context: Context, order: OrderRow, error: unknown): Promise<void> {
  if (order.tries > 0) return
  const fact = error instanceof ClusterError ? error.failure : 'failed'
  await addEvent(context.db, { id: order.id, event: 'allocationFailed', at: now(context), fact })
}

/** Stops the workspace and keeps its data. */
export async function suspend(context: Context, order: OrderRow): Promise<void> {
  const until = order.kept_until ?? new Date(now(context).getTime() + GRACE)
  await context.workspaces.suspend(context, order.workspace_id, { until, order: order.id })
  await recordWorkspace(context, order, 'suspended')
}

/** Deletes the workspace and its data. */
export async function remove(context: Context, order: OrderRow): Promise<void> {
  await context.workspaces.remove(context, order.workspace_id)
  await recordWorkspace(context, order, 'removed')
}

async function recordWorkspace(context: Context, order: OrderRow, state: 'suspended' | 'removed'): Promise<void> {
  await context.db.transaction(async (tx) => {
    const own = await lockOrder(tx, order.id)
    // Another order may have taken it over in the meantime.
    if (!own || own.workspace === 'transferred') return
    const at = now(context)
    const wasKept = state === 'removed' && own.workspace === 'suspended'
    const kept_until = own.kept_until ?? new Date(at.getTime() + GRACE)
    await changeOrder(tx, own.id, {
      workspace: state,
      ...(state === 'suspended' && { kept_until }),
      tries: 0,
      due_at: at,
    })
    await addEvent(tx, { id: own.id, event: state === 'suspended' ? 'workspaceKept' : 'workspaceRemoved', at })
    if (wasKept) await notifyOwner(context, tx, own, 'deleted', { about: kept_until.toISOString() })
  })
}
