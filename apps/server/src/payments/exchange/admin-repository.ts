import type { ExchangeState } from '@tidenet/contract'
import { ago } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, sql } from '../../platform/db/sql.ts'
import type { ExchangeRow } from './repository.ts'

/** An operator should look at what has waited since then. */
export const stuckSince = (at: Date): Date => ago(at, 600_000)

const isStuck = (at: Date) => sql`(
  (e.state = 'incomplete' and (e.contradicted or e.paid_at < ${stuckSince(at)}))
  or exists (select from exchange_payments p join exchange_refunds r on r.payment_id = p.id
    where p.exchange_no = e.no and r.state <> 'done' and r.created_at < ${stuckSince(at)}))`

/** Newest first. */
export const pageOfAll = (
  db: Db,
  {
    status,
    stuck,
    text,
    userIds,
  }: { status?: ExchangeState | undefined; stuck?: boolean | undefined; text: string; userIds: readonly number[] },
  before: number | undefined,
  size: number,
  at: Date,
): Promise<ExchangeRow[]> =>
  db.rows(sql`
    select e.no, e.id, e.user_id, e.wallet, e.account, e.account_name, e.points, e.units::text as units, e.usd, e.usd_per_tnt4,
      e.credits_per_usd, e.discount, e.state, e.reason, e.given_up, e.confirmed, e.expires_at, e.paid_at, e.due_at, e.attempts, e.reference,
      e.error, e.contradicted, e.created_at, e.updated_at
    from exchanges e
    where true
      ${status ? sql`and e.state = ${status}` : none}
      ${stuck === undefined ? none : sql`and ${isStuck(at)} = ${stuck}`}
      ${before === undefined ? none : sql`and e.no < ${before}`}
      ${
        text === ''
          ? none
          : sql`and (e.id = ${text} or e.wallet = ${text} or e.account = ${text} or e.user_id = any(${userIds})
              or e.no in (select exchange_no from exchange_payments where hash = ${text.toUpperCase()} or payer = ${text}))`
      }
    order by e.no desc limit ${size}`)

export const countStates = async (db: Db): Promise<Record<ExchangeState, number>> => {
  const rows = await db.rows<{ state: ExchangeState; count: number }>(
    sql`select state, count(*) as count from exchanges group by state`,
  )
  const of = (state: ExchangeState) => rows.find((row) => row.state === state)?.count ?? 0
  return {
    in_progress: of('in_progress'),
    incomplete: of('incomplete'),
    completed: of('completed'),
    failure: of('failure'),
  }
}

export const countStuck = async (db: Db, at: Date): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count from exchanges e where ${isStuck(at)}`)).count

/** Sums of units, in one statement, so that they are consistent. */
export const sumPayments = (
  db: Db,
): Promise<{
  paid: string
  credited: string
  refunded: string
  refunding: string
  fees: string
  pending: string
  points: number
}> =>
  db.one(sql`
    select coalesce(sum(p.units), 0)::text as paid,
      coalesce(sum(p.units) filter (where p.result = 'credited'), 0)::text as credited,
      coalesce(sum(r.amount) filter (where r.state = 'done'), 0)::text as refunded,
      coalesce(sum(r.amount) filter (where r.state <> 'done'), 0)::text as refunding,
      coalesce(sum(p.fee), 0)::text as fees,
      coalesce(sum(p.units) filter (where p.result = 'pending'), 0)::text as pending,
      coalesce((select sum(points) from exchanges where state = 'completed'), 0)::bigint as points
    from exchange_payments p left join exchange_refunds r on r.payment_id = p.id`)
