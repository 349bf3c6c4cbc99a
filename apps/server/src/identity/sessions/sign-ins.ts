import { AppError, type SignInMethod } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Context, now } from '../context.ts'

/** Records a sign-in or a failed attempt. @returns the id of the row */
export async function recordSignIn(
  context: Pick<Context, 'clock'>,
  db: Db,
  userId: number | null,
  from: { ip: string; agent: string },
  { method, second, ok }: { method: SignInMethod; second: '' | 'owed' | 'totp' | 'passkey' | 'recovery'; ok: boolean },
): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into sign_ins (user_id, at, way, second, ip, agent, ok)
    values (${userId}, ${now(context)}, ${method}, ${second}, ${from.ip}, ${from.agent.slice(0, 300)}, ${ok}) returning id`)
  return id
}

/** Completes the row that the first factor added. */
export const recordSecondFactor = (tx: Db, id: number, second: 'totp' | 'passkey' | 'recovery'): Promise<number> =>
  tx.run(sql`update sign_ins set ok = true, second = ${second} where id = ${id}`)

/** Failures that are recorded per hour for an account and address, so that attackers cannot fill the table. */
const FAILURES_PER_HOUR = 20
const HOUR = 3_600_000

/** A sign-in, which calls `setUser` when it knows the account; null: unknown account. */
type Attempt<T> = (setUser: (userId: number | null) => void) => Promise<T>

/**
 * Records a failed sign-in outside of its transaction, which is rolled back. Also records failures for unknown accounts, so that response
 * times do not reveal which accounts exist.
 */
export async function recordFailedSignIn<T>(
  context: Pick<Context, 'clock' | 'db'>,
  method: SignInMethod,
  from: { ip: string; agent: string },
  attempt: Attempt<T>,
): Promise<T> {
  let user: number | null | undefined
  try {
    return await attempt((userId) => {
      user = userId
    })
  } catch (error) {
    if (error instanceof AppError && user !== undefined) await recordFailure(context, method, from, user)
    throw error
  }
}

async function recordFailure(
  context: Pick<Context, 'clock' | 'db'>,
  method: SignInMethod,
  from: { ip: string; agent: string },
  userId: number | null,
): Promise<void> {
  const at = now(context)
  await context.db.run(sql`
    insert into sign_ins (user_id, at, way, second, ip, agent, ok)
    select ${userId}::bigint, ${at}::timestamptz, ${method}, '', ${from.ip}, ${from.agent.slice(0, 300)}, false
    where (select count(*) from sign_ins where ip = ${from.ip} and at > ${new Date(at.getTime() - HOUR)} and not ok
      and user_id is not distinct from ${userId}::bigint) < ${FAILURES_PER_HOUR}`)
}
