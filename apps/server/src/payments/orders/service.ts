import { randomUUID } from 'node:crypto'
import { AppError, type ClusterName, isUnpaid, type Lang, ORDER, priceOf, type Resources } from '@tidenet/contract'
import { requireLinkedWallet } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { answering, type Chain, demandChain } from '../chain/chain.ts'
import { type Context, now } from '../context.ts'
import { advanceOrder, withdrawOrder } from './advance.ts'
import { checkUpgrade, costOfUpgrade, rateAfter } from './money.ts'
import { askPayment } from './payments.ts'
import { factorOf } from './price.ts'
import {
  addEvent,
  changeOrder,
  countUnpaid,
  findOwnOrder,
  holdOwner,
  insertOrder,
  lockOrder,
  type OrderRow,
} from './repository.ts'
import { HOUR, PAY_TIME, UNPAID_MAX } from './times.ts'

/** Making, enlarging, cancelling and ending orders. */

type Owner = Pick<Member, 'userId'>

/** An order of the caller's. @throws AppError notFound, the same for another's and for none */
export async function demandOrder({ db }: Pick<Context, 'db'>, { userId }: Owner, id: string): Promise<OrderRow> {
  const order = await findOwnOrder(db, userId, id)
  if (!order) throw new AppError('notFound')
  return order
}

/** The same, locked. */
export async function lockOwn(tx: Db, { userId }: Owner, id: string): Promise<OrderRow> {
  const order = await lockOrder(tx, id)
  if (order?.user_id !== userId) throw new AppError('notFound')
  return order
}

/** @throws AppError clusterNotReady, with why, when the region sells nothing or has no room */
export async function demandCluster(
  context: Context,
  cluster: ClusterName,
  size: (Omit<Resources, 'duration'> & { workspaceId?: string }) | undefined,
  lang: Lang,
): Promise<void> {
  const { offered, hasRoom } = context.workspaces
  const offer = (await offered(context)).find(({ name }) => name === cluster)
  if (!offer?.ready) throw new AppError('clusterNotReady', { reason: offer?.reason?.[lang] ?? '' })
  if (size && !(await hasRoom(context, { cluster, ...size })))
    throw new AppError('clusterNotReady', {
      reason: lang === 'en' ? 'There is no room for this configuration.' : '该配置暂无足够资源。',
    })
}

/** A chain that answers and on which this network can also end what it sells. */
async function demandSale(context: Context): Promise<{ chain: Chain; height: number; decimals: number }> {
  const chain = demandChain(context)
  if (!chain.operator) throw new AppError('chainNotConfigured')
  return answering(async () => {
    const [{ height }, decimals] = await Promise.all([chain.port.status(), chain.tokenDecimals()])
    return { chain, height, decimals }
  })
}

/** An order that waits for its payment. @returns its id */
export async function createOrder(
  context: Context,
  caller: Owner,
  { kub_name: cluster, rebuy, ...resources }: Resources & { kub_name: ClusterName; rebuy?: string | undefined },
  lang: Lang,
): Promise<string> {
  const payer = await requireLinkedWallet(context.db, caller.userId)
  const { chain, height } = await demandSale(context)
  await demandCluster(context, cluster, resources, lang)
  const price = priceOf(resources, factorOf(context))
  const units = await answering(() => chain.units(price))
  const id = randomUUID()
  await context.db.transaction(async (tx) => {
    await holdOwner(tx, caller.userId)
    if ((await countUnpaid(tx, caller.userId)) >= UNPAID_MAX) throw new AppError('tooManyUnpaid', { max: UNPAID_MAX })
    const restores = rebuy === undefined ? undefined : await keptOrder(tx, caller, rebuy, cluster)
    // Before it is paid: a disk does not shrink.
    if (restores && resources.storage < restores.storage) throw new AppError('lowerConfiguration')
    const at = now(context)
    const expiresAt = new Date(at.getTime() + PAY_TIME.create)
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
    await askPayment(
      tx,
      { chain, units },
      { kind: 'create', order, cost: price, duration: resources.duration, fromHeight: height, at, expiresAt },
    )
    await addEvent(tx, { id, event: 'created', at })
  })
  return id
}

/** An expired order of the caller whose workspace is kept there; buying it anew takes that up again. */
async function keptOrder(tx: Db, { userId }: Owner, id: string, cluster: ClusterName): Promise<OrderRow | undefined> {
  const order = await findOwnOrder(tx, userId, id)
  return order?.workspace === 'kept' && order.cluster === cluster ? order : undefined
}

/** A larger order in the place of a running one, which waits for its payment. @returns its id */
export async function upgradeOrder(
  context: Context,
  caller: Owner,
  { id: oldId, ...resources }: Resources & { id: string },
  lang: Lang,
): Promise<string> {
  await requireLinkedWallet(context.db, caller.userId)
  const running = await demandOrder(context, caller, oldId)
  demandRunning(running)
  checkUpgrade(running, resources)
  const { chain, height } = await demandSale(context)
  await demandCluster(context, running.cluster, { ...resources, workspaceId: running.workspace_id }, lang)
  const id = randomUUID()
  await context.db.transaction(async (tx) => {
    const old = await lockOwn(tx, caller, oldId)
    demandRunning(old)
    checkUpgrade(old, resources)
    const price = costOfUpgrade(old, resources, factorOf(context))
    const at = now(context)
    const expiresAt = new Date(at.getTime() + PAY_TIME.upgrade)
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
    await askPayment(
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

/** @throws AppError orderStatus unless it runs and nothing else is about to happen to it */
export function demandRunning({ status, ending }: Pick<OrderRow, 'status' | 'ending'>): void {
  if (status !== ORDER.running || ending !== null) throw new AppError('orderStatus')
}

/** Withdraws what was not paid. */
export async function cancelOrder(context: Context, caller: Owner, id: string): Promise<void> {
  const { replaces } = await demandOrder(context, caller, id)
  await context.db.transaction(async (tx) => {
    const old = replaces === '' ? undefined : await lockOrder(tx, replaces)
    const own = await lockOwn(tx, caller, id)
    if (!isUnpaid(own.status) || own.money !== 'none') throw new AppError('orderStatus')
    await withdrawOrder(tx, own, old, now(context), 'cancelled')
  })
}

/** How long a caller waits for the end of an order; it goes on without the caller. */
const PATIENCE = 10_000

/** Ends a running order early. @returns whether it has come to its end already */
export async function terminateOrder(context: Context, caller: Owner, id: string): Promise<boolean> {
  await requireLinkedWallet(context.db, caller.userId)
  demandRunning(await demandOrder(context, caller, id))
  await demandSale(context)
  await context.db.transaction(async (tx) => {
    const own = await lockOwn(tx, caller, id)
    demandRunning(own)
    const at = now(context)
    await changeOrder(tx, own.id, { ending: 'terminated', auto_renew: false, tries: 0, due_at: at }, at)
    await addEvent(tx, { id: own.id, event: 'terminateAsked', at })
  })
  await patiently(context, advanceOrder(context, id), id)
  return (await findOwnOrder(context.db, caller.userId, id))?.status === ORDER.terminated
}

/** Waits for work that goes on by itself when it takes longer. */
export async function patiently({ log }: Context, work: Promise<void>, order: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE)
    timer.unref()
  })
  const done = work.catch((error: unknown) => log.warn({ err: error, order }, 'an order was not carried on'))
  await Promise.race([done, late]).finally(() => clearTimeout(timer))
}
