import { isUnpaid, ORDER } from '@tidenet/contract'
import { releaseKeySpending } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { notifyOwner } from './notices.ts'
import { changePayment, paymentsOf } from './payments-repository.ts'
import { addEvent, changeOrder, lockOrder, lockUpgrade, type OrderRow } from './repository.ts'
import { dueEndNotice, GRACE } from './times.ts'

/** Steps that only change the database. */

/** Not paid in time. If it is an upgrade, the old order continues. */
export async function withdraw(context: Context, order: OrderRow): Promise<void> {
  await context.db.transaction(async (tx) => {
    const old = order.replaces === '' ? undefined : await lockOrder(tx, order.replaces)
    const own = await lockOrder(tx, order.id)
    if (own?.money !== 'none' || !isUnpaid(own.status)) return
    const at = now(context)
    await withdrawOrder(tx, own, old, at, own.status === ORDER.upgradePending ? 'upgradeWithdrawn' : 'payTimeout')
  })
}

/** The caller has locked both orders, the old one first. */
export async function withdrawOrder(
  tx: Db,
  own: OrderRow,
  old: OrderRow | undefined,
  at: Date,
  event: 'upgradeWithdrawn' | 'payTimeout' | 'cancelled',
): Promise<void> {
  await changeOrder(
    tx,
    own.id,
    {
      status: ORDER.refunded,
      pay_until: null,
      due_at: at,
      tries: 0,
      ...(event === 'cancelled' && { cancelled: true }),
    },
    at,
  )
  await releaseKeySpending(tx, own.id)
  await addEvent(tx, { id: own.id, event, at })
  for (const each of await paymentsOf(tx, own.id))
    if (each.state === 'open' || each.state === 'submitted') await changePayment(tx, each.id, { state: 'expired' })
  if (old?.status === ORDER.replacing) await changeOrder(tx, old.id, { status: ORDER.running, due_at: at }, at)
}

export async function withdrawRenewal(context: Context, order: OrderRow): Promise<void> {
  await context.db.transaction(async (tx) => {
    const own = await lockOrder(tx, order.id)
    if (own?.status !== ORDER.renewalPending) return
    const at = now(context)
    await changeOrder(tx, own.id, { status: ORDER.running, pay_until: null, due_at: at }, at)
    await addEvent(tx, { id: own.id, event: 'renewalWithdrawn', at })
    for (const each of await paymentsOf(tx, own.id))
      if (each.kind === 'renewal' && (each.state === 'open' || each.state === 'submitted'))
        await changePayment(tx, each.id, { state: 'expired' })
  })
}

export async function notify(context: Context, order: OrderRow): Promise<void> {
  const startedAt = order.started_at?.getTime() ?? order.created_at.getTime()
  const kind = dueEndNotice(startedAt, order.expired_at.getTime(), context.clock.now())
  if (!kind) return
  const end = order.expired_at.toISOString()
  await context.db.transaction((tx) => notifyOwner(context, tx, order, kind, { fact: end, about: end }))
}

export async function notifyDeletion(context: Context, order: OrderRow): Promise<void> {
  await context.db.transaction(async (tx) => {
    const own = await lockOrder(tx, order.id)
    if (own?.workspace !== 'suspended' || !own.kept_until) return
    const kept = own.kept_until.toISOString()
    await notifyOwner(context, tx, own, 'deletedInADay', { fact: kept, about: kept })
  })
}

/** The status changes first; stopping the workspace and settling the money are later steps. */
export async function expire(context: Context, order: OrderRow): Promise<void> {
  await context.db.transaction(async (tx) => {
    const own = await lockOrder(tx, order.id)
    if (own?.money !== 'held' || own.ending !== null) return
    const at = now(context)
    const upgrade = own.status === ORDER.replacing ? await lockUpgrade(tx, own.id) : undefined
    const kept = new Date(at.getTime() + GRACE)
    await changeOrder(
      tx,
      own.id,
      {
        status: ORDER.expired,
        ending: 'expired',
        kept_until: kept,
        pay_until: null,
        tries: 0,
        due_at: at,
        // A failed restore may have started part of it.
        ...(own.workspace === 'suspended' && { workspace: 'active' }),
      },
      at,
    )
    await addEvent(tx, { id: own.id, event: 'expired', at })
    if (upgrade) await withdrawOrder(tx, upgrade, undefined, at, 'upgradeWithdrawn')
    await notifyOwner(context, tx, own, 'expired', { fact: kept.toISOString(), about: own.expired_at.toISOString() })
  })
}

/** The final status, once the money is settled. */
export async function finish(context: Context, order: OrderRow): Promise<void> {
  await context.db.transaction(async (tx) => {
    const own = await lockOrder(tx, order.id)
    if (own?.money !== 'settled') return
    const at = now(context)
    await changeOrder(
      tx,
      own.id,
      { status: own.ending === 'terminated' ? ORDER.terminated : ORDER.refunded, due_at: at },
      at,
    )
  })
}
