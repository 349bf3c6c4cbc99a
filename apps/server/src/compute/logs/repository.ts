import type { ClusterName } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { LogEnd } from './lines.ts'

/** Where the kept log of a workload ends. */
export interface LogHead extends LogEnd {
  next: number
}

export interface LogPart {
  first: number
  /** `formatLine` of each line. */
  lines: string
}

/** What is kept of one workload; older parts are deleted. */
const KEPT_BYTES = 4 * 1024 ** 2
/** Lines are added to the last part up to this size, so that few rows are read. */
const PART_BYTES = 64 * 1024
const PARTS_AT_ONCE = 8

export const findHead = async (db: Db, id: string): Promise<LogHead> =>
  (await db.maybe<LogHead>(sql`
    select next, last_written, last_count from workload_log_heads where workload_id = ${id}`)) ?? {
    next: 1,
    last_written: null,
    last_count: 0,
  }

/** Moves the end of the log. @returns 0 if another server has moved it since `known` was read */
export const moveHead = (tx: Db, id: string, known: LogHead, head: LogHead, at: Date): Promise<number> =>
  tx.run(sql`
    insert into workload_log_heads as h (workload_id, next, last_written, last_count, collect_at)
    select id, ${head.next}, ${head.last_written}, ${head.last_count}, ${at} from workloads where id = ${id}
    on conflict (workload_id) do update set next = excluded.next, last_written = excluded.last_written, last_count = excluded.last_count
    where h.next = ${known.next} and h.last_written is not distinct from ${known.last_written} and h.last_count = ${known.last_count}`)

/** Adds lines after the last ones. */
export async function addLines(
  tx: Db,
  id: string,
  part: LogPart & { count: number; from: Date; to: Date },
): Promise<void> {
  const bytes = Buffer.byteLength(part.lines)
  const added = await tx.run(sql`
    update workload_log_parts set lines = lines || ${part.lines}, count = count + ${part.count}, bytes = bytes + ${bytes},
      from_at = least(from_at, ${part.from}), to_at = greatest(to_at, ${part.to})
    where workload_id = ${id} and first + count = ${part.first} and bytes + ${bytes} <= ${PART_BYTES}`)
  if (added === 0)
    await tx.run(sql`
      insert into workload_log_parts (workload_id, first, count, from_at, to_at, bytes, lines)
      values (${id}, ${part.first}, ${part.count}, ${part.from}, ${part.to}, ${bytes}, ${part.lines})`)
}

/** Deletes the oldest parts beyond `KEPT_BYTES`. */
export const pruneParts = (tx: Db, id: string): Promise<number> =>
  tx.run(sql`
    delete from workload_log_parts where workload_id = ${id} and first in (
      select first from (
        select first, sum(bytes) over (order by first desc) as total from workload_log_parts where workload_id = ${id}) p
      where total > ${KEPT_BYTES})`)

export interface Range {
  since: Date | undefined
  until: Date | undefined
}

/** The next parts after a line, oldest first. */
export const partsAfter = (db: Db, id: string, line: number, { since, until }: Range): Promise<LogPart[]> =>
  db.rows(sql`
    select first, lines from workload_log_parts
    where workload_id = ${id} and first + count > ${line} + 1
      and (${since ?? null}::timestamptz is null or to_at >= ${since ?? null})
      and (${until ?? null}::timestamptz is null or from_at <= ${until ?? null})
    order by first limit ${PARTS_AT_ONCE}`)

/** The last parts before a line, newest first. */
export const partsBefore = (db: Db, id: string, line: number, { since, until }: Range): Promise<LogPart[]> =>
  db.rows(sql`
    select first, lines from workload_log_parts
    where workload_id = ${id} and first < ${line}
      and (${since ?? null}::timestamptz is null or to_at >= ${since ?? null})
      and (${until ?? null}::timestamptz is null or from_at <= ${until ?? null})
    order by first desc limit ${PARTS_AT_ONCE}`)

export interface DueLog {
  id: string
  workspace: string
  cluster: ClusterName
}

/** Claims programs whose output was not read for a while: 10 s, or up to `longest` if they print nothing. */
export const claimDue = (db: Db, at: Date): Promise<DueLog[]> =>
  db.rows(sql`
    with missing as (
      insert into workload_log_heads (workload_id, collect_at)
      select l.id, ${at} from workloads l join workspaces w on w.id = l.workspace_id
      where w.state = 'ready' and l.made and l.wanted <> 'removed'
        and not exists (select 1 from workload_log_heads h where h.workload_id = l.id)
      limit 500 on conflict do nothing),
    due as (
      select h.workload_id from workload_log_heads h
        join workloads l on l.id = h.workload_id join workspaces w on w.id = l.workspace_id
      where h.collect_at <= ${at} and w.state = 'ready' and l.made and l.wanted <> 'removed'
      order by h.collect_at limit 500 for update of h skip locked)
    update workload_log_heads h set collect_at = ${at}::timestamptz + h.pause * interval '1 second'
    from due, workloads l, workspaces w
    where h.workload_id = due.workload_id and l.id = h.workload_id and w.id = l.workspace_id
    returning l.id, l.workspace_id as workspace, w.cluster`)

export const setPause = (db: Db, id: string, printed: boolean): Promise<number> =>
  db.run(sql`
    update workload_log_heads set pause = ${printed ? sql`10` : sql`least(pause * 2, 120)`} where workload_id = ${id}`)
