import { type ChainTransaction, problemOfResult, type Verdict } from '@tidenet/chain-client'
import { ORDER } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import type { Chain } from '../chain/chain.ts'
import { type Context, now } from '../context.ts'
import { BLOCKS_AN_HOUR } from './lots.ts'
import { costOfRenewal, LONGEST } from './money.ts'
import { tellOwner } from './notices.ts'
import { attributesOf, endOf, judge, judgeOwn, makingOf, type OnChain, transactionsOf } from './on-chain.ts'
import { messageOf } from './payments.ts'
import { changePayment, confirmPayment, insertPayment, type PaymentRow, paymentsOf } from './payments-repository.ts'
import { factorOf } from './price.ts'
import { addEvent, changeOrder, lockOrder, type OrderRow } from './repository.ts'
import { meetSuccessor } from './stray.ts'
import { GRACE, HOUR } from './times.ts'

/** Payments as the chain shows them, taken over into the order in one transaction each. */

/** What a node's index does not show yet, though the contract knows of it. */
export class NotIndexed extends Error {}

/** The payment that makes the order: the one asked for when it was made. */
const askedFor = (payments: readonly PaymentRow[]): PaymentRow | undefined =>
  payments.find(({ kind }) => kind === 'create' || kind === 'upgrade')

/**
 * The chain shows an order of which no payment is known: whoever paid it, and how much, is looked up. A right payment goes on to the
 * workspace; anything else goes back.
 */
export async function takePayment(context: Context, chain: Chain, order: OrderRow, onChain: OnChain): Promise<void> {
  const asked = askedFor(await paymentsOf(context.db, order.id))
  if (!asked) throw new Error(`order ${order.id} was never asked to be paid`)
  const made = await makingOf(chain, order.id)
  if (!made) throw new NotIndexed(`the transaction of order ${order.id} is not indexed yet`)
  const { tx, replaced } = made
  const verdict: Verdict = judge(chain, tx, asked)
  const right = verdict.state === 'paid' && onChain.initiator === asked.payer
  const reason = verdict.state === 'paid' ? 'payer' : verdict.reason

  await context.db.transaction(async (db) => {
    const [old, own] = await lockBoth(db, order)
    if (own?.money !== 'none') return
    const at = now(context)
    const start = { pay_hash: tx.hash, start_height: onChain.start_height, pay_until: null, tries: 0, due_at: at }
    if (right && (await confirmPayment(db, asked.id, tx.hash, at)) === 1) {
      await addEvent(db, { id: own.id, event: 'paid', at, hash: tx.hash })
      if (own.cancelled && own.replaces === '') {
        // Its owner had given it up before it was paid.
        await changeOrder(db, own.id, { ...start, money: 'held', ending: 'returned' }, at)
        await addEvent(db, { id: own.id, event: 'paymentMismatch', at, hash: tx.hash, fact: 'late' })
      } else
        await changeOrder(
          db,
          own.id,
          { ...start, money: 'held', status: own.replaces === '' ? ORDER.paid : ORDER.upgradePending },
          at,
        )
    } else {
      await changePayment(db, asked.id, { state: 'mismatch', hash: tx.hash, problem: reason })
      await addEvent(db, { id: own.id, event: 'paymentMismatch', at, hash: tx.hash, fact: reason })
      // One that took the place of another may have been used in it: its hours count. Of any other nothing was delivered.
      const ending = replaced ? 'unasked' : 'returned'
      await changeOrder(db, own.id, { ...start, money: 'held', status: ORDER.refunded, ending }, at)
    }
    // Somebody else may have used the name of an upgrade for something of his own: the old order goes on then.
    if (old && replaced?.id === old.id) await replace(db, old, own, { at, right, refund: replaced.refund })
    else if (old) await goOn(db, old, own, at)
  })
}

/** An order and the one in whose place it comes, the older first. */
async function lockBoth(tx: Db, order: OrderRow): Promise<[old: OrderRow | undefined, own: OrderRow | undefined]> {
  const old = order.replaces === '' ? undefined : await lockOrder(tx, order.replaces)
  return [old, await lockOrder(tx, order.id)]
}

/** The chain has ended the old order in favour of the new one, which takes the workspace over when it was paid as asked for. */
async function replace(
  tx: Db,
  old: OrderRow,
  own: OrderRow,
  { at, right, refund }: { at: Date; right: boolean; refund: string },
): Promise<void> {
  const takes = right && (old.workspace === 'there' || old.workspace === 'kept')
  const ended = old.status === ORDER.terminated || old.ending === 'terminated'
  await changeOrder(
    tx,
    old.id,
    {
      money: 'settled',
      replaced_by: own.id,
      refund,
      ...(ended ? {} : { status: ORDER.expired, ending: 'expired', kept_until: new Date(at.getTime() + GRACE) }),
      ...(takes && { workspace: 'moved', kept_until: null }),
      pay_until: null,
      due_at: at,
    },
    at,
  )
  await addEvent(tx, { id: old.id, event: 'replaced', at })
  if (!takes) return void (await changeOrder(tx, own.id, { workspace_id: own.id }))
  // What was agreed for the workspace goes on with it, within the same cap.
  const { workspace, workspace_id, auto_renew, auto_cap, auto_spent } = old
  await changeOrder(tx, own.id, { workspace, workspace_id, auto_renew, auto_cap, auto_spent })
  if (auto_renew) await changeOrder(tx, old.id, { auto_renew: false })
}

/** The old order was left alone by what took the name of its upgrade. */
async function goOn(tx: Db, old: OrderRow, own: OrderRow, at: Date): Promise<void> {
  if (old.status === ORDER.replacing) await changeOrder(tx, old.id, { status: ORDER.running, due_at: at }, at)
  await changeOrder(tx, own.id, { workspace_id: own.id })
}

/** A posted hash of which the chain shows no order: refused, for something else, or in no block yet. */
export async function checkHash(context: Context, chain: Chain, order: OrderRow): Promise<void> {
  for (const asked of await paymentsOf(context.db, order.id)) {
    if (asked.state !== 'submitted' || asked.auto) continue
    const tx = await chain.port.tx(asked.hash)
    if (!tx) continue
    const verdict = judge(chain, tx, asked)
    // Of a payment that counts the contract will show the order in a moment.
    if (verdict.state === 'paid') continue
    const problem = verdict.state === 'failed' ? problemOfResult({ ...verdict, log: verdict.reason }) : verdict.reason
    await context.db.transaction(async (db) => {
      const own = await lockOrder(db, order.id)
      if (!own) return
      const at = now(context)
      // A hint that was of no use: whoever gave it may give another one.
      await changePayment(db, asked.id, { state: 'failed', problem })
      await addEvent(db, { id: own.id, event: 'paymentFailed', at, hash: asked.hash, fact: problem })
      if (own.status === ORDER.renewalPending && asked.kind === 'renewal') {
        await changeOrder(db, own.id, { status: ORDER.running, pay_until: null, due_at: at }, at)
        await addEvent(db, { id: own.id, event: 'renewalWithdrawn', at })
      }
    })
  }
}

/** The chain shows more hours than are known of: each extension counts that was paid as it costs, in the order of its block. */
export async function takeExtension(context: Context, chain: Chain, order: OrderRow): Promise<'taken' | 'nothing'> {
  const known = await paymentsOf(context.db, order.id)
  const confirmed = new Set(known.filter(({ state }) => state === 'confirmed').map(({ hash }) => hash))
  const extensionIn = (tx: ChainTransaction) => attributesOf(tx, chain.orders, 'extend_order', ['order_id', order.id])
  const txs = (await transactionsOf(chain, order.id, 'order_id'))
    .filter((tx) => !confirmed.has(tx.hash) && extensionIn(tx))
    .sort((a, b) => a.height - b.height)
  let taken = false
  for (const tx of txs) {
    const blocks = Number(extensionIn(tx)?.get('duration'))
    const hours = blocks / BLOCKS_AN_HOUR
    taken =
      (await context.db.transaction(async (db) => {
        const own = await lockOrder(db, order.id)
        if (own?.money !== 'held') return false
        const asked =
          known.find(({ auto, hash }) => auto && hash === tx.hash) ??
          (await extensionOf(context, db, chain, own, hours))
        const at = now(context)
        const verdict = asked && (asked.auto ? judgeOwn(chain, tx, asked) : judge(chain, tx, asked))
        if (!asked || verdict?.state !== 'paid') {
          if (asked && asked.state !== 'mismatch') {
            const problem = verdict && 'reason' in verdict ? verdict.reason : 'order'
            await changePayment(db, asked.id, { state: 'mismatch', hash: tx.hash, problem })
            await addEvent(db, { id: own.id, event: 'paymentMismatch', at, hash: tx.hash, fact: problem })
          }
          return false
        }
        if ((await confirmPayment(db, asked.id, tx.hash, at)) === 0) return false
        await extend(db, own, asked, tx.hash, at)
        if (asked.auto) {
          await changeOrder(db, own.id, { auto_spent: own.auto_spent + asked.cost })
          await tellOwner(context, db, own, 'renewed', { fact: String(asked.duration), about: String(asked.duration) })
        }
        return true
      })) || taken
  }
  return taken ? 'taken' : 'nothing'
}

/** What was asked for this extension; one that was never asked for is priced as if it had been. */
async function extensionOf(
  context: Context,
  tx: Db,
  chain: Chain,
  order: OrderRow,
  hours: number,
): Promise<PaymentRow | undefined> {
  if (!Number.isInteger(hours) || hours <= order.duration || hours > LONGEST) return undefined
  const asked = (await paymentsOf(tx, order.id)).find(
    ({ kind, duration, state, auto }) => kind === 'renewal' && duration === hours && state !== 'confirmed' && !auto,
  )
  if (asked) return asked
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

/** The order lasts longer. One that was renewed in its last moment runs again. */
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
      ...(order.status === ORDER.expired && { ending: null, kept_until: null }),
      tries: 0,
      due_at: at,
    },
    at,
  )
  await addEvent(tx, { id: order.id, event: 'renewed', at, hash, fact: String(paid.duration) })
}

/** The contract has ended the order without being asked by us: the operator by hand, or a message that the portal has not made. */
export async function endedElsewhere(context: Context, chain: Chain, order: OrderRow, onChain: OnChain): Promise<void> {
  const [release_hash, refund] = await endOf(chain, order, onChain)
  await context.db.transaction(async (db) => {
    const own = await lockOrder(db, order.id)
    if (own?.money !== 'held') return
    const at = now(context)
    if (onChain.replaced_by !== undefined && (await meetSuccessor(db, own, onChain.replaced_by, at)) === 'ours') return
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
    await addEvent(db, { id: own.id, event: 'expired', at })
    await tellOwner(context, db, own, 'expired', {
      fact: new Date(at.getTime() + GRACE).toISOString(),
      about: own.expired_at.toISOString(),
    })
  })
}
