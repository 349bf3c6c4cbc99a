import { randomUUID } from 'node:crypto'
import { AppError, type ClusterName, isUnpaid, type Lang, ORDER, priceOf, type Resources } from '@tidenet/contract'
import { requireLinkedWallet, spendByKey } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Chain, mapChainErrors, requireChain } from '../chain/chain.ts'
import { type Context, now } from '../context.ts'
import { advanceOrders } from './advance.ts'
import { checkUpgrade, costOfUpgrade, rateAfter } from './money.ts'
import { requestPayment } from './payments.ts'
import { factorOf } from './price.ts'
import {
  addEvent,
  changeOrder,
  countUnpaid,
  findOwnOrder,
  insertOrder,
  lockOrder,
  lockOrderCreation,
  type OrderRow,
} from './repository.ts'
import { withdrawOrder } from './status-steps.ts'
import { HOUR, MAX_UNPAID_ORDERS, PAYMENT_TIMEOUT } from './times.ts'

/** Creating, upgrading, cancelling and terminating orders. */

type Owner = Pick<Member, 'userId'>

/** @throws AppError notFound also for orders of other accounts */
export async function requireOwnOrder({ db }: Pick<Context, 'db'>, { userId }: Owner, id: string): Promise<OrderRow> {
  const order = await findOwnOrder(db, userId, id)
  if (!order) throw new AppError('notFound')
  return order
}

/** The same, locked for update. */
export async function lockOwn(tx: Db, { userId }: Owner, id: string): Promise<OrderRow> {
  const order = await lockOrder(tx, id)
  if (order?.user_id !== userId) throw new AppError('notFound')
  return order
}

/** @throws AppError clusterNotReady with the reason, if the cluster is not available or has too little capacity */
export async function requireCluster(
  context: Context,
  cluster: ClusterName,
  size: (Omit<Resources, 'duration'> & { workspaceId?: string }) | undefined,
  lang: Lang,
): Promise<void> {
  const { offered, hasCapacity } = context.workspaces
  const offer = (await offered(context)).find(({ name }) => name === cluster)
  if (!offer?.ready) throw new AppError('clusterNotReady', { reason: offer?.reason?.[lang] ?? '' })
  const { gpus = 0 } = size ?? {}
  if (gpus > offer.gpus) throw new AppError('clusterNotReady', { reason: gpuReason(offer.gpus, lang) })
  if (size && !(await hasCapacity(context, { cluster, ...size })))
    throw new AppError('clusterNotReady', {
      reason: lang === 'en' ? 'There are not enough resources for this configuration.' : '该配置暂无足够资源。',
    })
}

const gpuReason = (offered: number, lang: Lang): string =>
  lang === 'en'
    ? offered === 0
      ? 'No GPU is offered in this region.'
      : `An order in this region can have at most ${offered} GPUs.`
    : offered === 0
      ? '该区域不提供 GPU。'
      : `该区域每个订单最多 ${offered} 个 GPU。`

/** Requires an available chain and the operator key, without which orders cannot be ended. */
async function requireSales(context: Context): Promise<{ chain: Chain; height: number; decimals: number }> {
  const chain = requireChain(context)
  if (!chain.operator) throw new AppError('chainNotConfigured')
  return mapChainErrors(async () => {
    const [{ height }, decimals] = await Promise.all([chain.port.status(), chain.tokenDecimals()])
    return { chain, height, decimals }
  })
}

/** @returns the ID of the new, unpaid order. @throws AppError keySpending for a key whose cap it exceeds */
export async function createOrder(
  context: Context,
  caller: Member,
  { kub_name: cluster, rebuy, ...resources }: Resources & { kub_name: ClusterName; rebuy?: string | undefined },
  lang: Lang,
): Promise<string> {
  if (caller.via === 'key' && !caller.hasSpendingCap) throw new AppError('keyCannotOrder')
  const payer = await requireLinkedWallet(context.db, caller.userId)
  const { chain, height } = await requireSales(context)
  await requireCluster(context, cluster, resources, lang)
  const price = priceOf(resources, factorOf(context))
  const units = await mapChainErrors(() => chain.units(price))
  const id = randomUUID()
  await context.db.transaction(async (tx) => {
    await lockOrderCreation(tx, caller.userId)
    if ((await countUnpaid(tx, caller.userId)) >= MAX_UNPAID_ORDERS)
      throw new AppError('tooManyUnpaid', { max: MAX_UNPAID_ORDERS })
    const restores = rebuy === undefined ? undefined : await findKeptOrder(tx, caller, rebuy, cluster, now(context))
    // Disks cannot shrink: reject this before it is paid.
    if (restores && resources.storage < restores.storage) throw new AppError('lowerConfiguration')
    const at = now(context)
    const expiresAt = new Date(at.getTime() + PAYMENT_TIMEOUT.create)
    await spendByKey(tx, caller, { orderId: id, cost: price }, at)
    await insertOrder(tx, {
      id,
      userId: caller.userId,
      payer,
      lang,
      cluster,
      ...resources,
      price,
      status: ORDER.created,
      workspaceId: id,
      replaces: '',
      restores: restores?.id ?? '',
      at,
      payUntil: expiresAt,
      expiredAt: new Date(at.getTime() + resources.duration * HOUR),
      dueAt: at,
    })
    const order = { id, payer, replaces: '', ...resources }
    await requestPayment(
      tx,
      { chain, units },
      { kind: 'create', order, cost: price, duration: resources.duration, fromHeight: height, at, expiresAt },
    )
    await addEvent(tx, { id, event: 'created', at })
  })
  return id
}

/** An expired order of the caller whose workspace on this cluster can be restored. */
async function findKeptOrder(
  tx: Db,
  { userId }: Owner,
  id: string,
  cluster: ClusterName,
  at: Date,
): Promise<OrderRow | undefined> {
  const order = await findOwnOrder(tx, userId, id)
  const isKept = order?.workspace === 'suspended' && order.kept_until !== null && order.kept_until > at
  return isKept && order.cluster === cluster ? order : undefined
}

/** Creates an unpaid order that replaces a running one. @returns its ID */
export async function upgradeOrder(
  context: Context,
  caller: Owner,
  { id: oldId, ...asked }: Resources & { id: string },
  lang: Lang,
): Promise<string> {
  await requireLinkedWallet(context.db, caller.userId)
  const running = await requireOwnOrder(context, caller, oldId)
  requireRunning(running)
  // Clients that do not know GPUs keep them.
  const resources = { ...asked, gpus: asked.gpus ?? running.gpus }
  checkUpgrade(running, resources)
  const { chain, height } = await requireSales(context)
  await requireCluster(context, running.cluster, { ...resources, workspaceId: running.workspace_id }, lang)
  const id = randomUUID()
  await context.db.transaction(async (tx) => {
    const old = await lockOwn(tx, caller, oldId)
    requireRunning(old)
    checkUpgrade(old, resources)
    const price = costOfUpgrade(old, resources, factorOf(context))
    const at = now(context)
    const expiresAt = new Date(at.getTime() + PAYMENT_TIMEOUT.upgrade)
    const order = { id, payer: old.payer, replaces: old.id, ...resources }
    await insertOrder(tx, {
      ...order,
      userId: caller.userId,
      lang,
      cluster: old.cluster,
      price,
      rate: rateAfter(old, price, resources.duration),
      status: ORDER.upgradePending,
      workspaceId: old.workspace_id,
      restores: '',
      at,
      payUntil: expiresAt,
      expiredAt: new Date(at.getTime() + resources.duration * HOUR),
      dueAt: at,
    })
    await requestPayment(
      tx,
      { chain, units: await chain.units(price) },
      { kind: 'upgrade', order, cost: price, duration: resources.duration, fromHeight: height, at, expiresAt },
    )
    await changeOrder(tx, old.id, { status: ORDER.replacing, due_at: at }, at)
    await addEvent(tx, { id: old.id, event: 'upgradeAsked', at })
    await addEvent(tx, { id, event: 'created', at })
  })
  return id
}

/** @throws AppError orderStatus unless the order runs and is not ending */
export function requireRunning({ status, ending }: Pick<OrderRow, 'status' | 'ending'>): void {
  if (status !== ORDER.running || ending !== null) throw new AppError('orderStatus')
}

/** Withdraws an unpaid order. */
export async function cancelOrder(context: Context, caller: Owner, id: string): Promise<void> {
  const { replaces } = await requireOwnOrder(context, caller, id)
  await context.db.transaction(async (tx) => {
    const old = replaces === '' ? undefined : await lockOrder(tx, replaces)
    const own = await lockOwn(tx, caller, id)
    if (!isUnpaid(own.status) || own.money !== 'none') throw new AppError('orderStatus')
    await withdrawOrder(tx, own, old, now(context), 'cancelled')
  })
}

/** How long the request waits for the termination; it continues in the background. */
const TERMINATION_TIMEOUT_MS = 10_000

/** Terminates a running order. @returns whether it has ended already */
export async function terminateOrder(context: Context, caller: Owner, id: string): Promise<boolean> {
  await requireLinkedWallet(context.db, caller.userId)
  requireRunning(await requireOwnOrder(context, caller, id))
  await requireSales(context)
  await context.db.transaction(async (tx) => {
    const own = await lockOwn(tx, caller, id)
    requireRunning(own)
    const at = now(context)
    await changeOrder(tx, own.id, { ending: 'terminated', auto_renew: false, tries: 0, due_at: at }, at)
    await addEvent(tx, { id: own.id, event: 'terminateAsked', at })
  })
  await waitAtMost(context, advanceOrders(context, [id]), id)
  return (await findOwnOrder(context.db, caller.userId, id))?.status === ORDER.terminated
}

/** Waits for work up to the timeout; the work itself continues. */
async function waitAtMost({ log }: Context, work: Promise<void>, order: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, TERMINATION_TIMEOUT_MS)
    timer.unref()
  })
  const done = work.catch((error: unknown) => log.warn({ err: error, order }, 'advancing an order failed'))
  await Promise.race([done, late]).finally(() => clearTimeout(timer))
}
