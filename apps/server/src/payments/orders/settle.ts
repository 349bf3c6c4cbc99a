import { ChainPending, found, problemOfResult } from '@tidenet/chain-client'
import { ORDER } from '@tidenet/contract'
import type { Chain } from '../chain/chain.ts'
import { type Context, now } from '../context.ts'
import { contractLots, type Lot, lotsOf, mergeLotsAs, refundOf, startOf, sumOf, usedHours } from './lots.ts'
import { formatUnits } from './money.ts'
import { notifyOwner } from './notices.ts'
import { findEnding, hasEnded, type OnChain, readOrders } from './on-chain.ts'
import { issueRefundReceipt } from './order-receipts.ts'
import { confirmedPayments } from './payments-repository.ts'
import { addEvent, changeOrder, lockOrder, type OrderRow } from './repository.ts'
import { resolveSuccessor } from './unknown-orders.ts'

/** Releases the money of an order: used hours to the network, the rest to the payer. */

/** The step is retried later if its block takes longer. */
const BLOCK_TIMEOUT_MS = 15_000

/**
 * Ends the order on the chain, once: the hash is stored before the transaction is sent, and the contract is queried before another is
 * signed.
 * @returns whether the money is settled; false if it is too early, see `canRelease`
 */
export async function release(context: Context, chain: Chain, order: OrderRow): Promise<boolean> {
  const { height, time, found: orders } = await readOrders(chain, [order])
  const onChain = orders.get(order.id)
  if (!onChain) throw new Error(`order ${order.id} is not on the chain`)
  if (hasEnded(onChain)) return settle(context, chain, order, onChain)
  if (order.release_hash !== '' && (await isPending(chain, order, height))) throw new ChainPending(order.release_hash)
  const whole = order.ending === 'failed' || order.ending === 'rejected'
  if (!whole && !canRelease(lotsOf(await confirmedPayments(context.db, order.id)), onChain, time)) return false
  if (!chain.operator) throw new Error('this server has no operator key to end orders')
  const msg = { release_order: { order_id: order.id, payer: onChain.initiator, ...(whole && { whole: true }) } }
  const { hash } = await chain.operator.submit([{ execute: { contract: chain.orders, msg } }], {
    onSigned: async (signed) => {
      await changeOrder(context.db, order.id, { release_hash: signed.hash, release_height: signed.lastHeight })
    },
  })
  const tx = await found(chain.port, hash, BLOCK_TIMEOUT_MS)
  const after = (await readOrders(chain, [order])).found.get(order.id)
  if (!after || !hasEnded(after))
    throw new Error(`the chain did not end order ${order.id}: ${problemOfResult(tx)} ${tx.log}`)
  return settle(context, chain, { ...order, release_hash: hash }, after)
}

/** Whether the last signed transaction may still be included in a block. */
async function isPending(chain: Chain, order: OrderRow, height: number): Promise<boolean> {
  const tx = await chain.port.tx(order.release_hash)
  return tx === undefined && height <= (order.release_height ?? 0)
}

/**
 * The contract refunds by the hours that it has. If someone extended the order there without a matching payment, that could be more than is
 * due: then the order is released later, when it no longer is. Amounts paid beyond the price belong to the payer.
 */
export function canRelease(lots: readonly Lot[], onChain: OnChain, time: Date): boolean {
  const used = usedHours(startOf(onChain), time)
  const [locked, paid] = [BigInt(onChain.locked), sumOf(lots)]
  const surplus = locked > paid ? locked - paid : 0n
  const contract = contractLots(onChain)
  return refundOf(contract, used) <= refundOf(mergeLotsAs(lots, contract), used) + surplus
}

/** Stores the result of the release. */
async function settle(context: Context, chain: Chain, order: OrderRow, onChain: OnChain): Promise<true> {
  const { hash, units, isFound } = await findEnding(chain, order, onChain)
  const decimals = await chain.tokenDecimals()
  const coins = formatUnits(units, decimals)
  await context.db.transaction(async (tx) => {
    const own = await lockOrder(tx, order.id)
    if (own?.money !== 'held') return
    const at = now(context)
    const change = { money: 'settled', release_hash: hash, refund: String(units), tries: 0, due_at: at } as const
    if (own.ending === 'failed' || own.ending === 'rejected' || own.ending === 'unrequested') {
      await changeOrder(tx, own.id, { ...change, status: ORDER.refunded }, at)
      await addEvent(tx, { id: own.id, event: 'refunded', at, hash, fact: coins })
      await notifyOwner(context, tx, own, 'refunded', { fact: coins })
    } else if (own.ending === 'terminated') {
      await changeOrder(tx, own.id, { ...change, status: ORDER.terminated }, at)
      await addEvent(tx, { id: own.id, event: 'terminated', at, hash, fact: coins })
    } else await changeOrder(tx, own.id, change)
    await issueRefundReceipt(
      tx,
      own,
      { hash: isFound ? hash : '', wallet: onChain.initiator, units: String(units), decimals },
      at,
    )
    if (onChain.replaced_by !== undefined) await resolveSuccessor(tx, own, onChain.replaced_by, at)
  })
  return true
}
