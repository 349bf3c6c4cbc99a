import { type ClusterName, ORDER, RESOURCE_BOUNDS } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { notifyOwner } from './notices.ts'
import { addEvent, changeOrder, findOrder, insertOrder } from './repository.ts'
import { GRACE } from './times.ts'

/**
 * An expired order that nobody paid for: that of a guest workspace, stopped, which the account adopted. Buying it again restores the
 * workspace with the smallest machine that is sold.
 */
export async function insertKeptOrder(
  context: Pick<Context, 'clock' | 'keys' | 'portalUrl'>,
  tx: Db,
  {
    workspaceId,
    userId,
    cluster,
    startedAt,
  }: { workspaceId: string; userId: number; cluster: ClusterName; startedAt: Date },
): Promise<void> {
  const at = now(context)
  const kept = new Date(at.getTime() + GRACE)
  const { cpu, ram, storage, duration } = RESOURCE_BOUNDS
  await insertOrder(tx, {
    id: workspaceId,
    userId,
    // No wallet paid.
    payer: '',
    lang: 'en',
    cluster,
    cpu: cpu.min,
    ram: ram.min,
    storage: storage.min,
    duration: duration.min,
    price: 0,
    status: ORDER.expired,
    workspaceId,
    replaces: '',
    restores: '',
    at: startedAt,
    payUntil: null,
    expiredAt: at,
    dueAt: at,
  })
  const ended = { workspace: 'suspended', money: 'settled', ending: 'expired' } as const
  await changeOrder(tx, workspaceId, { ...ended, started_at: startedAt, kept_until: kept }, at)
  await addEvent(tx, { id: workspaceId, event: 'running', at: startedAt })
  await addEvent(tx, { id: workspaceId, event: 'expired', at })
  await addEvent(tx, { id: workspaceId, event: 'workspaceKept', at })
  const order = await findOrder(tx, workspaceId)
  if (order) await notifyOwner(context, tx, order, 'expired', { fact: kept.toISOString(), about: at.toISOString() })
}
