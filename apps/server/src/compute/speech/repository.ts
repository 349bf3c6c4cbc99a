import {
  SPEECH_UPLOAD_KEPT,
  type SpeechFailure,
  type SpeechKind,
  type SpeechLanguage,
  type SpeechState,
} from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import type { Db } from '../context.ts'

/** Failed and cancelled tasks are listed this long. */
const ENDED_KEPT = 30 * DAY
/** Tasks whose recordings are deleted by one statement, about 50 parts each. */
const RECORDINGS_BATCH = 100

export interface TaskRow {
  no: number
  user_id: number
  id: string
  name: string
  language: SpeechLanguage
  state: SpeechState
  failure: SpeechFailure
  size: number
  received: number
  has_audio: boolean
  audio_until: Date | null
  kind: SpeechKind | null
  seconds: number | null
  attempts: number
  started_at: Date | null
  waiting_since: Date | null
  version: number
  created_at: Date
  finished_at: Date | null
}

const taskColumns = sql`t.no, t.user_id, t.id, t.name, t.language, t.state, t.failure, t.size, t.received, t.has_audio, t.audio_until,
  t.kind, t.seconds, t.attempts, t.started_at, t.waiting_since, t.version, t.created_at, t.finished_at`

const UNFINISHED = sql`('uploading', 'processing', 'transcribing')`

export const findTask = (db: Db, userId: number, id: string): Promise<TaskRow | undefined> =>
  db.maybe(sql`select ${taskColumns} from speech_tasks t where t.user_id = ${userId} and t.id = ${id}`)

export const lockTask = (tx: Db, userId: number, id: string): Promise<TaskRow | undefined> =>
  tx.maybe(sql`select ${taskColumns} from speech_tasks t where t.user_id = ${userId} and t.id = ${id} for update`)

export const insertTask = (
  tx: Db,
  {
    userId,
    id,
    name,
    language,
    size,
    at,
  }: { userId: number; id: string; name: string; language: SpeechLanguage; size: number; at: Date },
): Promise<TaskRow> =>
  tx.one(sql`
    insert into speech_tasks as t (user_id, id, name, language, size, created_at, touched_at)
    values (${userId}, ${id}, ${name}, ${language}, ${size}, ${at}, ${at}) returning ${taskColumns}`)

export interface Counts {
  unfinished: number
  kept: number
}

export const countTasks = (db: Db, userId: number): Promise<Counts> =>
  db.one(sql`
    select count(*) filter (where state in ${UNFINISHED}) as unfinished, count(*) filter (where state = 'complete') as kept
    from speech_tasks where user_id = ${userId}`)

/** Of all accounts: tasks in the queue, and bytes of recordings, counted at their full size. */
export const load = (db: Db): Promise<{ queued: number; bytes: number }> =>
  db.one(sql`
    select (select count(*) from speech_tasks where state in ('processing', 'transcribing')) as queued,
      (select coalesce(sum(size), 0) from speech_tasks where has_audio) as bytes`)

export async function insertPart(tx: Db, no: number, start: number, bytes: Buffer, at: Date): Promise<void> {
  await tx.run(sql`insert into speech_parts (task_no, start, bytes) values (${no}, ${start}, ${bytes})`)
  await tx.run(sql`update speech_tasks set received = ${start + bytes.length}, touched_at = ${at} where no = ${no}`)
}

/** The recording, one part in memory at a time. Ends early if it is deleted meanwhile. */
export async function* partsOf(db: Db, no: number): AsyncGenerator<Buffer> {
  for (let start = 0; ; ) {
    const part = await db.maybe<{ bytes: Buffer }>(
      sql`select bytes from speech_parts where task_no = ${no} and start = ${start}`,
    )
    if (!part) return
    yield part.bytes
    start += part.bytes.length
  }
}

export const deleteParts = (tx: Db, no: number): Promise<number> =>
  tx.run(sql`
    with gone as (update speech_tasks set has_audio = false, audio_until = null where no = ${no})
    delete from speech_parts where task_no = ${no}`)

/** Deletes an upload that was refused. */
export const deleteUpload = (db: Db, no: number): Promise<number> =>
  db.run(sql`delete from speech_tasks where no = ${no} and state = 'uploading'`)

/** @returns how many are taken now; undefined if none was left */
export const takeUse = async (tx: Db, userId: number, day: string, max: number): Promise<number | undefined> =>
  (
    await tx.maybe<{ used: number }>(sql`
      insert into speech_uses as u (user_id, day, used) values (${userId}, ${day}, 1)
      on conflict (user_id, day) do update set used = u.used + 1 where u.used < ${max} returning u.used`)
  )?.used

export const countUses = async (db: Db, userId: number, day: string): Promise<number> =>
  (await db.maybe<{ used: number }>(sql`select used from speech_uses where user_id = ${userId} and day = ${day}`))
    ?.used ?? 0

/** @returns false if another call has done it */
export const enqueue = async (
  tx: Db,
  no: number,
  { kind, seconds, day, at, queueAt }: { kind: SpeechKind; seconds: number; day: string; at: Date; queueAt: Date },
): Promise<boolean> =>
  (await tx.run(sql`
    update speech_tasks set state = 'processing', kind = ${kind}, seconds = ${seconds}, day = ${day}, due_at = ${at},
      queue_at = ${queueAt}
    where no = ${no} and state = 'uploading'`)) === 1

/** Ends a task without a text, deletes its recording and returns its use. Call it with the task locked. */
export async function endTask(
  tx: Db,
  no: number,
  state: 'failed' | 'cancelled',
  failure: SpeechFailure,
  at: Date,
): Promise<void> {
  await tx.run(sql`
    update speech_uses u set used = u.used - 1 from speech_tasks t
    where t.no = ${no} and u.user_id = t.user_id and u.day = t.day`)
  await tx.run(sql`
    update speech_tasks set state = ${state}, failure = ${failure}, day = null, lease = null, lease_until = null, waiting_since = null,
      finished_at = ${at} where no = ${no}`)
  await deleteParts(tx, no)
}

export const unfinishedTasks = (db: Db, userId: number): Promise<TaskRow[]> =>
  db.rows(sql`
    select ${taskColumns} from speech_tasks t where t.user_id = ${userId} and t.state in ${UNFINISHED} order by t.no`)

export const pageOfTasks = (db: Db, userId: number, page: number, size: number): Promise<TaskRow[]> =>
  db.rows(sql`
    select ${taskColumns} from speech_tasks t where t.user_id = ${userId}
    order by t.no desc limit ${size} offset ${(page - 1) * size}`)

export const countAll = async (db: Db, userId: number): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count from speech_tasks where user_id = ${userId}`)).count

export const renameTask = (tx: Db, no: number, name: string): Promise<number> =>
  tx.run(sql`update speech_tasks set name = ${name} where no = ${no}`)

export const deleteTask = (tx: Db, no: number): Promise<number> =>
  tx.run(sql`delete from speech_tasks where no = ${no}`)

export const expired = (at: Date): Sql[] => [
  sql`delete from speech_tasks where no in (
    select no from speech_tasks where state = 'uploading' and touched_at < ${ago(at, SPEECH_UPLOAD_KEPT)}
    limit ${RECORDINGS_BATCH} for update skip locked)`,
  sql`delete from speech_tasks where no in (
    select no from speech_tasks where state in ('failed', 'cancelled') and finished_at < ${ago(at, ENDED_KEPT)}
    limit ${EXPIRED_BATCH} for update skip locked)`,
  sql`with gone as (
      update speech_tasks set has_audio = false, audio_until = null where no in (
        select no from speech_tasks where has_audio and audio_until <= ${at} limit ${RECORDINGS_BATCH} for update skip locked)
      returning no)
    delete from speech_parts where task_no in (select no from gone)`,
  sql`delete from speech_uses where (user_id, day) in (
    select user_id, day from speech_uses where day < ${ago(at, 60 * DAY)}::timestamptz::date limit ${EXPIRED_BATCH} for update skip locked)`,
]

/** With their recordings and texts. */
export const erased = (userId: number): Sql[] => [
  sql`delete from speech_tasks where no in (select no from speech_tasks where user_id = ${userId} limit ${EXPIRED_BATCH})`,
  sql`delete from speech_uses where user_id = ${userId}`,
]

export const exported = (userId: number): Sql => sql`
  select t.no as row_key, t.id, t.name, t.language, t.state, t.seconds, t.created_at, t.finished_at,
    (select coalesce(json_agg(json_build_object('start', s.start_at, 'end', s.end_at, 'text', coalesce(s.edited, s.original)) order by s.index), '[]')
      from speech_segments s where s.task_no = t.no) as segments
  from speech_tasks t where t.user_id = ${userId}`
