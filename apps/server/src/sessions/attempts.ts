import { type Context, now } from '../context.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** How often something may be guessed. Times in ms. */
export interface GuessLimit {
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
export async function takeTry(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { kind, free, firstLock, longestLock }: GuessLimit,
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
  if (taken === 1) return 0
  const lock = await db.maybe<{ locked_until: Date | null }>(
    sql`select locked_until from attempts where kind = ${kind} and subject = ${subject}`,
  )
  return Math.max(1, Math.ceil(((lock?.locked_until?.getTime() ?? 0) - at.getTime()) / 1000))
}

/** Forgets the tries: the guess was right, or the secret is a new one. */
export async function forgetTries(db: Db, limit: GuessLimit, subject: string): Promise<void> {
  await db.run(sql`delete from attempts where kind = ${limit.kind} and subject = ${subject}`)
}

/** What counts as one caller in limits: an IPv4 address, or the /64 network that one household or machine holds of IPv6. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1] as string
  if (!ip.includes(':')) return ip
  const [head = '', tail] = ip.split('%')[0]!.split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const filled = tail === undefined ? groups : [...groups, ...Array(8 - groups.length - rest.length).fill('0'), ...rest]
  return `${filled
    .slice(0, 4)
    .map((group: string) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

const turns = new Map<string, Promise<unknown>>()

/**
 * Carries out work on one subject after the other within this process: many right passwords at the same moment all
 * succeed although each takes a try first. Other processes are held back by the tries alone.
 */
export async function inTurn<T>(subject: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(subject) ?? Promise.resolve()
  const mine = before.then(work, work)
  turns.set(subject, mine)
  try {
    return await mine
  } finally {
    if (turns.get(subject) === mine) turns.delete(subject)
  }
}
