import { ORDER } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { addEvent, changeOrder, insertOrder, lockOrder, type OrderRow } from './repository.ts'

/**
 * The contract replaced this order by another one. If that is our upgrade, its own steps take over; if we do not know it, we create an
 * order for it, so that its money is settled.
 * @returns whether it is an upgrade of this order
 */
export async function resolveSuccessor(tx: Db, order: OrderRow, id: string, at: Date): Promise<boolean> {
  // The contract accepts any text as an ID. We created no order with such an ID, and PostgreSQL may not even store it.
  if (!/^[\w.-]{1,64}$/.test(id)) return false
  const next = await lockOrder(tx, id)
  if (!next) {
    await adoptUnknownOrder(tx, order, id, at)
    return false
  }
  // Another account's order; what this payer has bought with its id is a stray, which is released when that order is next looked at.
  if (next.payer !== order.payer) {
    await changeOrder(tx, id, { due_at: at })
    return false
  }
  if (next.money !== 'none') return false
  // Even an upgrade of another order, or one withdrawn long ago, has money now.
  await changeOrder(tx, id, { due_at: at })
  return next.replaces === order.id
}

/**
 * The contract holds money for an order ID that we never issued: create an order whose unused hours are refunded. The order that it
 * replaced may have run until now, so started hours are charged as usual.
 */
async function adoptUnknownOrder(tx: Db, order: OrderRow, id: string, at: Date): Promise<void> {
  await insertOrder(tx, {
    id,
    userId: order.user_id,
    payer: order.payer,
    lang: order.lang,
    cluster: order.cluster,
    cpu: order.cpu,
    ram: order.ram,
    storage: order.storage,
    gpus: order.gpus,
    duration: order.duration,
    price: 0,
    status: ORDER.refunded,
    workspaceId: id,
    replaces: '',
    restores: '',
    at,
    payUntil: null,
    expiredAt: at,
    dueAt: at,
  })
  await changeOrder(tx, id, { money: 'held', ending: 'unrequested' })
  await addEvent(tx, { id, event: 'paymentMismatch', at, fact: 'order' })
}
