import type { ExchangeReason, ExchangeState } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'

export interface ExchangeRow {
  no: number
  id: string
  user_id: number | null
  wallet: string
  account: string
  account_name: string
  points: number
  /** In units of the token; text because it can exceed the safe integers. */
  units: string
  usd: number
  usd_per_tnt4: number
  credits_per_usd: number
  discount: number
  state: ExchangeState
  reason: ExchangeReason
  given_up: '' | 'partner' | 'operator'
  confirmed: boolean
  expires_at: Date
  paid_at: Date | null
  due_at: Date | null
  attempts: number
  reference: string
  error: string
  contradicted: boolean
  created_at: Date
  updated_at: Date
}

const COLUMNS = sql`
  no, id, user_id, wallet, account, account_name, points, units::text as units, usd, usd_per_tnt4, credits_per_usd, discount, state, reason,
  given_up, confirmed, expires_at, paid_at, due_at, attempts, reference, error, contradicted, created_at, updated_at`

export interface Quote {
  units: bigint
  usd: bigint
  usdPerTnt4: number
  creditsPerUsd: number
  discount: number
}

export const insertExchange = (
  tx: Db,
  row: Pick<ExchangeRow, 'id' | 'user_id' | 'wallet' | 'account' | 'account_name' | 'points' | 'state' | 'reason'> & {
    quote: Quote
    expires_at: Date
    at: Date
  },
): Promise<ExchangeRow> =>
  tx.one(sql`
    insert into exchanges (id, user_id, wallet, account, account_name, points, units, usd, usd_per_tnt4, credits_per_usd, discount, state,
      reason, expires_at, created_at, updated_at)
    values (${row.id}, ${row.user_id}, ${row.wallet}, ${row.account}, ${row.account_name}, ${row.points}, ${String(row.quote.units)}::numeric,
      ${Number(row.quote.usd)}, ${row.quote.usdPerTnt4}, ${row.quote.creditsPerUsd}, ${row.quote.discount}, ${row.state}, ${row.reason},
      ${row.expires_at}, ${row.at}, ${row.at})
    returning ${COLUMNS}`)

export const findExchange = (db: Db, id: string): Promise<ExchangeRow | undefined> =>
  db.maybe(sql`select ${COLUMNS} from exchanges where id = ${id}`)

export const lockExchange = (tx: Db, id: string): Promise<ExchangeRow | undefined> =>
  tx.maybe(sql`select ${COLUMNS} from exchanges where id = ${id} for update`)

/** The latest exchange of a wallet that waits for its payment. */
export const lockWaitingOf = (tx: Db, wallet: string): Promise<ExchangeRow | undefined> =>
  tx.maybe(sql`
    select ${COLUMNS} from exchanges where wallet = ${wallet} and state = 'in_progress' order by no desc limit 1 for update`)

export const countWaiting = async (tx: Db, userId: number): Promise<number> =>
  (
    await tx.one<{ count: number }>(
      sql`select count(*) as count from exchanges where user_id = ${userId} and state = 'in_progress'`,
    )
  ).count

export const setQuote = (
  tx: Db,
  no: number,
  quote: Quote,
  { confirmed, expires_at, at }: { confirmed: boolean; expires_at: Date; at: Date },
): Promise<ExchangeRow> =>
  tx.one(sql`
    update exchanges set units = ${String(quote.units)}::numeric, usd = ${Number(quote.usd)}, usd_per_tnt4 = ${quote.usdPerTnt4},
      credits_per_usd = ${quote.creditsPerUsd}, discount = ${quote.discount}, confirmed = ${confirmed}, expires_at = ${expires_at},
      updated_at = ${at}
    where no = ${no} and state = 'in_progress' returning ${COLUMNS}`)

/** The payment arrived: the partner is asked to credit. */
export const setPaid = (tx: Db, no: number, at: Date): Promise<number> =>
  tx.run(sql`
    update exchanges set state = 'incomplete', paid_at = ${at}, due_at = ${at}, updated_at = ${at}
    where no = ${no} and state = 'in_progress'`)

/** Ends an exchange that is not paid. */
export const endUnpaid = (tx: Db, no: number, reason: ExchangeReason, at: Date): Promise<number> =>
  tx.run(sql`
    update exchanges set state = 'failure', reason = ${reason}, updated_at = ${at} where no = ${no} and state = 'in_progress'`)

/** Ends exchanges whose payment did not arrive. @param before their quotes ended before this time */
export const endLate = (db: Db, before: Date, at: Date): Promise<number> =>
  db.run(sql`
    update exchanges set state = 'failure', reason = 'unpaid', updated_at = ${at}
    where no = any (array(
      select no from exchanges where state = 'in_progress' and expires_at < ${before} order by expires_at limit 500 for update skip locked))`)

export interface RecordFilter {
  status?: ExchangeState | undefined
  from?: Date | undefined
  to?: Date | undefined
}

const matching = (userId: number, { status, from, to }: RecordFilter): Sql => sql`
  user_id = ${userId}
  ${status ? sql`and state = ${status}` : none}
  ${from ? sql`and created_at >= ${from}` : none}
  ${to ? sql`and created_at < ${to}` : none}`

/** Newest first. */
export const pageOfRecords = (
  db: Db,
  userId: number,
  filter: RecordFilter,
  size: number,
  offset: number,
): Promise<ExchangeRow[]> =>
  db.rows(sql`
    select ${COLUMNS} from exchanges where ${matching(userId, filter)} order by no desc limit ${size} offset ${offset}`)

export const countRecords = async (db: Db, userId: number, filter: RecordFilter): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count from exchanges where ${matching(userId, filter)}`))
    .count

export interface RateRow {
  usd_per_tnt4: number
  credits_per_usd: number
  discount: number
  by_user_id: number | null
  created_at: Date
}

export const latestRate = (db: Db): Promise<RateRow | undefined> =>
  db.maybe(sql`
    select usd_per_tnt4, credits_per_usd, discount, by_user_id, created_at from exchange_rates order by id desc limit 1`)

export const insertRate = (
  tx: Db,
  rate: { usdPerTnt4: number; creditsPerUsd: number; discount: number; by: number; at: Date },
): Promise<number> =>
  tx.run(sql`
    insert into exchange_rates (usd_per_tnt4, credits_per_usd, discount, by_user_id, created_at)
    values (${rate.usdPerTnt4}, ${rate.creditsPerUsd}, ${rate.discount}, ${rate.by}, ${rate.at})`)

/** Records of money stay without the account. */
export const erased = (userId: number): Sql[] => [
  sql`update exchanges set user_id = null where user_id = ${userId}`,
  sql`update exchange_refunds set user_id = null where user_id = ${userId}`,
  sql`update exchange_rates set by_user_id = null where by_user_id = ${userId}`,
  sql`update test_coins set user_id = null where user_id = ${userId}`,
]

/** Exchanges that have not ended, and coins that are on their way. */
export const countUnfinished = (db: Db, userId: number): Promise<{ exchanges: number; payouts: number }> =>
  db.one(sql`
    select (select count(*) from exchanges where user_id = ${userId} and state in ('in_progress', 'incomplete')) as exchanges,
      (select count(*) from exchange_refunds where user_id = ${userId} and state <> 'done')
        + (select count(*) from test_coins where user_id = ${userId} and state <> 'done') as payouts`)

export const exported = (userId: number): Sql => sql`
  select no as row_key, id, wallet, account, account_name, points, units, state, reason, created_at, updated_at from exchanges
  where user_id = ${userId}`
