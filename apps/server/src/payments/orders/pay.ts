import { AppError, isRenewable, isUnpaid, type Lang, ORDER, type OrderPayment } from '@tidenet/contract'
import { requireLinkedWallet } from '../../identity/index.ts'
import type { Member } from '../../platform/http/callers.ts'
import { answering, type Chain, demandChain } from '../chain/chain.ts'
import { type Context, now } from '../context.ts'
import { advanceOrder } from './advance.ts'
import { orderToAdvance } from './jobs.ts'
import { renewalOf } from './money.ts'
import { askPayment, feeOfPayment, shownPayment } from './payments.ts'
import { changePayment, isUsed, type PaymentRow, paymentsOf } from './payments-repository.ts'
import { factorOf } from './price.ts'
import { addEvent, changeOrder, findOwnOrder, type OrderRow } from './repository.ts'
import { demandCluster, demandOrder, demandRunning, lockOwn } from './service.ts'
import type { StepName } from './steps.ts'
import { PAY_TIME } from './times.ts'

/** What is asked to be paid, and what callers say that they paid. Neither is believed: the chain is. */

type Owner = Pick<Member, 'userId'>

/** Steps that only take notice of payments; everything slow is left to the duties. */
const NOTICE: ReadonlySet<StepName> = new Set<StepName>(['takePayment', 'checkHash', 'takeExtension'])

/** What the wallet is to sign for an order that waits, or for the renewal of a running one. */
export async function preparePayment(
  context: Context,
  caller: Owner,
  { id, duration }: { id: string; duration?: number | undefined },
  lang: Lang,
): Promise<OrderPayment> {
  await requireLinkedWallet(context.db, caller.userId)
  const chain = demandChain(context)
  const order = await demandOrder(context, caller, id)
  await demandCluster(context, order.cluster, undefined, lang)
  const row = isUnpaid(order.status)
    ? await making(context, caller, order)
    : await renewing(context, caller, chain, order, duration)
  const [{ symbol, decimals }, fee] = await answering(() => Promise.all([chain.tokenInfo(), feeOfPayment(chain, row)]))
  return shownPayment(row, chain, { symbol, decimals, lang, fee })
}

/** The payment that makes the order; asking puts its end off. */
async function making(context: Context, caller: Owner, { id }: OrderRow): Promise<PaymentRow> {
  return context.db.transaction(async (tx) => {
    const order = await lockOwn(tx, caller, id)
    const asked = (await paymentsOf(tx, id)).find(({ kind }) => kind !== 'renewal')
    if (!asked || !isUnpaid(order.status) || order.money !== 'none') throw new AppError('orderStatus')
    const at = now(context)
    const expiresAt = new Date(at.getTime() + PAY_TIME[order.status === ORDER.created ? 'create' : 'upgrade'])
    const state = asked.state === 'failed' ? 'open' : asked.state
    await changePayment(tx, asked.id, { state, expiresAt, ...(state === 'open' && { hash: '', problem: '' }) })
    await changeOrder(tx, id, { pay_until: expiresAt, due_at: at })
    return { ...asked, state, expires_at: expiresAt, ...(state === 'open' && { hash: '', problem: '' }) }
  })
}

/** The payment for so many hours in total; the same when it is asked for again. */
async function renewing(
  context: Context,
  caller: Owner,
  chain: Chain,
  { id, status }: OrderRow,
  duration: number | undefined,
): Promise<PaymentRow> {
  if (!isRenewable(status)) throw new AppError('orderStatus')
  // Once for a chain that is away, before a transaction is open.
  await answering(() => chain.tokenDecimals())
  return context.db.transaction(async (tx) => {
    const order = await lockOwn(tx, caller, id)
    if (order.status !== ORDER.renewalPending) demandRunning(order)
    const at = now(context)
    const expiresAt = new Date(at.getTime() + PAY_TIME.renewal)
    const known = (await paymentsOf(tx, id)).filter(({ kind, auto }) => kind === 'renewal' && !auto)
    const waiting = known.find(({ state }) => state === 'open' || state === 'submitted')
    // While one is looked for on the chain there is no other.
    if (order.status === ORDER.renewalPending && waiting && (duration === undefined || duration === waiting.duration))
      return waiting
    if (order.status === ORDER.renewalPending) throw new AppError('orderStatus')
    const next = renewalOf(order, factorOf(context), duration)
    const same = known.find(
      ({ state, duration: hours, cost }) =>
        state !== 'confirmed' && state !== 'mismatch' && hours === next.duration && cost === next.cost,
    )
    if (same) {
      await changePayment(tx, same.id, { state: 'open', hash: '', problem: '', expiresAt })
      await changeOrder(tx, id, { due_at: at })
      return { ...same, state: 'open', hash: '', problem: '', expires_at: expiresAt }
    }
    const row = await askPayment(
      tx,
      { chain, units: await chain.units(next.cost) },
      {
        kind: 'renewal',
        order,
        cost: next.cost,
        duration: next.duration,
        fromHeight: order.start_height,
        at,
        expiresAt,
      },
    )
    await changeOrder(tx, id, { due_at: at })
    return row
  })
}

/**
 * Takes a hint by which transaction an order was paid.
 * @returns whether the payment is confirmed already
 */
export async function postHash(
  context: Context,
  caller: Owner,
  { id, hash }: { id: string; hash: string },
): Promise<boolean> {
  await requireLinkedWallet(context.db, caller.userId)
  const chain = demandChain(context)
  const order = await demandOrder(context, caller, id)
  // Telling again what is known already changes nothing.
  if (order.pay_hash === hash) return true
  if (await isUsed(context.db, chain.config.id, hash, id)) throw new AppError('hashUsed')
  await context.db.transaction(async (tx) => {
    const own = await lockOwn(tx, caller, id)
    // The duties were faster: they look at the chain without being told.
    if (own.pay_hash === hash) return
    const late = own.status === ORDER.refunded && own.money === 'none'
    if (own.money !== 'none' || (!isUnpaid(own.status) && !late)) throw new AppError('orderStatus')
    const asked = (await paymentsOf(tx, id)).find(({ kind }) => kind !== 'renewal')
    if (!asked) throw new AppError('orderStatus')
    await submit(context, tx, own, asked, hash)
    await orderToAdvance.add(tx, { id })
  })
  await notice(context, id)
  const after = await findOwnOrder(context.db, caller.userId, id)
  return after !== undefined && after.money !== 'none'
}

async function submit(
  context: Context,
  tx: Parameters<typeof changePayment>[0],
  order: OrderRow,
  asked: PaymentRow,
  hash: string,
): Promise<void> {
  const at = now(context)
  if (asked.hash !== hash) await addEvent(tx, { id: order.id, event: 'hashPosted', at, hash })
  await changePayment(tx, asked.id, { state: 'submitted', hash, problem: '' })
  await changeOrder(tx, order.id, { due_at: at })
}

/** Looks at the chain once for a caller who waits; what fails is tried again by the duties. */
async function notice(context: Context, id: string): Promise<void> {
  await advanceOrder(context, id, NOTICE).catch((error: unknown) => {
    context.log.warn({ err: error, order: id }, 'a payment was not looked at')
  })
}

/**
 * Says that an extension was paid.
 * @returns whether the chain shows it already
 */
export async function renewOrder(
  context: Context,
  caller: Owner,
  { id, duration, hash }: { id: string; duration?: number | undefined; hash?: string | undefined },
): Promise<boolean> {
  await requireLinkedWallet(context.db, caller.userId)
  const chain = demandChain(context)
  const order = await demandOrder(context, caller, id)
  if (hash !== undefined && (await isUsed(context.db, chain.config.id, hash, id))) throw new AppError('hashUsed')
  if (await isRenewed(context, order, { duration, hash })) return true
  demandRunning(order)
  await answering(() => chain.tokenDecimals())
  const before = order.duration
  await context.db.transaction(async (tx) => {
    const own = await lockOwn(tx, caller, id)
    demandRunning(own)
    // One that the chain has shown meanwhile, and for which nobody waits any more.
    if (own.duration > before) return
    const at = now(context)
    const payUntil = new Date(at.getTime() + PAY_TIME.renewal)
    const known = (await paymentsOf(tx, id)).filter(
      ({ kind, auto, state }) => kind === 'renewal' && !auto && state !== 'confirmed' && state !== 'mismatch',
    )
    let asked = known.find(
      ({ duration: hours }) => (duration === undefined || hours === duration) && hours > own.duration,
    )
    if (!asked) {
      const next = renewalOf(own, factorOf(context), duration)
      asked = await askPayment(
        tx,
        { chain, units: await chain.units(next.cost) },
        {
          kind: 'renewal',
          order: own,
          cost: next.cost,
          duration: next.duration,
          fromHeight: own.start_height,
          at,
          expiresAt: payUntil,
        },
      )
    }
    if (hash === undefined) await changePayment(tx, asked.id, { state: 'open', expiresAt: payUntil })
    else await submit(context, tx, own, asked, hash)
    await changeOrder(tx, id, { status: ORDER.renewalPending, pay_until: payUntil, due_at: at }, at)
    await addEvent(tx, { id, event: 'renewalAsked', at, fact: String(asked.duration) })
    await orderToAdvance.add(tx, { id })
  })
  await notice(context, id)
  const after = await findOwnOrder(context.db, caller.userId, id)
  return after !== undefined && after.duration > before
}

/** Whether what a caller tells of has been taken notice of already: the chain is looked at without being told, too. */
async function isRenewed(
  context: Context,
  order: OrderRow,
  { duration, hash }: { duration: number | undefined; hash: string | undefined },
): Promise<boolean> {
  const renewals = (await paymentsOf(context.db, order.id)).filter(({ kind }) => kind === 'renewal')
  const confirmed = renewals.filter(({ state }) => state === 'confirmed')
  if (hash !== undefined) return confirmed.some((each) => each.hash === hash)
  if (duration !== undefined) return confirmed.some((each) => each.duration === duration)
  const since = context.clock.now() - PAY_TIME.renewal
  const waits = renewals.some(({ state }) => state === 'open' || state === 'submitted')
  return !waits && confirmed.some(({ confirmed_at }) => (confirmed_at?.getTime() ?? 0) > since)
}
