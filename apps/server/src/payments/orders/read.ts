import { BLOCKS_PER_HOUR } from '@tidenet/chain-client/orders'
import {
  AppError,
  type contract,
  isInService,
  isUnpaid,
  type Lang,
  ORDER,
  ORDER_FILTERS,
  type OrderLabel,
  type OrderStatus,
  type Output,
  type Parsed,
  priceOf,
  statusesWith,
} from '@tidenet/contract'
import { accountsOf } from '../../identity/index.ts'
import { idAfter, pageOf } from '../../platform/db/cursors.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Chain, mapChainErrors, requireChain } from '../chain/chain.ts'
import type { Context } from '../context.ts'
import { readAutoRenew } from './auto-renew.ts'
import { outagesOf } from './credits.ts'
import { contractLots, lotsOf, mergeLotsAs, refundOf, startOf, sumOf, usedHours } from './lots.ts'
import { formatUnits, MAX_HOURS, renewalOf } from './money.ts'
import { readOrders } from './on-chain.ts'
import { feeAtMost, toWirePayment } from './payments.ts'
import { confirmedPayments, paymentsOf } from './payments-repository.ts'
import { factorOf } from './price.ts'
import { countByStatus, eventsOf, type OrderRow, pageOfAllOrders, pageOfOrders } from './repository.ts'
import { requireOwnOrder } from './service.ts'
import { labelOf } from './states.ts'
import { formatEvent, messageText } from './texts.ts'
import { BLOCK_TIME, GRACE, HOUR, PAYMENT_TIMEOUT } from './times.ts'
import { toWireOrder } from './wire.ts'

/** Reading orders. */

interface Owner {
  userId: number
  uid: string
}

/** Used without a chain, or while it is unavailable. */
const DEFAULT_TOKEN = { symbol: 'cTNT', decimals: 2 }

async function tokenOf(chain: Chain | undefined): Promise<{ symbol: string; decimals: number }> {
  if (!chain) return DEFAULT_TOKEN
  return chain.tokenInfo().catch(() => DEFAULT_TOKEN)
}

/** Available clusters, prices and terms. */
export async function readOffers(context: Context, lang: Lang): Promise<Output<typeof contract.orders.offers>> {
  const { chain } = context
  const [clusters, reason, { symbol, decimals }, fee] = await Promise.all([
    context.workspaces.offered(context),
    chainUnavailableReason(chain, lang),
    tokenOf(chain),
    feeAtMost(chain),
  ])
  const minutes = (ms: number) => ms / 60_000
  return {
    chain: { ready: reason === '', reason },
    clusters: clusters.map(({ name, ready, configured, shared_with, gpus, reason: why }) => ({
      ...{ name, ready, configured, shared_with, gpus },
      reason: ready ? '' : (why?.[lang] ?? messageText('clusterAbsent', lang)),
    })),
    factor: factorOf(context),
    claim: context.config.chain.faucet.amount,
    hourly: context.config.chain.faucet.hourly,
    token: { symbol, decimals },
    fee,
    grace_hours: GRACE / HOUR,
    pay_minutes: {
      create: minutes(PAYMENT_TIMEOUT.create),
      upgrade: minutes(PAYMENT_TIMEOUT.upgrade),
      renewal: minutes(PAYMENT_TIMEOUT.renewal),
    },
  }
}

async function chainUnavailableReason(chain: Chain | undefined, lang: Lang): Promise<string> {
  if (!chain) return messageText('chainNotConfigured', lang)
  if (!chain.operator) return messageText('noKey', lang)
  return chain.port.status().then(
    () => '',
    () => messageText('chainUnavailable', lang),
  )
}

export interface Estimate {
  cost: number
  exact: string
  used: string
  used_hours: number
  total_hours: number
}

/** The refund if the order ended now, computed as in the contract. @throws errors of the chain */
async function estimate(db: Db, chain: Chain, order: OrderRow): Promise<Estimate> {
  const [{ time, found }, bought, decimals] = await Promise.all([
    readOrders(chain, [order]),
    confirmedPayments(db, order.id),
    chain.tokenDecimals(),
  ])
  const lots = lotsOf(bought)
  const onChain = found.get(order.id)
  const start = onChain ? startOf(onChain) : (order.started_at ?? order.created_at)
  // The earliest block that can end it is the next one.
  const used = Math.min(order.duration, usedHours(start, new Date(time.getTime() + BLOCK_TIME)))
  const priced = onChain ? mergeLotsAs(lots, contractLots(onChain)) : lots
  const units = refundOf(priced, used)
  return {
    cost: Number(units / 10n ** BigInt(decimals)),
    exact: formatUnits(units, decimals),
    used: formatUnits(sumOf(priced) - units, decimals),
    used_hours: used,
    total_hours: order.duration,
  }
}

/** @throws AppError notFound, also for orders of other accounts; orderStatus if it does not run */
export async function readRefund(context: Context, caller: Owner, id: string): Promise<Estimate> {
  const order = await requireOwnOrder(context, caller, id)
  if (!isInService(order.status) || order.money !== 'held') throw new AppError('orderStatus')
  const chain = requireChain(context)
  return mapChainErrors(() => estimate(context.db, chain, order))
}

export async function readHistory(
  context: Context,
  caller: Owner,
  {
    page,
    size,
    status = ORDER_FILTERS.all,
  }: { page: number; size: number; status?: readonly OrderStatus[] | undefined },
): Promise<Output<typeof contract.orders.history>> {
  const statuses = [...new Set(status)]
  const { decimals } = await tokenOf(context.chain)
  const counts = new Map(
    (await countByStatus(context.db, caller.userId)).map((row) => [row.status, row.count] as const),
  )
  const sum = (of: readonly OrderStatus[]) => of.reduce<number>((total, each) => total + (counts.get(each) ?? 0), 0)
  const total = sum(statuses)
  const offset = (page - 1) * size
  const rows =
    offset >= total ? [] : await pageOfOrders(context.db, { userId: caller.userId, statuses, offset, limit: size })
  return {
    list: rows.map((row) => toWireOrder(row, { account: caller.uid, decimals })),
    total,
    done: sum(ORDER_FILTERS.running),
    expired: sum(ORDER_FILTERS.expired),
    termination: sum(ORDER_FILTERS.terminated),
  }
}

/** For operators: the last orders of an account. */
export const lastOrders = (db: Db, userId: number, limit: number): Promise<OrderRow[]> =>
  pageOfOrders(db, { userId, statuses: ORDER_FILTERS.all, offset: 0, limit })

export interface OrderToWatch {
  kind: 'ordersDelete' | 'ordersEnd' | 'ordersUnpaid'
  id: string
  at: Date
}

/** Per kind of status. */
const WATCHED = 50

/** Orders of an account that need a decision of its owner soon, and the latest ones. */
export async function ordersOfDashboard(
  db: Db,
  userId: number,
  { at, endsBefore, latest }: { at: Date; endsBefore: Date; latest: number },
): Promise<{ watch: OrderToWatch[]; latest: { id: string; label: OrderLabel; updated_at: Date }[] }> {
  const statuses = (await countByStatus(db, userId)).filter(({ count }) => count > 0).map(({ status }) => status)
  if (statuses.length === 0) return { watch: [], latest: [] }
  const watched = [...ORDER_FILTERS.running, ORDER.expired, ...statusesWith('isUnpaid')]
  const some = statuses.filter((status) => watched.includes(status))
  const [open, last] = await Promise.all([
    some.length > 0 ? pageOfOrders(db, { userId, statuses: some, offset: 0, limit: WATCHED }) : [],
    pageOfOrders(db, { userId, statuses, offset: 0, limit: latest }),
  ])
  return {
    watch: open.flatMap((order) => toWatch(order, at, endsBefore)),
    latest: last.map((order) => ({ id: order.id, label: labelOf(order), updated_at: order.updated_at })),
  }
}

function toWatch(order: OrderRow, at: Date, endsBefore: Date): OrderToWatch[] {
  const { id, status, pay_until, kept_until, expired_at } = order
  if (isUnpaid(status) && pay_until && pay_until > at && order.money === 'none')
    return [{ kind: 'ordersUnpaid', id, at: pay_until }]
  if (status === ORDER.expired && order.workspace === 'suspended' && kept_until && kept_until > at)
    return [{ kind: 'ordersDelete', id, at: kept_until }]
  const renewsItself = order.auto_renew && order.auto_problem === ''
  if (isInService(status) && order.started_at && !renewsItself && expired_at < endsBefore)
    return [{ kind: 'ordersEnd', id, at: expired_at }]
  return []
}

/** For operators: the orders of all accounts. @throws AppError invalidParams */
export async function readAll(
  { db, chain }: Pick<Context, 'db' | 'chain'>,
  { after, size, ...filter }: Parsed<typeof contract.orders.all>,
): Promise<Output<typeof contract.orders.all>> {
  const [rows, { decimals }] = await Promise.all([
    pageOfAllOrders(db, filter, idAfter(after), size + 1),
    tokenOf(chain),
  ])
  const { list, next } = pageOf(rows, size, ({ seq }) => [seq])
  const owners = await accountsOf(
    db,
    list.map((row) => row.user_id),
  )
  return {
    list: list.map((row) => {
      const { uid = '', email } = owners.get(row.user_id) ?? {}
      return { ...toWireOrder(row, { account: uid, decimals }), email: email ?? '', payer: row.payer, tries: row.tries }
    }),
    next,
  }
}

/** Whether the workspace of an ended order is kept; for a moment before it is stopped, too. */
const isKept = ({ status, workspace }: OrderRow) =>
  workspace === 'suspended' || (status === ORDER.expired && workspace === 'active')

export async function readDetails(
  context: Context,
  caller: Owner,
  id: string,
  lang: Lang,
): Promise<Output<typeof contract.orders.details>> {
  const { chain, db } = context
  const order = await requireOwnOrder(context, caller, id)
  const [events, payments, token, fee] = await Promise.all([
    eventsOf(db, id),
    paymentsOf(db, id),
    tokenOf(chain),
    feeAtMost(chain),
  ])
  const runs = isInService(order.status) && order.money === 'held'
  const [refund, autoRenew] = await Promise.all([
    runs && chain ? estimate(context.db, chain, order).catch(() => null) : null,
    readAutoRenew(context, order, token.decimals),
  ])
  const iso = (at: Date | null | undefined) => at?.toISOString() ?? ''
  const open = payments.find(({ kind, state }) => kind === 'renewal' && state === 'open')
  const ends = order.started_at ? order.expired_at : null
  return {
    order: toWireOrder(order, { account: caller.uid, decimals: token.decimals }),
    timeline: events.map(({ event, at, hash, fact }) => ({
      event,
      at: at.toISOString(),
      hash,
      text: formatEvent(event, fact, lang),
    })),
    payments: payments.map((row) => toWirePayment(row, chain, { ...token, lang, fee })),
    timers: {
      pay_until: iso(order.pay_until ?? open?.expires_at),
      ends_at: iso(ends),
      end_height: order.start_height > 0 ? order.start_height + order.duration * BLOCKS_PER_HOUR : 0,
      kept_until: isKept(order) ? iso(order.kept_until) : '',
      seconds_left: runs && ends ? Math.max(0, Math.floor((ends.getTime() - context.clock.now()) / 1000)) : 0,
    },
    refund,
    renewal: order.status === ORDER.running && order.duration < MAX_HOURS ? renewalOf(order, factorOf(context)) : null,
    next_price: priceOf(order, factorOf(context)),
    outages: await outagesOf(db, id, token.decimals),
    auto_renew: autoRenew,
  }
}

export { countUnpaidCredits } from './credits-repository.ts'
export { countOpenOrders, pageOfOrderEvents } from './repository.ts'
