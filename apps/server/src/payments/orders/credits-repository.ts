import type { OutageCause } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { type PendingPayouts, pendingPayoutsIn } from '../payouts/pending.ts'
import type { OrderRow } from './repository.ts'

export interface CreditRow {
  id: number
  order_id: string
  cause: OutageCause
  from_at: Date
  to_at: Date
  /** Units, as text. */
  amount: string
  payment: string | null
  receipt_id: number | null
}

/** The orders that ever had this workspace, locked, the oldest first; they follow each other. */
export const lockOrdersOfWorkspace = (
  tx: Db,
  workspaceId: string,
): Promise<
  Pick<
    OrderRow,
    'id' | 'user_id' | 'payer' | 'lang' | 'cpu' | 'ram' | 'storage' | 'started_at' | 'expired_at' | 'refund'
  >[]
> =>
  tx.rows(sql`
    select id, user_id, payer, lang, cpu, ram, storage, started_at, expired_at, refund::text as refund from orders
    where workspace_id = ${workspaceId} and started_at is not null and money <> 'none' order by started_at, seq for update`)

/** What was credited to an order so far, in units. */
export const creditedOf = async (tx: Db, orderId: string): Promise<bigint> =>
  BigInt(
    (
      await tx.one<{ units: string }>(sql`
        select coalesce(sum(amount), 0)::text as units from order_credits where order_id = ${orderId}`)
    ).units,
  )

/** @returns 0 if this outage was credited before */
export const insertCredit = (
  tx: Db,
  credit: Pick<CreditRow, 'order_id' | 'cause' | 'from_at' | 'to_at' | 'amount'> & {
    user_id: number
    outage_id: number
    wallet: string
  },
  at: Date,
): Promise<number> =>
  tx.run(sql`
    insert into order_credits (user_id, order_id, outage_id, cause, from_at, to_at, wallet, amount, state, due_at, created_at)
    values (${credit.user_id}, ${credit.order_id}, ${credit.outage_id}, ${credit.cause}, ${credit.from_at}, ${credit.to_at},
      ${credit.wallet}, ${credit.amount}, 'reserved', ${at}, ${at})
    on conflict (order_id, outage_id) do nothing`)

export const setCreditReceipt = (tx: Db, orderId: string, outageId: number, receiptId: number): Promise<number> =>
  tx.run(sql`
    update order_credits set receipt_id = ${receiptId} where order_id = ${orderId} and outage_id = ${outageId}`)

/** Oldest first; at most 200. */
export const creditsOf = (db: Db, orderId: string): Promise<CreditRow[]> =>
  db.rows(sql`
    select id, order_id, cause, from_at, to_at, amount::text as amount, case state when 'done' then payment end as payment, receipt_id
    from order_credits where order_id = ${orderId} order by id limit 200`)

const pending = pendingPayoutsIn(sql`order_credits`)

/** @param onPaid runs in the transaction in which they are paid */
export const pendingCredits = (
  onPaid: (tx: Db, hash: string, paid: readonly { order_id: string; amount: string }[]) => Promise<void>,
): PendingPayouts => ({
  ...pending,
  async finish(tx, hash) {
    const paid = await pending.finish(tx, hash)
    await onPaid(
      tx,
      hash,
      await tx.rows(sql`
        select order_id, amount::text as amount from order_credits where id = any(${paid.map(({ id }) => id)}::bigint[]) order by id`),
    )
    return paid
  },
})
export const lateCredits = pending.late

export const countUnpaidCredits = async (db: Db, userId: number): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) as count from order_credits where user_id = ${userId} and state <> 'done'`)
  ).count

/** Records of money stay, without the account. */
export const erased = (userId: number): Sql[] => [
  sql`update order_credits set user_id = null where user_id = ${userId}`,
]

export const exported = (userId: number): Sql => sql`
  select id as row_key, order_id, cause, from_at, to_at, wallet, amount, state, payment, receipt_id
  from order_credits where user_id = ${userId}`
