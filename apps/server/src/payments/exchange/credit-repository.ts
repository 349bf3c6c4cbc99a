import type { ExchangeReason } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { ExchangeRow } from './repository.ts'

/** Paid exchanges on their way to the partner. */

export type DueRow = Pick<ExchangeRow, 'no' | 'id' | 'account' | 'points' | 'attempts' | 'given_up' | 'paid_at'>

/** Claims due exchanges until `until`; another server continues then. */
export const leaseDue = (db: Db, at: Date, until: Date, limit: number): Promise<DueRow[]> =>
  db.rows(sql`
    update exchanges e set due_at = ${until}
    where no = any (array(
      select no from exchanges where state = 'incomplete' and due_at <= ${at} order by due_at limit ${limit} for update skip locked))
    returning e.no, e.id, e.account, e.points, e.attempts, e.given_up, e.paid_at`)

/** @returns false if crediting was given up, or the exchange has ended */
export const countAttempt = async (db: Db, no: number): Promise<boolean> =>
  (await db.run(sql`
    update exchanges set attempts = attempts + 1 where no = ${no} and state = 'incomplete' and given_up = ''`)) === 1

/** From here on the partner is not asked to credit. @returns false if the exchange has ended, or was given up before */
export const giveUp = async (db: Db, no: number, by: 'partner' | 'operator', at: Date): Promise<boolean> =>
  (await db.run(sql`
    update exchanges set given_up = ${by}, due_at = ${at}, contradicted = false, updated_at = ${at}
    where no = ${no} and state = 'incomplete' and given_up = ''`)) === 1

export const postpone = (db: Db, no: number, error: string, until: Date, at: Date): Promise<number> =>
  db.run(sql`
    update exchanges set due_at = ${until}, error = ${error.slice(0, 500)}, updated_at = ${at}
    where no = ${no} and state = 'incomplete'`)

export const setContradicted = (db: Db, no: number, error: string, until: Date, at: Date): Promise<number> =>
  db.run(sql`
    update exchanges set contradicted = true, error = ${error.slice(0, 500)}, due_at = ${until}, updated_at = ${at}
    where no = ${no} and state = 'incomplete'`)

/** @returns false if it has ended */
export const complete = async (tx: Db, no: number, reference: string, at: Date): Promise<boolean> =>
  (await tx.run(sql`
    update exchanges set state = 'completed', reference = ${reference}, due_at = null, error = '', contradicted = false, updated_at = ${at}
    where no = ${no} and state = 'incomplete'`)) === 1

export const lockIncomplete = (tx: Db, no: number): Promise<Pick<ExchangeRow, 'user_id' | 'given_up'> | undefined> =>
  tx.maybe(sql`select user_id, given_up from exchanges where no = ${no} and state = 'incomplete' for update`)

export const fail = (tx: Db, no: number, reason: ExchangeReason, error: string, at: Date): Promise<number> =>
  tx.run(sql`
    update exchanges set state = 'failure', reason = ${reason}, error = ${error.slice(0, 500)}, due_at = null, contradicted = false,
      updated_at = ${at}
    where no = ${no} and state = 'incomplete'`)

/** Tries it, and refunds of it, again at once. @returns how many were waiting */
export const retryNow = async (tx: Db, no: number, at: Date): Promise<number> =>
  (await tx.run(
    sql`update exchanges set due_at = ${at}, updated_at = ${at} where no = ${no} and state = 'incomplete'`,
  )) +
  (await tx.run(sql`
    update exchange_refunds set due_at = ${at}
    where state = 'reserved' and payment_id in (select id from exchange_payments where exchange_no = ${no})`))
