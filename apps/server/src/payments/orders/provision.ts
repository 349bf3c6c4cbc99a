import { isProvisioning, ORDER } from '@tidenet/contract'
import { ClusterError } from '../../compute/index.ts'
import { type Context, now } from '../context.ts'
import { tellOwner } from './notices.ts'
import { addEvent, changeOrder, lockOrder, type OrderRow } from './repository.ts'
import { CLUSTER_AWAITED, GRACE, HOUR } from './times.ts'

/** What orders do on clusters. Every step may be carried out again. */

const workspaceOf = (order: OrderRow) => ({
  workspaceId: order.workspace_id,
  userId: order.user_id,
  cluster: order.cluster,
  cpu: order.cpu,
  ram: order.ram,
  storage: order.storage,
})

/** The workspace as the order wants it: made, enlarged, or taken up again; then the order runs. @throws ClusterError */
export async function provision(context: Context, taken: OrderRow): Promise<void> {
  const order = await inherit(context, taken)
  const { create, resize, restore } = context.workspaces
  if (order.workspace === 'there') await resize(context, workspaceOf(order))
  else if (order.workspace === 'kept')
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
        workspace: 'there',
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

/** An order that buys an expired one again takes its workspace over, as long as that is kept. */
async function inherit(context: Context, order: OrderRow): Promise<OrderRow> {
  if (order.restores === '' || order.workspace !== 'none') return order
  return context.db.transaction(async (tx) => {
    const old = await lockOrder(tx, order.restores)
    if (old?.workspace !== 'kept' || old.cluster !== order.cluster || old.user_id !== order.user_id) return order
    await changeOrder(tx, old.id, { workspace: 'moved', kept_until: null })
    await changeOrder(tx, order.id, { workspace: 'kept', workspace_id: old.workspace_id })
    return { ...order, workspace: 'kept', workspace_id: old.workspace_id }
  })
}

/** Whether an order waits for a cluster that did not answer: it has refused nothing, and comes back by itself. */
export const awaitsCluster = (order: Pick<OrderRow, 'updated_at'>, error: unknown, at: number): boolean =>
  // A paid order was last changed when its payment was taken.
  error instanceof ClusterError && error.failure === 'absent' && at < order.updated_at.getTime() + CLUSTER_AWAITED

/** A cluster failed too often: what was paid goes back. */
export async function giveUp(context: Context, order: OrderRow): Promise<void> {
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
        // Part of it may have been made, or run again.
        ...((own.workspace === 'none' || own.workspace === 'kept') && { workspace: 'there' }),
        tries: 0,
        due_at: at,
        kept_until: new Date(at.getTime() + GRACE),
      },
      at,
    )
    await addEvent(tx, { id: own.id, event: 'allocationFailed', at })
    await tellOwner(context, tx, own, 'failed')
  })
}

/** Writes down why a cluster failed, once for each reason in a row. */
export async function noteFailure(context: Context, order: OrderRow, error: unknown): Promise<void> {
  if (order.tries > 0) return
  const fact = error instanceof ClusterError ? error.failure : 'failed'
  await addEvent(context.db, { id: order.id, event: 'allocationFailed', at: now(context), fact })
}

/** Stops the workspace and keeps what it holds. */
export async function suspend(context: Context, order: OrderRow): Promise<void> {
  await context.workspaces.suspend(context, order.workspace_id)
  await leave(context, order, 'kept')
}

/** Ends the workspace with all it holds. */
export async function remove(context: Context, order: OrderRow): Promise<void> {
  await context.workspaces.remove(context, order.workspace_id)
  await leave(context, order, 'gone')
}

async function leave(context: Context, order: OrderRow, as: 'kept' | 'gone'): Promise<void> {
  await context.db.transaction(async (tx) => {
    const own = await lockOrder(tx, order.id)
    // Another order may have taken it over meanwhile.
    if (!own || own.workspace === 'moved') return
    const at = now(context)
    const kept = own.kept_until ?? new Date(at.getTime() + GRACE)
    await changeOrder(tx, own.id, { workspace: as, ...(as === 'kept' && { kept_until: kept }), tries: 0, due_at: at })
    await addEvent(tx, { id: own.id, event: as === 'kept' ? 'workspaceKept' : 'workspaceRemoved', at })
  })
}
