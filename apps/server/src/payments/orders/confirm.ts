import { BLOCKS_PER_HOUR, type ChainTransaction, problemOfResult, type Verdict } from '@tidenet/chain-client'
import { ORDER } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import type { Chain } from '../chain/chain.ts'
import { type Context, now } from '../context.ts'
import { costOfRenewal, MAX_HOURS } from './money.ts'
import { notifyOwner } from './notices.ts'
import {
  attributesOf,
  findCreation,
  findEnding,
  type OnChain,
  transactionsOf,
  verifyAutoRenewal,
  verifyTransaction,
} from './on-chain.ts'
import { issueOrderReceipt, issueRefundReceipt } from './order-receipts.ts'
import { messageOf } from './payments.ts'
import { changePayment, confirmPayment, insertPayment, type PaymentRow, paymentsOf } from './payments-repository.ts'
import { factorOf } from './price.ts'
import { addEvent, changeOrder, lockOrder, type OrderRow } from './repository.ts'
import { GRACE, HOUR } from './times.ts'
import { resolveSuccessor } from './unknown-orders.ts'

/** Applies payments found on the chain to orders, each in one database transaction. */

/** The contract has the order, but the chain node has not indexed its transaction yet. */
export class NotIndexed extends Error {}

/** The payment request of the order itself, not of a renewal. */
export const initialPayment = (payments: readonly PaymentRow[]): PaymentRow | undefined =>
  payments.find(({ kind }) => kind === 'create' || kind === 'upgrade')

/**
 * The contract has an order without a confirmed payment: find and verify the transaction. If it matches the request, provisioning starts;
 * otherwise the order is refunded.
 */
export async function applyPayment(context: Context, chain: Chain, order: OrderRow, onChain: OnChain): Promise<void> {
  const requested = initialPayment(await paymentsOf(context.db, order.id))
  if (!requested) throw new Error(`order ${order.id} has no payment request`)
  const made = await findCreation(chain, order)
  if (!made) throw new NotIndexed(`the transaction of order ${order.id} is not indexed yet`)
  const { tx, replaced } = made
  const decimals = await chain.tokenDecimals()
  const verdict: Verdict = verifyTransaction(chain, tx, requested)
  const matches = verdict.state === 'paid'
  const reason = verdict.state === 'paid' ? '' : verdict.reason

  await context.db.transaction(async (db) => {
    const [old, own] = await lockBoth(db, order)
    if (own?.money !== 'none') return
    const at = now(context)
    const start = { pay_hash: tx.hash, start_height: onChain.start_height, pay_until: null, tries: 0, due_at: at }
    if (matches && (await confirmPayment(db, requested.id, tx.hash, at)) === 1) {
      await addEvent(db, { id: own.id, event: 'paid', at, hash: tx.hash })
      await issueOrderReceipt(db, own, requested, tx.hash, at)
      if (own.cancelled && own.replaces === '') {
        // The owner cancelled it before it was paid.
        await changeOrder(db, own.id, { ...start, money: 'held', ending: 'rejected' }, at)
        await addEvent(db, { id: own.id, event: 'paymentMismatch', at, hash: tx.hash, fact: 'late' })
      } else
        await changeOrder(
          db,
          own.id,
          { ...start, money: 'held', status: own.replaces === '' ? ORDER.paid : ORDER.upgradePending },
          at,
        )
    } else {
      await changePayment(db, requested.id, { state: 'mismatch', hash: tx.hash, problem: reason })
      await addEvent(db, { id: own.id, event: 'paymentMismatch', at, hash: tx.hash, fact: reason })
      // If it replaced a running order, hours may have been used and are charged. Otherwise nothing was delivered.
      const ending = replaced ? 'unrequested' : 'rejected'
      await changeOrder(db, own.id, { ...start, money: 'held', status: ORDER.refunded, ending }, at)
    }
    // If someone else used the ID of an upgrade for another purpose, the old order continues.
    if (old && replaced?.id === old.id) {
      await applyReplacement(db, old, own, { at, matches, refund: replaced.refund })
      await issueRefundReceipt(
        db,
        old,
        { hash: tx.hash, wallet: onChain.initiator, units: replaced.refund, decimals },
        at,
      )
    } else if (old) await continueOldOrder(db, old, own, at)
  })
}

/** Locks an order and the one that it replaces, the older first. */
async function lockBoth(tx: Db, order: OrderRow): Promise<[old: OrderRow | undefined, own: OrderRow | undefined]> {
  const old = order.replaces === '' ? undefined : await lockOrder(tx, order.replaces)
  return [old, await lockOrder(tx, order.id)]
}

/** The contract replaced the old order. The new one takes over the workspace if its payment matches the request. */
async function applyReplacement(
  tx: Db,
  old: OrderRow,
  own: OrderRow,
  { at, matches, refund }: { at: Date; matches: boolean; refund: string },
): Promise<void> {
  const takesOver = matches && (old.workspace === 'active' || old.workspace === 'suspended')
  const ended = old.status === ORDER.terminated || old.ending === 'terminated'
  await changeOrder(
    tx,
    old.id,
    {
      money: 'settled',
      replaced_by: own.id,
      refund,
      ...(ended ? {} : { status: ORDER.expired, ending: 'expired', kept_until: new Date(at.getTime() + GRACE) }),
      ...(takesOver && { workspace: 'transferred', kept_until: null }),
      pay_until: null,
      due_at: at,
    },
    at,
  )
  await addEvent(tx, { id: old.id, event: 'replaced', at })
  if (!takesOver) return void (await changeOrder(tx, own.id, { workspace_id: own.id }))
  // Automatic renewal continues with the new order, within the same cap.
  const { workspace, workspace_id, auto_renew, auto_cap, auto_spent } = old
  await changeOrder(tx, own.id, { workspace, workspace_id, auto_renew, auto_cap, auto_spent })
  if (auto_renew) await changeOrder(tx, old.id, { auto_renew: false })
}

/** The transaction with the upgrade's ID did not replace the old order. */
async function continueOldOrder(tx: Db, old: OrderRow, own: OrderRow, at: Date): Promise<void> {
  if (old.status === ORDER.replacing) await changeOrder(tx, old.id, { status: ORDER.running, due_at: at }, at)
  await changeOrder(tx, own.id, { workspace_id: own.id })
}

const isPosted = ({ state, auto }: PaymentRow) => state === 'submitted' && !auto

/** Whether a block includes the transaction of a posted hash, so that `checkHash` has something to check. */
export async function hasVerdict(chain: Chain, payments: readonly PaymentRow[]): Promise<boolean> {
  for (const payment of payments)
    if (isPosted(payment) && (await chain.port.tx(payment.hash)) !== undefined) return true
  return false
}

/** A hash was posted, but the contract has no such order: the transaction failed, does not match, or is in no block yet. */
export async function checkHash(context: Context, chain: Chain, order: OrderRow): Promise<void> {
  for (const payment of await paymentsOf(context.db, order.id)) {
    if (!isPosted(payment)) continue
    const tx = await chain.port.tx(payment.hash)
    if (!tx) continue
    const verdict = verifyTransaction(chain, tx, payment)
    // The contract will have the order in a moment.
    if (verdict.state === 'paid') continue
    const problem = verdict.state === 'failed' ? problemOfResult({ ...verdict, log: verdict.reason }) : verdict.reason
    await context.db.transaction(async (db) => {
      const own = await lockOrder(db, order.id)
      if (!own) return
      const at = now(context)
      // The client can post another hash.
      await changePayment(db, payment.id, { state: 'failed', problem })
      await addEvent(db, { id: own.id, event: 'paymentFailed', at, hash: payment.hash, fact: problem })
      if (own.status === ORDER.renewalPending && payment.kind === 'renewal') {
        await changeOrder(db, own.id, { status: ORDER.running, pay_until: null, due_at: at }, at)
        await addEvent(db, { id: own.id, event: 'renewalWithdrawn', at })
      }
    })
  }
}

/** The contract has more hours than the order: apply each extension whose payment matches, in the order of blocks. @returns whether any was applied */
export async function applyExtension(context: Context, chain: Chain, order: OrderRow): Promise<boolean> {
  const known = await paymentsOf(context.db, order.id)
  const confirmed = new Set(known.filter(({ state }) => state === 'confirmed').map(({ hash }) => hash))
  const extensionIn = (tx: ChainTransaction) =>
    attributesOf(tx, chain.orders, 'extend_order', order) ?? attributesOf(tx, chain.orders, 'renew_order', order)
  const txs = (await transactionsOf(chain, order))
    .filter((tx) => !confirmed.has(tx.hash) && extensionIn(tx))
    .sort((a, b) => a.height - b.height)
  let applied = false
  for (const tx of txs) {
    const blocks = Number(extensionIn(tx)?.get('duration'))
    const hours = blocks / BLOCKS_PER_HOUR
    applied =
      (await context.db.transaction(async (db) => {
        const own = await lockOrder(db, order.id)
        if (own?.money !== 'held') return false
        const payment =
          known.find(({ auto, hash }) => auto && hash === tx.hash) ??
          (await findOrCreateRenewal(context, db, chain, own, hours))
        const at = now(context)
        const verdict =
          payment && (payment.auto ? verifyAutoRenewal(chain, tx, payment) : verifyTransaction(chain, tx, payment))
        if (!payment || verdict?.state !== 'paid') {
          if (payment && payment.state !== 'mismatch') {
            const problem = verdict && 'reason' in verdict ? verdict.reason : 'order'
            await changePayment(db, payment.id, { state: 'mismatch', hash: tx.hash, problem })
            await addEvent(db, { id: own.id, event: 'paymentMismatch', at, hash: tx.hash, fact: problem })
          }
          return false
        }
        if ((await confirmPayment(db, payment.id, tx.hash, at)) === 0) return false
        await extend(db, own, payment, tx.hash, at)
        await issueOrderReceipt(db, own, payment, tx.hash, at)
        if (payment.auto) {
          const hours = String(payment.duration)
          await changeOrder(db, own.id, { auto_spent: own.auto_spent + payment.cost })
          await notifyOwner(context, db, own, 'renewed', { fact: hours, about: hours })
        }
        return true
      })) || applied
  }
  return applied
}

/** The payment request of this extension; one that was never requested is priced as if it had been. */
async function findOrCreateRenewal(
  context: Context,
  tx: Db,
  chain: Chain,
  order: OrderRow,
  hours: number,
): Promise<PaymentRow | undefined> {
  if (!Number.isInteger(hours) || hours <= order.duration || hours > MAX_HOURS) return undefined
  const requested = (await paymentsOf(tx, order.id)).find(
    ({ kind, duration, state, auto }) => kind === 'renewal' && duration === hours && state !== 'confirmed' && !auto,
  )
  if (requested) return requested
  const cost = costOfRenewal(order, hours, factorOf(context))
  const at = now(context)
  return insertPayment(tx, {
    order_id: order.id,
    kind: 'renewal',
    payer: order.payer,
    cost,
    amount: String(await chain.units(cost)),
    duration: hours,
    message: messageOf('renewal', order, hours),
    from_height: order.start_height,
    chain_id: chain.config.id,
    created_at: at,
    expires_at: at,
  })
}

/** Extends the order; one renewed just before it expired runs again. */
export async function extend(tx: Db, order: OrderRow, paid: PaymentRow, hash: string, at: Date): Promise<void> {
  const startedAt = order.started_at ?? order.created_at
  await changeOrder(
    tx,
    order.id,
    {
      duration: paid.duration,
      price: order.price + paid.cost,
      expired_at: new Date(startedAt.getTime() + paid.duration * HOUR),
      ...((order.status === ORDER.renewalPending || order.status === ORDER.expired) && {
        status: ORDER.running,
        pay_until: null,
      }),
      auto_check_at: null,
      ...(order.status === ORDER.expired && { ending: null, kept_until: null }),
      tries: 0,
      due_at: at,
    },
    at,
  )
  await addEvent(tx, { id: order.id, event: 'renewed', at, hash, fact: String(paid.duration) })
}

/** The contract ended the order without a request of this server: by the operator's hand, or by a message that the portal did not create. */
export async function applyExternalEnd(
  context: Context,
  chain: Chain,
  order: OrderRow,
  onChain: OnChain,
): Promise<void> {
  const { hash: release_hash, units: refund, isFound } = await findEnding(chain, order, onChain)
  const decimals = await chain.tokenDecimals()
  await context.db.transaction(async (db) => {
    const own = await lockOrder(db, order.id)
    if (own?.money !== 'held') return
    const at = now(context)
    if (onChain.replaced_by !== undefined && (await resolveSuccessor(db, own, onChain.replaced_by, at))) return
    await changeOrder(
      db,
      own.id,
      {
        status: ORDER.expired,
        ending: 'expired',
        money: 'settled',
        kept_until: new Date(at.getTime() + GRACE),
        release_hash,
        refund: String(refund),
        due_at: at,
      },
      at,
    )
    await issueRefundReceipt(
      db,
      own,
      { hash: isFound ? release_hash : '', wallet: onChain.initiator, units: String(refund), decimals },
      at,
    )
    await addEvent(db, { id: own.id, event: 'expired', at })
    await notifyOwner(context, db, own, 'expired', {
      fact: new Date(at.getTime() + GRACE).toISOString(),
      about: own.expired_at.toISOString(),
    })
  })
}
