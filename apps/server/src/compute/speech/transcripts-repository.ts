import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Db } from '../context.ts'

export interface SegmentRow {
  index: number
  start_at: number
  end_at: number
  original: string
  edited: string | null
}

export const segmentsOf = (db: Db, no: number): Promise<SegmentRow[]> =>
  db.rows(sql`
    select index, start_at, end_at, original, edited from speech_segments where task_no = ${no} order by index`)

/** Null: as the engine wrote it. @returns how many of the segments exist */
export const editSegments = (
  tx: Db,
  no: number,
  changes: readonly { index: number; text: string | null }[],
): Promise<number> =>
  tx.run(sql`
    update speech_segments s set edited = nullif(c.text, s.original)
    from unnest(${changes.map(({ index }) => index)}::int[], ${changes.map(({ text }) => text)}::text[]) c (index, text)
    where s.task_no = ${no} and s.index = c.index`)

/** Characters of a transcript, with its edits. */
export const lengthOf = async (tx: Db, no: number): Promise<number> =>
  (
    await tx.one<{ length: number }>(
      sql`select coalesce(sum(length(coalesce(edited, original))), 0) as length from speech_segments where task_no = ${no}`,
    )
  ).length

export const nextVersion = (tx: Db, no: number): Promise<{ version: number }> =>
  tx.one(sql`update speech_tasks set version = version + 1 where no = ${no} returning version`)

export interface FoundRow {
  id: string
  name: string
  index: number
  start_at: number
  end_at: number
  text: string
  created_at: Date
}

/** A phrase can go on in the next segment; it is found where it begins. Chinese and Japanese have no spaces between words. */
const matching = (userId: number, pattern: string): Sql => sql`
  from (
    select t.no, t.id, t.name, t.created_at, s.index, s.start_at, s.end_at, coalesce(s.edited, s.original) as text,
      case when t.language in ('zh', 'zh-Hant', 'ja') then '' else ' ' end ||
        coalesce(lead(coalesce(s.edited, s.original)) over (partition by t.no order by s.index), '') as next
    from speech_tasks t join speech_segments s on s.task_no = t.no where t.user_id = ${userId} and t.state = 'complete') f
  where f.text ilike ${pattern} or (f.text || f.next ilike ${pattern} and f.next not ilike ${pattern})`

export const findText = (
  db: Db,
  userId: number,
  pattern: string,
  { page, size }: { page: number; size: number },
): Promise<FoundRow[]> =>
  db.rows(sql`
    select f.id, f.name, f.index, f.start_at, f.end_at, f.text, f.created_at
    ${matching(userId, pattern)} order by f.no desc, f.index limit ${size} offset ${(page - 1) * size}`)

export const countFound = async (db: Db, userId: number, pattern: string): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count ${matching(userId, pattern)}`)).count
