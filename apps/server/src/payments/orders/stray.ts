import { ORDER } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { addEvent, changeOrder, insertOrder, lockOrder, type OrderRow } from './repository.ts'

/**
 * The contract says that another order took the place of this one. One of ours takes it over by itself as soon as it is looked at; one that
 * nobody ever ordered here is taken in, so that its money is settled.
 */
export async function meetSuccessor(tx: Db, order: OrderRow, id: string, at: Date): Promise<'ours' | 'stray'> {
  // A contract that takes any text as a name may say what a database does not even hold: nothing here can be owed to it.
  if (!/^[\w.-]{1,64}$/.test(id)) return 'stray'
  const next = await lockOrder(tx, id)
  if (!next) {
    await adoptStray(tx, order, id, at)
    return 'stray'
  }
  if (next.money !== 'none') return 'stray'
  // Also one of any other of our orders, which may have been given up long ago: there is money for it now.
  await changeOrder(tx, id, { due_at: at })
  return next.replaces === order.id ? 'ours' : 'stray'
}

/**
 * Money lies in the contract under a name that we never gave: it becomes an order of which the unused hours are paid back. It took the
 * place of one that may have run on until this was noticed, so that those that were begun are settled as everywhere.
 */
async function adoptStray(tx: Db, order: OrderRow, id: string, at: Date): Promise<void> {
  await insertOrder(tx, {
    id,
    userId: order.user_id,
    payer: order.payer,
    lang: order.lang,
    cluster: order.cluster,
    cpu: order.cpu,
    ram: order.ram,
    storage: order.storage,
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
  await changeOrder(tx, id, { money: 'held', ending: 'unasked' })
  await addEvent(tx, { id, event: 'paymentMismatch', at, fact: 'order' })
}
