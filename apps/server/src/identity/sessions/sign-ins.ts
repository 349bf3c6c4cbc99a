import { AppError, type SignInMethod } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Context, now } from '../context.ts'

export type Way = SignInMethod

/** Writes down that somebody came in, or tried to; returns the row's number. */
export async function logSignIn(
  context: Pick<Context, 'clock'>,
  db: Db,
  userId: number | null,
  from: { ip: string; agent: string },
  { way, second, ok }: { way: Way; second: '' | 'owed' | 'totp' | 'passkey' | 'recovery'; ok: boolean },
): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into sign_ins (user_id, at, way, second, ip, agent, ok)
    values (${userId}, ${now(context)}, ${way}, ${second}, ${from.ip}, ${from.agent.slice(0, 300)}, ${ok}) returning id`)
  return id
}

/** What the first factor wrote, completed. */
export const completeSignIn = (tx: Db, id: number, second: 'totp' | 'passkey' | 'recovery'): Promise<number> =>
  tx.run(sql`update sign_ins set ok = true, second = ${second} where id = ${id}`)

/** Refusals of one account and address that are written down in an hour: whoever goes on trying does not fill the table. */
const REFUSALS_AN_HOUR = 20
const HOUR = 3_600_000

/** What a sign-in does, and tells on the way whose account it is about; null: nobody's that is known. */
type Attempt<T> = (isAbout: (userId: number | null) => void) => Promise<T>

/**
 * Carries a sign-in out and writes down when it is refused, outside of the transaction that the refusal ends. One that tells null is
 * written too, so that the time it takes tells nobody who has an account.
 */
export async function logRefusal<T>(
  context: Pick<Context, 'clock' | 'db'>,
  way: Way,
  from: { ip: string; agent: string },
  attempt: Attempt<T>,
): Promise<T> {
  let about: number | null | undefined
  try {
    return await attempt((userId) => {
      about = userId
    })
  } catch (error) {
    if (error instanceof AppError && about !== undefined) await writeRefusal(context, way, from, about)
    throw error
  }
}

async function writeRefusal(
  context: Pick<Context, 'clock' | 'db'>,
  way: Way,
  from: { ip: string; agent: string },
  userId: number | null,
): Promise<void> {
  const at = now(context)
  await context.db.run(sql`
    insert into sign_ins (user_id, at, way, second, ip, agent, ok)
    select ${userId}::bigint, ${at}::timestamptz, ${way}, '', ${from.ip}, ${from.agent.slice(0, 300)}, false
    where (select count(*) from sign_ins where ip = ${from.ip} and at > ${new Date(at.getTime() - HOUR)} and not ok
      and user_id is not distinct from ${userId}::bigint) < ${REFUSALS_AN_HOUR}`)
}
