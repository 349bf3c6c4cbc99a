import type { ChainTransaction } from '@tidenet/chain-client'
import { ORDER } from '@tidenet/contract'
import { accountsOf } from '../../identity/index.ts'
import { issueReceipts } from '../../platform/transparency-log/issue.ts'
import type { Chain } from '../chain/chain.ts'
import { type Context, now } from '../context.ts'
import {
  addEvents,
  byAccount,
  confirmPayments,
  emitStatus,
  lockOrders,
  markPaid,
  setPaymentReceipts,
} from './batch-repository.ts'
import { initialPayment } from './confirm.ts'
import { type OnChain, verifyTransaction } from './on-chain.ts'
import { orderReceiptOf } from './order-receipts.ts'
import type { PaymentRow } from './payments-repository.ts'
import type { OrderRow } from './repository.ts'

/**
 * Confirms the payments of many new orders in one transaction: most orders of a look at the chain were paid in the same blocks. Whatever is not as usual
 * is left to `applyPayment`: an upgrade, an order that its owner cancelled, a transaction that does not match or is not indexed yet.
 */

interface Paid {
  order: OrderRow
  payment: PaymentRow
  tx: ChainTransaction
  onChain: OnChain
}

const keyOf = (payer: string, id: string) => `${payer}/${id}`

/** The transactions of these blocks that created orders, by payer and id. */
async function findCreations(chain: Chain, heights: ReadonlySet<number>): Promise<Map<string, ChainTransaction>> {
  const found = new Map<string, ChainTransaction>()
  for (const height of heights)
    for (const tx of await chain.port.search(`tx.height=${height} AND wasm.action='create_order'`)) {
      if (tx.code !== 0) continue
      for (const { type, attributes } of tx.events) {
        if (type !== 'wasm') continue
        const value = (key: string) => attributes.find((each) => each.key === key)?.value
        const [payer, id] = [value('payer') ?? value('initiator'), value('order_id')]
        if (payer === undefined || id === undefined) continue
        if (value('action') === 'create_order' && value('_contract_address') === chain.orders)
          found.set(keyOf(payer, id), tx)
      }
    }
  return found
}

/** @returns the orders that are paid now, with their new status; the others are as before */
export async function applyPayments(
  context: Context,
  chain: Chain,
  orders: readonly { order: OrderRow; payments: readonly PaymentRow[]; onChain: OnChain }[],
): Promise<OrderRow[]> {
  const usual = orders.filter(
    ({ order }) => order.status === ORDER.created && order.replaces === '' && !order.cancelled,
  )
  // A single one is found faster by its id.
  if (usual.length < 2) return []
  const creations = await findCreations(chain, new Set(usual.map(({ onChain }) => onChain.start_height)))
  const paid = new Map<string, Paid>()
  const hashes = new Set<string>()
  for (const { order, payments, onChain } of usual) {
    const payment = initialPayment(payments)
    const tx = creations.get(keyOf(order.payer, order.id))
    if (!payment || !tx || hashes.has(tx.hash) || verifyTransaction(chain, tx, payment).state !== 'paid') continue
    hashes.add(tx.hash)
    paid.set(order.id, { order, payment, tx, onChain })
  }
  return paid.size === 0 ? [] : confirm(context, paid)
}

const confirm = (context: Context, paid: ReadonlyMap<string, Paid>): Promise<OrderRow[]> =>
  context.db.transaction(async (tx) => {
    // Cancelled, or confirmed by a call, in the meantime.
    const locked = (await lockOrders(tx, [...paid.keys()])).filter(
      ({ money, status, cancelled }) => money === 'none' && status === ORDER.created && !cancelled,
    )
    const at = now(context)
    const asked = byAccount(locked).map((own) => ({ own, ...(paid.get(own.id) as Paid) }))
    const confirmed = await confirmPayments(
      tx,
      asked.map(({ payment, tx: { hash } }) => ({ id: payment.id, hash })),
      at,
    )
    const done = asked.filter(({ payment }) => confirmed.has(payment.id))
    if (done.length === 0) return []
    await addEvents(
      tx,
      done.map(({ own, tx: { hash } }) => ({ id: own.id, event: 'paid', hash })),
      at,
    )
    const accounts = await accountsOf(
      tx,
      done.map(({ own }) => own.user_id),
    )
    const stated = done.flatMap(({ own, payment, tx: { hash } }) => {
      const sub = accounts.get(own.user_id)?.uid
      return sub === undefined ? [] : [{ id: payment.id, claims: orderReceiptOf(sub, own.id, payment, hash) }]
    })
    const receipts = await issueReceipts(
      tx,
      stated.map(({ claims }) => claims),
      at,
    )
    await setPaymentReceipts(
      tx,
      stated.map(({ id }, index) => ({ id, receiptId: receipts[index] as number })),
    )
    await markPaid(
      tx,
      done.map(({ own, tx: { hash }, onChain }) => ({ id: own.id, hash, height: onChain.start_height })),
      at,
    )
    await emitStatus(
      tx,
      done.map(({ own }) => own),
      ORDER.paid,
      at,
    )
    return done.map(({ own, tx: { hash }, onChain }) => ({
      ...own,
      status: ORDER.paid,
      money: 'held',
      pay_hash: hash,
      start_height: onChain.start_height,
      pay_until: null,
      tries: 0,
      due_at: at,
      updated_at: at,
    }))
  })
