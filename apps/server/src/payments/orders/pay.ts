import { AppError, isRenewable, isUnpaid, type Lang, ORDER, type OrderPayment } from '@tidenet/contract'
import { requireLinkedWallet } from '../../identity/index.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Chain, mapChainErrors, requireChain } from '../chain/chain.ts'
import { type Context, now } from '../context.ts'
import { advanceOrders } from './advance.ts'
import { groupCommit } from './group-commit.ts'
import { ordersToAdvance } from './jobs.ts'
import { renewalOf } from './money.ts'
import { feeOfPayment, requestPayment, toWirePayment } from './payments.ts'
import { changePayment, isUsed, type PaymentRow, paymentsOf } from './payments-repository.ts'
import { factorOf } from './price.ts'
import { addEvent, changeOrder, findOwnOrder, type OrderRow } from './repository.ts'
import { lockOwn, requireCluster, requireOwnOrder, requireRunning } from './service.ts'
import type { StepName } from './steps.ts'
import { PAYMENT_TIMEOUT } from './times.ts'

/** Payment requests, and hashes that clients post. A hash is only a hint: payments are confirmed from the chain. */

type Owner = Pick<Member, 'userId'>

/** Steps that only confirm payments; slow steps are left to the task. */
const PAYMENT_STEPS: ReadonlySet<StepName> = new Set<StepName>(['applyPayment', 'checkHash', 'applyExtension'])

/** The payment request of an unpaid order, or of a renewal. */
export async function preparePayment(
  context: Context,
  caller: Owner,
  { id, duration }: { id: string; duration?: number | undefined },
  lang: Lang,
): Promise<OrderPayment> {
  await requireLinkedWallet(context.db, caller.userId)
  const chain = requireChain(context)
  const order = await requireOwnOrder(context, caller, id)
  await requireCluster(context, order.cluster, undefined, lang)
  const row = isUnpaid(order.status)
    ? await initialPaymentOf(context, caller, order)
    : await renewalPaymentOf(context, caller, chain, order, duration)
  const [{ symbol, decimals }, fee] = await mapChainErrors(() =>
    Promise.all([chain.tokenInfo(), feeOfPayment(chain, row)]),
  )
  return toWirePayment(row, chain, { symbol, decimals, lang, fee })
}

/** The payment request of the order itself; extends its expiry. */
async function initialPaymentOf(context: Context, caller: Owner, { id }: OrderRow): Promise<PaymentRow> {
  return context.db.transaction(async (tx) => {
    const order = await lockOwn(tx, caller, id)
    const payment = (await paymentsOf(tx, id)).find(({ kind }) => kind !== 'renewal')
    if (!payment || !isUnpaid(order.status) || order.money !== 'none') throw new AppError('orderStatus')
    const at = now(context)
    const expiresAt = new Date(at.getTime() + PAYMENT_TIMEOUT[order.status === ORDER.created ? 'create' : 'upgrade'])
    const state = payment.state === 'failed' ? 'open' : payment.state
    await changePayment(tx, payment.id, { state, expiresAt, ...(state === 'open' && { hash: '', problem: '' }) })
    await changeOrder(tx, id, { pay_until: expiresAt, due_at: at })
    return { ...payment, state, expires_at: expiresAt, ...(state === 'open' && { hash: '', problem: '' }) }
  })
}

/** The payment request for a renewal; the same request is returned again. @param duration total hours */
async function renewalPaymentOf(
  context: Context,
  caller: Owner,
  chain: Chain,
  { id, status }: OrderRow,
  duration: number | undefined,
): Promise<PaymentRow> {
  if (!isRenewable(status)) throw new AppError('orderStatus')
  // Fails if the chain is unavailable, before the database transaction starts.
  await mapChainErrors(() => chain.tokenDecimals())
  return context.db.transaction(async (tx) => {
    const order = await lockOwn(tx, caller, id)
    if (order.status !== ORDER.renewalPending) requireRunning(order)
    const at = now(context)
    const expiresAt = new Date(at.getTime() + PAYMENT_TIMEOUT.renewal)
    const known = (await paymentsOf(tx, id)).filter(({ kind, auto }) => kind === 'renewal' && !auto)
    const waiting = known.find(({ state }) => state === 'open' || state === 'submitted')
    // While a renewal is pending there is no other.
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
    const row = await requestPayment(
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
 * Accepts the hash of a payment.
 * @returns whether the payment is confirmed already
 */
export async function postHash(
  context: Context,
  caller: Owner,
  { id, hash }: { id: string; hash: string },
): Promise<boolean> {
  await requireLinkedWallet(context.db, caller.userId)
  const chain = requireChain(context)
  const order = await requireOwnOrder(context, caller, id)
  if (order.pay_hash === hash) return true
  if (await isUsed(context.db, chain.config.id, hash, id)) throw new AppError('hashUsed')
  await context.db.transaction(async (tx) => {
    const own = await lockOwn(tx, caller, id)
    // The task has found the payment in the meantime.
    if (own.pay_hash === hash) return
    const late = own.status === ORDER.refunded && own.money === 'none'
    if (own.money !== 'none' || (!isUnpaid(own.status) && !late)) throw new AppError('orderStatus')
    const payment = (await paymentsOf(tx, id)).find(({ kind }) => kind !== 'renewal')
    if (!payment) throw new AppError('orderStatus')
    await submit(context, tx, own, payment, hash)
  })
  await checkPayment(context, id)
  const after = await findOwnOrder(context.db, caller.userId, id)
  return after !== undefined && after.money !== 'none'
}

async function submit(
  context: Context,
  tx: Parameters<typeof changePayment>[0],
  order: OrderRow,
  payment: PaymentRow,
  hash: string,
): Promise<void> {
  const at = now(context)
  if (payment.hash !== hash) await addEvent(tx, { id: order.id, event: 'hashPosted', at, hash })
  await changePayment(tx, payment.id, { state: 'submitted', hash, problem: '' })
  await changeOrder(tx, order.id, { due_at: at })
}

/** Checks of payments that arrive at the same time are one, by server. */
const checks = new WeakMap<Context, (order: { id: string }) => Promise<unknown>>()

/** Checks the chain once during the request, then has the order advanced; the task retries failures. */
async function checkPayment(context: Context, id: string): Promise<void> {
  let check = checks.get(context)
  if (!check) {
    check = groupCommit(async (orders: readonly { id: string }[]) => {
      await advanceOrders(
        context,
        orders.map((order) => order.id),
        PAYMENT_STEPS,
      )
      await ordersToAdvance.add(context.db, {})
      return new Map<string, never>()
    })
    checks.set(context, check)
  }
  await check({ id }).catch((error: unknown) => {
    context.log.warn({ err: error, order: id }, 'checking a payment failed')
  })
}

/**
 * Accepts that an extension was paid.
 * @returns whether it is confirmed already
 */
export async function renewOrder(
  context: Context,
  caller: Owner,
  { id, duration, hash }: { id: string; duration?: number | undefined; hash?: string | undefined },
): Promise<boolean> {
  await requireLinkedWallet(context.db, caller.userId)
  const chain = requireChain(context)
  const order = await requireOwnOrder(context, caller, id)
  if (hash !== undefined && (await isUsed(context.db, chain.config.id, hash, id))) throw new AppError('hashUsed')
  if (await isRenewed(context, order, { duration, hash })) return true
  requireRunning(order)
  await mapChainErrors(() => chain.tokenDecimals())
  const before = order.duration
  await context.db.transaction(async (tx) => {
    const own = await lockOwn(tx, caller, id)
    requireRunning(own)
    // Confirmed in the meantime.
    if (own.duration > before) return
    const at = now(context)
    const payUntil = new Date(at.getTime() + PAYMENT_TIMEOUT.renewal)
    const known = (await paymentsOf(tx, id)).filter(
      ({ kind, auto, state }) => kind === 'renewal' && !auto && state !== 'confirmed' && state !== 'mismatch',
    )
    let payment = known.find(
      ({ duration: hours }) => (duration === undefined || hours === duration) && hours > own.duration,
    )
    if (!payment) {
      const next = renewalOf(own, factorOf(context), duration)
      payment = await requestPayment(
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
    if (hash === undefined) await changePayment(tx, payment.id, { state: 'open', expiresAt: payUntil })
    else await submit(context, tx, own, payment, hash)
    await changeOrder(tx, id, { status: ORDER.renewalPending, pay_until: payUntil, due_at: at }, at)
    await addEvent(tx, { id, event: 'renewalAsked', at, fact: String(payment.duration) })
  })
  await checkPayment(context, id)
  const after = await findOwnOrder(context.db, caller.userId, id)
  return after !== undefined && after.duration > before
}

/** Whether the renewal is confirmed already: the task also finds payments without a hash. */
async function isRenewed(
  context: Context,
  order: OrderRow,
  { duration, hash }: { duration: number | undefined; hash: string | undefined },
): Promise<boolean> {
  const renewals = (await paymentsOf(context.db, order.id)).filter(({ kind }) => kind === 'renewal')
  const confirmed = renewals.filter(({ state }) => state === 'confirmed')
  if (hash !== undefined) return confirmed.some((each) => each.hash === hash)
  if (duration !== undefined) return confirmed.some((each) => each.duration === duration)
  const since = context.clock.now() - PAYMENT_TIMEOUT.renewal
  const isPending = renewals.some(({ state }) => state === 'open' || state === 'submitted')
  return !isPending && confirmed.some(({ confirmed_at }) => (confirmed_at?.getTime() ?? 0) > since)
}
