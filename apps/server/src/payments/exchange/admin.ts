import { type AdminExchange, AppError, type ExchangeRate, type ExchangeState, type Lang } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { now } from '../context.ts'
import * as admin from './admin-repository.ts'
import { giveUp, retryNow } from './credit-repository.ts'
import { currentRate, type Deps, decimal, findExchange } from './offer.ts'
import { partnerOf } from './partner.ts'
import { findRead } from './payments-repository.ts'
import { readKey } from './read.ts'
import { type ExchangeRow, findExchange as findRow, insertRate, latestRate, lockExchange } from './repository.ts'
import { wiringOf } from './service.ts'
import { toWireOrders, toWireRate } from './wire.ts'

/** The points exchange for operators; the operator area adds who the owners are. */

export type OperatedExchange = Omit<AdminExchange, 'uid' | 'email'> & { no: number; user_id: number | null }

async function toWire(context: Deps, rows: readonly ExchangeRow[], lang: Lang): Promise<OperatedExchange[]> {
  const wired = await toWireOrders(context.db, rows, await wiringOf(context, lang))
  return wired.map(({ order, row, payments }) => {
    const refund = payments.find(({ refund_state }) => refund_state !== null && refund_state !== 'done')
    const isOld = (time: Date | null | undefined) => !!time && time < admin.stuckSince(now(context))
    return {
      ...order,
      no: row.no,
      user_id: row.user_id,
      stuck: (row.state === 'incomplete' && (row.contradicted || isOld(row.paid_at))) || isOld(refund?.refund_since),
      error: refund?.refund_error || row.error,
      due_at: row.due_at?.toISOString() ?? null,
      refundable: row.state === 'incomplete' && row.given_up === '',
    }
  })
}

/** Newest first. @param before the number of the last one of the previous page */
export const pageOfExchanges = async (
  context: Deps,
  filter: { status?: ExchangeState | undefined; stuck?: boolean | undefined; text: string; userIds: readonly number[] },
  before: number | undefined,
  size: number,
  lang: Lang,
): Promise<OperatedExchange[]> =>
  toWire(context, await admin.pageOfAll(context.db, filter, before, size, now(context)), lang)

export async function showExchange(context: Deps, id: string, lang: Lang): Promise<OperatedExchange> {
  const row = await findRow(context.db, id)
  if (!row) throw new AppError('notFound')
  const [shown] = await toWire(context, [row], lang)
  return shown as OperatedExchange
}

/** @throws AppError notFound, exchangeStep if nothing is waiting */
export async function retryExchange(context: Pick<Deps, 'clock'>, tx: Db, id: string): Promise<void> {
  const row = await lockExchange(tx, id)
  if (!row) throw new AppError('notFound')
  if ((await retryNow(tx, row.no, now(context))) === 0) throw new AppError('exchangeStep')
}

/** @throws AppError notFound, exchangeStep unless it is paid and not credited yet */
export async function refundExchange(context: Pick<Deps, 'clock'>, tx: Db, id: string): Promise<void> {
  const row = await lockExchange(tx, id)
  if (!row) throw new AppError('notFound')
  if (!(await giveUp(tx, row.no, 'operator', now(context)))) throw new AppError('exchangeStep')
}

/** @returns the rate before */
export async function setExchangeRate(
  context: Pick<Deps, 'clock'>,
  tx: Db,
  rate: ExchangeRate & { by: number },
): Promise<ExchangeRate> {
  const before = await currentRate(tx)
  await insertRate(tx, { ...rate, at: now(context) })
  return before
}

export async function exchangeTotals(context: Deps, lang: Lang) {
  const { db, config } = context
  const exchange = findExchange(context)
  const { decimals } = await wiringOf(context, lang)
  const [sums, states, stuck, read, rate, row, balance, partner] = await Promise.all([
    admin.sumPayments(db),
    admin.countStates(db),
    admin.countStuck(db, now(context)),
    exchange ? findRead(db, readKey(exchange)) : undefined,
    currentRate(db),
    latestRate(db),
    exchange?.token.balance(exchange.address).catch(() => null) ?? null,
    partnerHealth(config),
  ])
  const shown = (units: string) => decimal(units, decimals)
  return {
    paid: shown(sums.paid),
    credited: shown(sums.credited),
    refunded: shown(sums.refunded),
    refunding: shown(sums.refunding),
    fees: shown(sums.fees),
    pending: shown(sums.pending),
    points: sums.points,
    states,
    stuck,
    address: exchange?.address ?? '',
    balance: balance === null ? null : shown(String(balance)),
    read: read
      ? { height: read.height, block_time: read.block_time.toISOString(), at: read.read_at.toISOString() }
      : null,
    partner,
    rate: {
      ...toWireRate({ usd_per_tnt4: rate.usdPerTnt4, credits_per_usd: rate.creditsPerUsd, discount: rate.discount }),
      since: row?.created_at.toISOString() ?? null,
      by_user_id: row?.by_user_id ?? null,
    },
  }
}

/** Exchanges that need an operator, or something outside. */
export const countStuckExchanges = (context: Pick<Deps, 'db' | 'clock'>): Promise<number> =>
  admin.countStuck(context.db, now(context))

async function partnerHealth({ exchange }: Pick<Deps['config'], 'exchange'>) {
  const partner = partnerOf(exchange)
  if (!partner) return null
  const began = performance.now()
  const error = await partner.check().then(
    () => '',
    ({ message }: Error) => message,
  )
  return {
    name: exchange.name,
    simulated: exchange.simulated,
    reachable: error === '',
    ms: Math.round(performance.now() - began),
    error,
  }
}
