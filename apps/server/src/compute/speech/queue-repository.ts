import { randomUUID } from 'node:crypto'
import type { SpeechKind, SpeechLanguage } from '@tidenet/contract'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Db } from '../context.ts'

/** A task that this server transcribes. */
export interface Leased {
  no: number
  lease: string
  name: string
  language: SpeechLanguage
  kind: SpeechKind
  seconds: number
  size: number
  /** Including this one. */
  attempts: number
  waiting_since: Date | null
}

/**
 * Claims the next task: the first one that is due, or whose server died. Undefined if there is none, or the engine has enough to do. The
 * caller ends tasks that had too many attempts.
 */
export async function claimNext(
  tx: Db,
  { at, until, parallel }: { at: Date; until: Date; parallel: number },
): Promise<Leased | undefined> {
  await advisoryLock(tx, 'speech queue')
  const { running } = await tx.one<{ running: number }>(
    sql`select count(*) as running from speech_tasks where state = 'transcribing' and lease_until > ${at}`,
  )
  if (running >= parallel) return undefined
  return tx.maybe(sql`
    update speech_tasks t set state = 'transcribing', lease = ${randomUUID()}, lease_until = ${until}, started_at = ${at},
      attempts = t.attempts + 1
    where t.no = (
      select no from speech_tasks where (state = 'processing' and due_at <= ${at}) or (state = 'transcribing' and lease_until <= ${at})
      order by queue_at, no limit 1 for update skip locked)
    returning t.no, t.lease, t.name, t.language, coalesce(t.kind, 'mp3') as kind, coalesce(t.seconds, 0) as seconds, t.size,
      t.attempts, t.waiting_since`)
}

/** @returns false if the task was cancelled, or another server has it */
export const renewLease = async (db: Db, { no, lease }: Leased, until: Date): Promise<boolean> =>
  (await db.run(sql`update speech_tasks set lease_until = ${until} where no = ${no} and lease = ${lease}`)) === 1

/** Locks a task that this server still has. */
export const lockLeased = async (tx: Db, { no, lease }: Leased): Promise<boolean> =>
  (await tx.maybe(sql`select no from speech_tasks where no = ${no} and lease = ${lease} for update`)) !== undefined

/** Returns a task to the queue. @param uncounted the attempt says nothing about the recording */
export const releaseTask = (tx: Db, no: number, dueAt: Date, uncounted: boolean): Promise<number> =>
  tx.run(sql`
    update speech_tasks set state = 'processing', lease = null, lease_until = null, due_at = ${dueAt},
      attempts = attempts - ${uncounted ? 1 : 0}::int where no = ${no}`)

/** All tasks wait together, so that a missing engine is tried once per interval. */
export const postponeAll = (tx: Db, dueAt: Date, at: Date): Promise<number> =>
  tx.run(sql`
    update speech_tasks set due_at = greatest(due_at, ${dueAt}), waiting_since = coalesce(waiting_since, ${at})
    where state = 'processing'`)

export const engineAnswered = (db: Db): Promise<number> =>
  db.run(sql`
    update speech_tasks set waiting_since = null where state in ('processing', 'transcribing') and waiting_since is not null`)

export interface Segment {
  start: number
  end: number
  text: string
}

export async function completeTask(
  tx: Db,
  no: number,
  segments: readonly Segment[],
  { at, audioUntil, engineSeconds }: { at: Date; audioUntil: Date; engineSeconds: number },
): Promise<void> {
  await tx.run(sql`
    insert into speech_segments (task_no, index, start_at, end_at, original)
    select ${no}, s.index - 1, s.start_at, s.end_at, s.text
    from unnest(${segments.map(({ start }) => start)}::float8[], ${segments.map(({ end }) => end)}::float8[],
      ${segments.map(({ text }) => text)}::text[]) with ordinality as s (start_at, end_at, text, index)`)
  await tx.run(sql`
    update speech_tasks set state = 'complete', lease = null, lease_until = null, waiting_since = null, finished_at = ${at},
      audio_until = ${audioUntil}, engine_seconds = ${engineSeconds} where no = ${no}`)
}

/** Whether tasks wait for the engine. */
export const isEngineAwaited = async (db: Db): Promise<boolean> =>
  (
    await db.one<{ awaited: boolean }>(sql`
    select exists (select 1 from speech_tasks where state in ('processing', 'transcribing') and waiting_since is not null) as awaited`)
  ).awaited

export interface Ahead {
  /** Of the task itself. */
  no: number
  /** Tasks that wait before it. */
  waiting: number
  /** Seconds of audio before it: waiting, and being transcribed. */
  seconds: number
}

/** What is before each of these tasks. */
export const aheadOf = (db: Db, numbers: readonly number[]): Promise<Ahead[]> =>
  db.rows(sql`
    select t.no, count(q.no) filter (where q.state = 'processing') as waiting, coalesce(sum(q.seconds), 0)::float8 as seconds
    from speech_tasks t
    left join speech_tasks q on q.no <> t.no
      and (q.state = 'transcribing' or (q.state = 'processing' and (q.queue_at, q.no) < (t.queue_at, t.no)))
    where t.no = any(${numbers}::bigint[]) group by t.no`)

/** Seconds that the engine takes for a second of audio: the median of its last transcriptions; undefined before the first one. */
export const measuredSpeed = async (db: Db): Promise<number | undefined> =>
  (
    await db.one<{ speed: number | null }>(sql`
      select percentile_cont(0.5) within group (order by r.engine_seconds / r.seconds) as speed from (
        select engine_seconds, seconds from speech_tasks where engine_seconds is not null and seconds > 0
        order by finished_at desc limit 20) r`)
  ).speed ?? undefined
