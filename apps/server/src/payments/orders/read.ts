import {
  AppError,
  type contract,
  isInService,
  type Lang,
  ORDER,
  ORDER_FILTERS,
  type OrderStatus,
  type Output,
  type Parsed,
  priceOf,
} from '@tidenet/contract'
import { accountsOf } from '../../identity/index.ts'
import { idAfter, pageOf } from '../../platform/db/cursors.ts'
import type { Db } from '../../platform/db/db.ts'
import { answering, type Chain, demandChain } from '../chain/chain.ts'
import type { Context } from '../context.ts'
import { readAutoRenew } from './auto-renew.ts'
import { asKept, keptLots, lotsOf, refundOf, usedHours } from './lots.ts'
import { coinsText, LONGEST, renewalOf } from './money.ts'
import { readOrders } from './on-chain.ts'
import { feeAtMost, shownPayment } from './payments.ts'
import { boughtOf, paymentsOf } from './payments-repository.ts'
import { factorOf } from './price.ts'
import { countByStatus, eventsOf, type OrderRow, pageOfAllOrders, pageOfOrders } from './repository.ts'
import { demandOrder } from './service.ts'
import { shown } from './shown.ts'
import { endHeightOf } from './steps.ts'
import { factText, say } from './texts.ts'
import { GRACE, HOUR, PAY_TIME } from './times.ts'

/** What people are shown of orders. */

interface Owner {
  userId: number
  uid: string
}

/** Of a network without a chain, or whose chain is away: what its token has by default. */
const UNKNOWN_TOKEN = { symbol: 'cTNT', decimals: 2 }

async function tokenOf(chain: Chain | undefined): Promise<{ symbol: string; decimals: number }> {
  if (!chain) return UNKNOWN_TOKEN
  return chain.tokenInfo().catch(() => UNKNOWN_TOKEN)
}

/** What is sold at present, and the terms. */
export async function readOffers(context: Context, lang: Lang): Promise<Output<typeof contract.orders.offers>> {
  const { chain } = context
  const [clusters, reason, { symbol, decimals }, fee] = await Promise.all([
    context.workspaces.offered(context),
    whyNoChain(chain, lang),
    tokenOf(chain),
    feeAtMost(chain),
  ])
  const minutes = (ms: number) => ms / 60_000
  return {
    chain: { ready: reason === '', reason },
    clusters: clusters.map(({ name, ready, reason: why }) => ({
      name,
      ready,
      reason: ready ? '' : (why?.[lang] ?? say('clusterAbsent', lang)),
    })),
    factor: factorOf(context),
    claim: context.config.chain.faucet.amount,
    hourly: context.config.chain.faucet.hourly,
    token: { symbol, decimals },
    fee,
    grace_hours: GRACE / HOUR,
    pay_minutes: {
      create: minutes(PAY_TIME.create),
      upgrade: minutes(PAY_TIME.upgrade),
      renewal: minutes(PAY_TIME.renewal),
    },
  }
}

async function whyNoChain(chain: Chain | undefined, lang: Lang): Promise<string> {
  if (!chain) return say('chainNotConfigured', lang)
  if (!chain.operator) return say('noKey', lang)
  return chain.port.status().then(
    () => '',
    () => say('chainUnavailable', lang),
  )
}

export interface Estimate {
  cost: number
  exact: string
  used_hours: number
  total_hours: number
}

/** What would go back if the order ended in this block, as the contract reckons it. @throws errors of the chain */
async function estimate(db: Db, chain: Chain, order: OrderRow): Promise<Estimate> {
  const [{ height, found }, bought, decimals] = await Promise.all([
    readOrders(chain, [order.id]),
    boughtOf(db, order.id),
    chain.tokenDecimals(),
  ])
  const lots = lotsOf(bought)
  const onChain = found.get(order.id)
  // It would be carried out in the next block at the earliest.
  const used = Math.min(order.duration, usedHours(order.start_height, height + 1))
  const units = refundOf(onChain ? asKept(lots, keptLots(onChain)) : lots, used)
  return {
    cost: Number(units / 10n ** BigInt(decimals)),
    exact: coinsText(units, decimals),
    used_hours: used,
    total_hours: order.duration,
  }
}

/** @throws AppError notFound for another's order, orderStatus for one that does not run */
export async function readRefund(context: Context, caller: Owner, id: string): Promise<Estimate> {
  const order = await demandOrder(context, caller, id)
  if (!isInService(order.status) || order.money !== 'held') throw new AppError('orderStatus')
  const chain = demandChain(context)
  return answering(() => estimate(context.db, chain, order))
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
  const sum = (wanted: readonly OrderStatus[]) =>
    wanted.reduce<number>((total, each) => total + (counts.get(each) ?? 0), 0)
  const total = sum(statuses)
  const offset = (page - 1) * size
  const rows =
    offset >= total ? [] : await pageOfOrders(context.db, { userId: caller.userId, statuses, offset, limit: size })
  return {
    list: rows.map((row) => shown(row, { account: caller.uid, decimals })),
    total,
    done: sum(ORDER_FILTERS.running),
    expired: sum(ORDER_FILTERS.expired),
    termination: sum(ORDER_FILTERS.terminated),
  }
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
      return { ...shown(row, { account: uid, decimals }), email: email ?? '', payer: row.payer, tries: row.tries }
    }),
    next,
  }
}

export async function readDetails(
  context: Context,
  caller: Owner,
  id: string,
  lang: Lang,
): Promise<Output<typeof contract.orders.details>> {
  const { chain, db } = context
  const order = await demandOrder(context, caller, id)
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
    order: shown(order, { account: caller.uid, decimals: token.decimals }),
    timeline: events.map(({ event, at, hash, fact }) => ({
      event,
      at: at.toISOString(),
      hash,
      text: factText(event, fact, lang),
    })),
    payments: payments.map((row) => shownPayment(row, chain, { ...token, lang, fee })),
    timers: {
      pay_until: iso(order.pay_until ?? open?.expires_at),
      ends_at: iso(ends),
      end_height: order.start_height > 0 ? endHeightOf(order) : 0,
      kept_until: order.workspace === 'kept' || order.status === ORDER.expired ? iso(order.kept_until) : '',
      seconds_left: runs && ends ? Math.max(0, Math.floor((ends.getTime() - context.clock.now()) / 1000)) : 0,
    },
    refund,
    renewal: order.status === ORDER.running && order.duration < LONGEST ? renewalOf(order, factorOf(context)) : null,
    next_price: priceOf(order, factorOf(context)),
    auto_renew: autoRenew,
  }
}
