import { ChainPending, found, problemOfResult } from '@tidenet/chain-client'
import { ORDER } from '@tidenet/contract'
import type { Chain } from '../chain/chain.ts'
import { type Context, now } from '../context.ts'
import { asKept, keptLots, type Lot, lockedOf, lotsOf, refundOf, sumOf, usedHours } from './lots.ts'
import { coinsText } from './money.ts'
import { tellOwner } from './notices.ts'
import { endOf, type OnChain, readOrders } from './on-chain.ts'
import { boughtOf } from './payments-repository.ts'
import { addEvent, changeOrder, lockOrder, type OrderRow } from './repository.ts'
import { meetSuccessor } from './stray.ts'

/** What the contract holds goes where it belongs: the used part to the network, the rest back to who paid. */

/** How long a step waits for its block before it leaves the rest to the next look. */
const BLOCK_WAIT = 15_000

/**
 * Ends the order on the chain, once: what was signed is written down before it is sent, and the contract is asked before anything is signed
 * again.
 * @returns whether the money is settled; false: it is still too early, see `mayRelease`
 */
export async function release(context: Context, chain: Chain, order: OrderRow): Promise<boolean> {
  const { height, found: orders } = await readOrders(chain, [order.id])
  const onChain = orders.get(order.id)
  if (!onChain) throw new Error(`order ${order.id} is not on the chain`)
  if (hasEnded(onChain)) return settle(context, chain, order, onChain)
  if (order.release_hash !== '' && (await isUnderWay(chain, order, height))) throw new ChainPending(order.release_hash)
  const whole = order.ending === 'failed' || order.ending === 'returned'
  if (!whole && !mayRelease(lotsOf(await boughtOf(context.db, order.id)), onChain, height)) return false
  if (!chain.operator) throw new Error('this server has no key to end orders with')
  const msg = { release_order: { order_id: order.id, ...(whole && { whole: true }) } }
  const { hash } = await chain.operator.submit([{ execute: { contract: chain.orders, msg } }], {
    onSigned: async (signed) => {
      await changeOrder(context.db, order.id, { release_hash: signed.hash, release_height: signed.lastHeight })
    },
  })
  const tx = await found(chain.port, hash, BLOCK_WAIT)
  const after = (await readOrders(chain, [order.id])).found.get(order.id)
  if (!after || !hasEnded(after))
    throw new Error(`the chain did not end order ${order.id}: ${problemOfResult(tx)} ${tx.log}`)
  return settle(context, chain, { ...order, release_hash: hash }, after)
}

const hasEnded = (onChain: OnChain): boolean => onChain.released !== undefined || onChain.replaced_by !== undefined

/** Whether what was signed last may still come about. */
async function isUnderWay(chain: Chain, order: OrderRow, height: number): Promise<boolean> {
  const tx = await chain.port.tx(order.release_hash)
  return tx === undefined && height <= (order.release_height ?? 0)
}

/**
 * The contract gives back by the hours that it knows of. When somebody has lengthened an order there without paying as asked for, that would
 * be more than is due: it is ended later then, when it is not. What was moved beyond the price belongs to who moved it.
 */
export function mayRelease(lots: readonly Lot[], onChain: OnChain, height: number): boolean {
  const used = usedHours(onChain.start_height, height)
  const [locked, paid] = [lockedOf(onChain), sumOf(lots)]
  const surplus = locked > paid ? locked - paid : 0n
  const kept = keptLots(onChain)
  return refundOf(kept, used) <= refundOf(asKept(lots, kept), used) + surplus
}

/** Writes down where the money went. */
async function settle(context: Context, chain: Chain, order: OrderRow, onChain: OnChain): Promise<true> {
  const [hash, units] = await endOf(chain, order, onChain)
  const coins = coinsText(units, await chain.tokenDecimals())
  await context.db.transaction(async (tx) => {
    const own = await lockOrder(tx, order.id)
    if (own?.money !== 'held') return
    const at = now(context)
    const change = { money: 'settled', release_hash: hash, refund: String(units), tries: 0, due_at: at } as const
    if (own.ending === 'failed' || own.ending === 'returned' || own.ending === 'unasked') {
      await changeOrder(tx, own.id, { ...change, status: ORDER.refunded }, at)
      await addEvent(tx, { id: own.id, event: 'refunded', at, hash, fact: coins })
      await tellOwner(context, tx, own, 'refunded', { fact: coins })
    } else if (own.ending === 'terminated') {
      await changeOrder(tx, own.id, { ...change, status: ORDER.terminated }, at)
      await addEvent(tx, { id: own.id, event: 'terminated', at, hash, fact: coins })
    } else await changeOrder(tx, own.id, change)
    if (onChain.replaced_by !== undefined) await meetSuccessor(tx, own, onChain.replaced_by, at)
  })
  return true
}
