import { accountsOf } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { issueReceipt } from '../../platform/transparency-log/issue.ts'
import type { Chain } from '../chain/chain.ts'
import { type Context, now } from '../context.ts'
import { type PayoutDeps, payOut } from '../payouts/pay.ts'
import {
  creditedOf,
  creditsOf,
  insertCredit,
  lockOrdersOfWorkspace,
  pendingCredits,
  setCreditReceipt,
} from './credits-repository.ts'
import { type Lot, lotsOf, sumOf } from './lots.ts'
import { formatUnits } from './money.ts'
import { notifyOwner } from './notices.ts'
import { confirmedPayments } from './payments-repository.ts'
import { addEvent } from './repository.ts'
import { HOUR } from './times.ts'

/** Pays back the time in which a workspace was not available (decision 48). */

/** Per transaction. */
const BATCH = 10

type Outage = Awaited<ReturnType<Context['workspaces']['takeOutages']>>[number]
type OrderOfWorkspace = Awaited<ReturnType<typeof lockOrdersOfWorkspace>>[number]

/** What a span of an order's hours cost, each at its own price, rounded down per lot. @param from ms since its start */
export function costOfSpan(lots: readonly Lot[], from: number, to: number): bigint {
  let start = 0
  let units = 0n
  for (const lot of lots) {
    const end = start + lot.hours * HOUR
    const ms = Math.min(to, end) - Math.max(from, start)
    if (ms > 0) units += (lot.units * BigInt(ms)) / BigInt(end - start)
    start = end
  }
  return units
}

/** Credits outages that are over. Taking an outage and crediting it is one transaction, so none is lost or credited twice. */
export async function creditOutages(context: Context, signal?: AbortSignal): Promise<void> {
  const { chain, db } = context
  if (!chain) return
  const decimals = await chain.tokenDecimals()
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const outages = await context.workspaces.takeOutages(context, tx, BATCH)
      for (const outage of outages) await creditOutage(context, tx, outage, decimals)
      return outages.length
    })
    if (count < BATCH || signal?.aborted) return
  }
}

async function creditOutage(context: Context, tx: Db, outage: Outage, decimals: number): Promise<void> {
  const orders = await lockOrdersOfWorkspace(tx, outage.workspace_id)
  for (const [index, order] of orders.entries()) {
    const start = order.started_at?.getTime() ?? 0
    // An upgrade follows, or an order that restored the workspace.
    const end = Math.min(order.expired_at.getTime(), orders[index + 1]?.started_at?.getTime() ?? Infinity)
    const from = Math.max(outage.from_at.getTime(), start)
    const to = Math.min(outage.to_at.getTime(), end)
    if (to > from) await creditOrder(context, tx, order, { ...outage, from, to }, decimals)
  }
}

async function creditOrder(
  context: Context,
  tx: Db,
  order: OrderOfWorkspace,
  { id: outage_id, cause, probes, from, to }: Outage & { from: number; to: number },
  decimals: number,
): Promise<void> {
  const lots = lotsOf(await confirmedPayments(tx, order.id))
  const start = order.started_at?.getTime() ?? 0
  // Never more than was paid and not refunded.
  const most = sumOf(lots) - BigInt(order.refund ?? '0') - (await creditedOf(tx, order.id))
  const cost = costOfSpan(lots, from - start, to - start)
  const units = cost < most ? cost : most
  if (units <= 0n) return
  const at = now(context)
  const span = { from_at: new Date(from), to_at: new Date(to) }
  const { id: order_id, user_id, payer: wallet } = order
  const credit = { user_id, order_id, outage_id, cause, wallet, amount: String(units), ...span }
  if ((await insertCredit(tx, credit, at)) === 0) return
  const coins = formatUnits(units, decimals)
  const times = [span.from_at.toISOString(), span.to_at.toISOString()] as const
  await addEvent(tx, { id: order_id, event: 'outage', at, fact: [...times, cause, coins].join(' ') })
  await notifyOwner(context, tx, order, 'outage', { fact: [...times, coins].join(' '), about: times[0] })
  const sub = (await accountsOf(tx, [user_id])).get(user_id)?.uid
  if (sub === undefined) return
  const seconds = (ms: number) => Math.floor(ms / 1000)
  const stated = { sub, order: order_id, cause, from: seconds(from), to: seconds(to), probes, wallet }
  const receipt = await issueReceipt(tx, { kind: 'outage', ...stated, units: String(units), decimals }, at)
  await setCreditReceipt(tx, order_id, outage_id, receipt)
}

/** One round of paying credits. @throws see `payOut` */
export async function payCredits(context: PayoutDeps, signal?: AbortSignal): Promise<void> {
  const { chain } = context
  if (!chain?.operator) return
  const decimals = await chain.tokenDecimals()
  const pending = pendingCredits(async (tx, hash, paid) => {
    const at = now(context)
    for (const { order_id: id, amount } of paid)
      await addEvent(tx, { id, event: 'credited', at, hash, fact: formatUnits(BigInt(amount), decimals) })
  })
  const messages = async ({ token }: Chain, payouts: readonly { wallet: string; amount: string }[]) =>
    payouts.map(({ wallet, amount }) => ({
      execute: { contract: token, msg: { transfer: { recipient: wallet, amount } } },
    }))
  await payOut(context, { kind: 'order_credits', pending, messages }, signal)
}

/** For the details of an order. */
export async function outagesOf(db: Db, orderId: string, decimals: number) {
  return (await creditsOf(db, orderId)).map(({ from_at, to_at, cause, amount, payment, receipt_id }) => ({
    from: from_at.toISOString(),
    to: to_at.toISOString(),
    cause,
    amount: formatUnits(BigInt(amount), decimals),
    hash: payment ?? '',
    receipt_id,
  }))
}
