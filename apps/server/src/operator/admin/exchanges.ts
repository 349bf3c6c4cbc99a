import type { AdminExchange, contract, Lang, Output, Parsed } from '@tidenet/contract'
import { accountsOf, idsOfUidOrEmail } from '../../identity/index.ts'
import {
  exchangeTotals,
  type OperatedExchange,
  pageOfExchanges,
  refundExchange,
  retryExchange,
  setExchangeRate,
  showExchange,
  toWireRate,
} from '../../payments/index.ts'
import { idAfter, pageOf } from '../../platform/db/cursors.ts'
import type { Context } from '../context.ts'
import { change, type Operator } from './change.ts'

type Admin = (typeof contract)['admin']

async function withOwners({ db }: Pick<Context, 'db'>, rows: readonly OperatedExchange[]): Promise<AdminExchange[]> {
  const people = await accountsOf(
    db,
    rows.flatMap(({ user_id }) => user_id ?? []),
  )
  return rows.map(({ no: _, user_id, ...row }) => ({
    ...row,
    uid: people.get(user_id ?? 0)?.uid ?? '',
    email: people.get(user_id ?? 0)?.email ?? '',
  }))
}

export async function listExchanges(
  context: Context,
  { after, size, status, stuck, q = '' }: Parsed<Admin['exchanges']>,
  lang: Lang,
): Promise<Output<Admin['exchanges']>> {
  const userIds = q === '' ? [] : await idsOfUidOrEmail(context.db, q)
  const rows = await pageOfExchanges(context, { status, stuck, text: q, userIds }, idAfter(after), size + 1, lang)
  const { list, next } = pageOf(rows, size, (last) => [last.no])
  return { list: await withOwners(context, list), next }
}

async function show(context: Context, id: string, lang: Lang): Promise<AdminExchange> {
  const [shown] = await withOwners(context, [await showExchange(context, id, lang)])
  return shown as AdminExchange
}

export async function totals(context: Context, lang: Lang): Promise<Output<Admin['exchangeTotals']>> {
  const { rate, ...rest } = await exchangeTotals(context, lang)
  const { by_user_id, ...shown } = rate
  const people = await accountsOf(context.db, by_user_id === null ? [] : [by_user_id])
  return { ...rest, rate: { ...shown, by: people.get(by_user_id ?? 0)?.uid ?? '' } }
}

/** @throws AppError notFound, exchangeStep */
export async function retry(
  context: Context,
  operator: Operator,
  { id }: Parsed<Admin['exchangeRetry']>,
  lang: Lang,
): Promise<AdminExchange> {
  await change(context, operator, { action: 'exchange.retry', subject: `exchange:${id}` }, async (tx) => ({
    result: await retryExchange(context, tx, id),
  }))
  return show(context, id, lang)
}

/** @throws AppError notFound, exchangeStep */
export async function refund(
  context: Context,
  operator: Operator,
  { id, reason }: Parsed<Admin['exchangeRefund']>,
  lang: Lang,
): Promise<AdminExchange> {
  const entry = { action: 'exchange.refund', subject: `exchange:${id}`, detail: { reason } } as const
  await change(context, operator, entry, async (tx) => ({ result: await refundExchange(context, tx, id) }))
  return show(context, id, lang)
}

export async function setRate(
  context: Context,
  operator: Operator,
  { reason, ...input }: Parsed<Admin['exchangeRate']>,
): Promise<Output<Admin['exchangeRate']>> {
  const rate = {
    usdPerTnt4: input.usd_per_tnt4,
    creditsPerUsd: input.credits_per_usd,
    discount: input.discount,
    by: operator.caller.userId,
  }
  await change(context, operator, { action: 'exchange.rate', subject: 'exchange', detail: { reason } }, async (tx) => ({
    result: undefined,
    detail: { before: await setExchangeRate(context, tx, rate), after: input },
  }))
  return toWireRate(input)
}
