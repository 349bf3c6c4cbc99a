import { createKeyedMutex } from '@tidenet/daemon'
import { ago, DAY } from '../ago.ts'
import { type Context, now } from '../context.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'
import { EXPIRED_BATCH } from '../tasks/expired.ts'

export { clientNetworkOf } from '@tidenet/daemon'

/** How often something may be guessed. Times in ms. */
export interface AttemptLimit {
  kind: string
  /** This many tries are free; the last of them locks until `firstLock` has passed, each further one twice as long. */
  free: number
  firstLock: number
  longestLock: number
}

/** Tries are forgotten when none followed for this long. */
const FORGOTTEN_AFTER = 24 * 3600 * 1000

/**
 * Takes one try before it is carried out, so that tries at the same moment cannot pass the limit together.
 * @returns the seconds that a locked subject has to wait, or 0: go ahead
 */
export async function countAttempt(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { kind, free, firstLock, longestLock }: AttemptLimit,
  subject: string,
): Promise<number> {
  const at = now({ clock })
  const stale = new Date(at.getTime() - FORGOTTEN_AFTER)
  const failed = sql`case when a.since < ${stale} then 1 else a.failed + 1 end`
  const lockOf = (count: typeof failed) => sql`
    case when ${count} >= ${free} then
      ${at}::timestamptz + interval '1 millisecond' *
        least(${longestLock}::float8, ${firstLock}::float8 * power(2::float8, least(30, ${count} - ${free})))
    end`
  const taken = await db.run(sql`
    insert into attempts as a (kind, subject, failed, since, locked_until)
    values (${kind}, ${subject}, 1, ${at}, ${lockOf(sql`1`)})
    on conflict (kind, subject) do update set failed = ${failed}, since = ${at}, locked_until = ${lockOf(failed)}
      where a.locked_until is null or a.locked_until <= ${at}`)
  return taken === 1 ? 0 : secondsLocked(db, kind, subject, at)
}

/** Whole seconds that are left; at least one, for who is refused anyway. */
export const secondsUntil = (time: Date, at: Date): number =>
  Math.max(1, Math.ceil((time.getTime() - at.getTime()) / 1000))

async function secondsLocked(db: Db, kind: string, subject: string, at: Date): Promise<number> {
  const lock = await db.maybe<{ locked_until: Date | null }>(
    sql`select locked_until from attempts where kind = ${kind} and subject = ${subject}`,
  )
  return secondsUntil(lock?.locked_until ?? at, at)
}

/** Forgets the tries: the guess was right, or the secret is a new one. */
export async function resetAttempts(db: Db, limit: AttemptLimit, subject: string): Promise<void> {
  await db.run(sql`delete from attempts where kind = ${limit.kind} and subject = ${subject}`)
}

/** Takes back a try that turned out to be no guess. */
export async function uncountAttempt(db: Db, { kind, free }: AttemptLimit, subject: string): Promise<void> {
  await db.run(sql`
    update attempts set failed = greatest(0, failed - 1), locked_until = case when failed > ${free} then locked_until end
    where kind = ${kind} and subject = ${subject}`)
}

/** How often something may go wrong in a while; what went well is given back and does not count. */
export interface FailureLimit {
  kind: string
  max: number
  /** Ms from the first failure that counts. */
  within: number
}

/**
 * Counts one failure before it is known whether it is one, so that tries at the same moment cannot pass the limit together.
 * @returns the seconds until it is counted anew, or 0: go ahead
 */
export async function countFailure(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { kind, max, within }: FailureLimit,
  subject: string,
): Promise<number> {
  const at = now({ clock })
  const end = new Date(at.getTime() + within)
  const over = sql`a.locked_until <= ${at}`
  const taken = await db.run(sql`
    insert into attempts as a (kind, subject, failed, since, locked_until) values (${kind}, ${subject}, 1, ${at}, ${end})
    on conflict (kind, subject) do update set failed = case when ${over} then 1 else a.failed + 1 end,
      since = case when ${over} then excluded.since else a.since end,
      locked_until = case when ${over} then excluded.locked_until else a.locked_until end
      where ${over} or a.failed < ${max}`)
  return taken === 1 ? 0 : secondsLocked(db, kind, subject, at)
}

/** It went well: what was counted before is taken back. */
export async function uncountFailure(db: Db, { kind }: FailureLimit, subject: string): Promise<void> {
  await db.run(sql`
    update attempts set failed = greatest(0, failed - 1) where kind = ${kind} and subject = ${subject}`)
}

/**
 * One after the other on one subject within this process: many right passwords at the same moment all succeed although each takes a try
 * first. Other processes are held back by the tries alone.
 */
export const oneAtATime = createKeyedMutex()

/** Limits look back one day. */
export const expired = (at: Date): Sql[] => [
  sql`delete from attempts where (kind, subject) in (
    select kind, subject from attempts where since < ${ago(at, DAY)} and (locked_until is null or locked_until < ${ago(at, DAY)}) limit ${EXPIRED_BATCH} for update skip locked)`,
]
