import { createKeyedMutex } from '@tidenet/daemon'
import { ago, DAY } from '../ago.ts'
import { type Context, now } from '../context.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'
import { EXPIRED_BATCH } from '../tasks/expired.ts'

export { clientNetworkOf } from '@tidenet/daemon'

/** Limits attempts to guess a secret. Times in ms. */
export interface AttemptLimit {
  kind: string
  /** Attempts before the first lock. Each further attempt doubles the lock, up to `longestLock`. */
  free: number
  firstLock: number
  longestLock: number
}

/** Attempts are reset after this long without a new one. */
const RESET_AFTER_MS = DAY

/**
 * Counts an attempt. Call it before the attempt, so that concurrent attempts cannot exceed the limit.
 * @returns 0, or the seconds for which the subject is locked
 */
export async function countAttempt(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { kind, free, firstLock, longestLock }: AttemptLimit,
  subject: string,
): Promise<number> {
  const at = now({ clock })
  const stale = ago(at, RESET_AFTER_MS)
  const failed = sql`case when a.since < ${stale} then 1 else a.failed + 1 end`
  const lockOf = (count: typeof failed) => sql`
    case when ${count} >= ${free} then
      ${at}::timestamptz + interval '1 millisecond' *
        least(${longestLock}::float8, ${firstLock}::float8 * power(2::float8, least(30, ${count} - ${free})))
    end`
  const counted = await db.run(sql`
    insert into attempts as a (kind, subject, failed, since, locked_until)
    values (${kind}, ${subject}, 1, ${at}, ${lockOf(sql`1`)})
    on conflict (kind, subject) do update set failed = ${failed}, since = ${at}, locked_until = ${lockOf(failed)}
      where a.locked_until is null or a.locked_until <= ${at}`)
  return counted === 1 ? 0 : secondsLocked(db, kind, subject, at)
}

/** Whole seconds until `time`, at least one. */
export const secondsUntil = (time: Date, at: Date): number =>
  Math.max(1, Math.ceil((time.getTime() - at.getTime()) / 1000))

async function secondsLocked(db: Db, kind: string, subject: string, at: Date): Promise<number> {
  const lock = await db.maybe<{ locked_until: Date | null }>(
    sql`select locked_until from attempts where kind = ${kind} and subject = ${subject}`,
  )
  return secondsUntil(lock?.locked_until ?? at, at)
}

/** Call it after a correct attempt, or when the secret has changed. */
export async function resetAttempts(db: Db, limit: AttemptLimit, subject: string): Promise<void> {
  await db.run(sql`delete from attempts where kind = ${limit.kind} and subject = ${subject}`)
}

/** Uncounts an attempt that did not test the secret. */
export async function uncountAttempt(db: Db, { kind, free }: AttemptLimit, subject: string): Promise<void> {
  await db.run(sql`
    update attempts set failed = greatest(0, failed - 1), locked_until = case when failed > ${free} then locked_until end
    where kind = ${kind} and subject = ${subject}`)
}

/** Limits failures in a time window; successes are uncounted. */
export interface FailureLimit {
  kind: string
  max: number
  /** Window in ms, from its first failure. */
  within: number
}

/**
 * Counts a failure in advance, so that concurrent attempts cannot exceed the limit; call `uncountFailure` after a success.
 * @returns 0, or the seconds until the window ends
 */
export async function countFailure(
  { db, clock }: Pick<Context, 'clock'> & { db: Db },
  { kind, max, within }: FailureLimit,
  subject: string,
): Promise<number> {
  const at = now({ clock })
  const end = new Date(at.getTime() + within)
  const over = sql`a.locked_until <= ${at}`
  const counted = await db.run(sql`
    insert into attempts as a (kind, subject, failed, since, locked_until) values (${kind}, ${subject}, 1, ${at}, ${end})
    on conflict (kind, subject) do update set failed = case when ${over} then 1 else a.failed + 1 end,
      since = case when ${over} then excluded.since else a.since end,
      locked_until = case when ${over} then excluded.locked_until else a.locked_until end
      where ${over} or a.failed < ${max}`)
  return counted === 1 ? 0 : secondsLocked(db, kind, subject, at)
}

export async function uncountFailure(db: Db, { kind }: FailureLimit, subject: string): Promise<void> {
  await db.run(sql`
    update attempts set failed = greatest(0, failed - 1) where kind = ${kind} and subject = ${subject}`)
}

/**
 * Serializes attempts on one subject within this process, so that concurrent correct passwords all succeed although each counts an attempt
 * first.
 */
export const oneAtATime = createKeyedMutex()

export const expired = (at: Date): Sql[] => [
  sql`delete from attempts where (kind, subject) in (
    select kind, subject from attempts where since < ${ago(at, DAY)} and (locked_until is null or locked_until < ${ago(at, DAY)}) limit ${EXPIRED_BATCH} for update skip locked)`,
]
