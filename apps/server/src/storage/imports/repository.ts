import type { ImportKind, ImportReason, ImportState } from '@tidenet/contract'
import { DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { scopeOf } from '../folder-scope/scope.ts'

export interface ImportRow {
  id: number
  user_id: number
  key_id: number | null
  kind: ImportKind
  source: string
  name: string
  folder_id: number
  sealed: Buffer | null
  state: ImportState
  received: number
  total: number | null
  done: number
  skipped: number
  failed: number
  objects: number
  archived: number
  /** `Problem`s as JSON. */
  problems: unknown
  /** Of a file that gets a folder of its own: bytes of all its blocks, as its worker said before it stored them; 0: unknown. */
  wrapped_bytes: number
  reason: string
  cid: string
  attempts: number
  created_at: Date
  ended_at: Date | null
}

/** An object of another S3 that was not copied. */
export interface Problem {
  key: string
  reason: ImportReason
}

/** What a worker counts. */
export type Counts = Pick<
  ImportRow,
  'received' | 'total' | 'done' | 'skipped' | 'failed' | 'objects' | 'archived' | 'problems' | 'wrapped_bytes'
>

/** How long it is known what was imported. */
const LIFE = 30 * DAY

const columns = sql`id, user_id, key_id, kind, source, name, folder_id, sealed, state, received, total, done, skipped, failed, objects,
  archived, problems, wrapped_bytes, reason, cid, attempts, created_at, ended_at`
const open = sql`state in ('queued', 'running', 'cancelling')`

export const insertImport = async (
  tx: Db,
  row: Pick<ImportRow, 'user_id' | 'key_id' | 'kind' | 'source' | 'name' | 'folder_id'>,
  at: Date,
): Promise<number> =>
  (
    await tx.one<{ id: number }>(sql`
      insert into imports (user_id, key_id, kind, source, name, folder_id, state, due_at, created_at, begun_at)
      values (${row.user_id}, ${row.key_id}, ${row.kind}, ${row.source}, ${row.name}, ${row.folder_id}, 'queued', ${at}, ${at}, ${at})
      returning id`)
  ).id

/** The secrets are bound to the id, so they are stored after the row. */
export const setSealed = (tx: Db, id: number, sealed: Buffer) =>
  tx.run(sql`update imports set sealed = ${sealed} where id = ${id}`)

/** Imports that have not ended, and how often imports began or were retried after `since`. */
export const countImports = (tx: Db, userId: number, since: Date): Promise<{ open: number; begun: number }> =>
  tx.one(sql`
    select count(*) filter (where ${open}) as open, coalesce(sum(begun) filter (where begun_at > ${since}), 0) as begun
    from imports where user_id = ${userId}`)

interface Visible {
  userId: number
  folders: readonly number[] | null
}

const visibleTo = ({ userId, folders }: Visible): Sql =>
  sql`user_id = ${userId} ${folders ? sql`and folder_id in ${scopeOf(userId, folders)}` : none}`

export const listImports = async (
  db: Db,
  visible: Visible,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ImportRow[]; total: number }> => {
  const { total } = await db.one<{ total: number }>(
    sql`select count(*) as total from imports where ${visibleTo(visible)}`,
  )
  const rows = await db.rows<ImportRow>(
    sql`select ${columns} from imports where ${visibleTo(visible)} order by id desc limit ${limit} offset ${offset}`,
  )
  return { rows, total }
}

export const lockImport = (tx: Db, visible: Visible, id: number) =>
  tx.maybe<ImportRow>(sql`select ${columns} from imports where ${visibleTo(visible)} and id = ${id} for no key update`)

/** Only the worker that has the lease finds it. */
export const lockLeased = (tx: Db, id: number, lease: string) =>
  tx.maybe<ImportRow>(sql`
    select ${columns} from imports where id = ${id} and lease = ${lease} and state in ('running', 'cancelling')
    for no key update`)

/** Without locking it, to lock its account first. */
export const findLeased = (tx: Db, id: number, lease: string) =>
  tx.maybe<{ user_id: number }>(sql`select user_id from imports where id = ${id} and lease = ${lease}`)

/** Due, and of an account with fewer running ones than `running`. One whose lease has ended is taken over. */
const isNext = (at: Date, running: number): Sql => sql`
  i.state in ('queued', 'running', 'cancelling') and i.due_at <= ${at}
  and (i.state <> 'queued'
    or (select count(*) from imports o where o.user_id = i.user_id and o.state in ('running', 'cancelling')) < ${running})`

/** For so long it counts that an account had a worker. */
const TURN_MS = 3_600_000

/**
 * The next import that a worker can have: of the account that workers have tried least lately, so that nobody waits behind all imports of
 * another account. It is not locked, to lock its account first.
 */
export const findNext = (tx: Db, at: Date, running: number) =>
  tx.maybe<{ id: number; user_id: number }>(sql`
    select id, user_id from imports i where ${isNext(at, running)}
    order by (
      select coalesce(sum(o.attempts), 0) from imports o
      where o.user_id = i.user_id and (o.ended_at is null or o.ended_at > ${new Date(at.getTime() - TURN_MS)})
    ), due_at, id limit 1`)

/** Whether an import of another account waits for a worker. */
export const isAwaited = async (tx: Db, userId: number, at: Date, running: number): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from imports i where i.state = 'queued' and i.user_id <> ${userId} and ${isNext(at, running)} limit 1`)) !==
  undefined

/** @returns undefined if another worker has it by now */
export const lockNext = (tx: Db, id: number, at: Date, running: number) =>
  tx.maybe<ImportRow & { lease: string | null }>(sql`
    select ${columns}, lease from imports i where id = ${id} and ${isNext(at, running)} for no key update`)

export const lease = (tx: Db, id: number, token: string, until: Date) =>
  tx.run(sql`
    update imports set state = 'running', lease = ${token}, due_at = ${until}, attempts = attempts + 1, reason = '',
      received = 0, total = null, done = 0, skipped = 0, failed = 0, objects = 0, archived = 0, problems = '[]'
    where id = ${id}`)

export const setProgress = (tx: Db, id: number, counts: Counts, until: Date) =>
  tx.run(sql`
    update imports set received = ${counts.received}, total = ${counts.total}, done = ${counts.done}, skipped = ${counts.skipped},
      failed = ${counts.failed}, objects = ${counts.objects}, archived = ${counts.archived}, problems = ${JSON.stringify(counts.problems)},
      wrapped_bytes = case when ${counts.wrapped_bytes} > 0 then ${counts.wrapped_bytes} else wrapped_bytes end, due_at = ${until}
    where id = ${id}`)

export const requeue = (
  tx: Db,
  id: number,
  { reason, due, attempts }: { reason: string; due: Date; attempts: number },
) =>
  tx.run(sql`
    update imports set state = 'queued', lease = null, reason = ${reason}, due_at = ${due}, attempts = ${attempts} where id = ${id}`)

/** @param keyId the API key that starts it again @param since an earlier begin does not count any more */
export const restart = (tx: Db, id: number, keyId: number | null, at: Date, since: Date) =>
  tx.run(sql`
    update imports set state = 'queued', key_id = ${keyId}, lease = null, reason = '', due_at = ${at}, attempts = 0, ended_at = null, received = 0,
      total = null, done = 0, skipped = 0, failed = 0, objects = 0, archived = 0, problems = '[]', begun = case when begun_at > ${since} then begun + 1 else 1 end,
      begun_at = ${at}
    where id = ${id}`)

export const setCancelling = (tx: Db, id: number) =>
  tx.run(sql`update imports set state = 'cancelling' where id = ${id}`)

/** @param keepsSource for another try */
export const end = (
  tx: Db,
  id: number,
  ended: { state: 'done' | 'failed' | 'cancelled'; reason: string; cid: string; keepsSource: boolean },
  at: Date,
) =>
  tx.run(sql`
    update imports set state = ${ended.state}, reason = ${ended.reason}, cid = ${ended.cid}, lease = null, ended_at = ${at}
      ${ended.keepsSource ? none : sql`, sealed = null`}
    where id = ${id}`)

export const expired = (at: Date): Sql[] => [
  sql`delete from imports where id in (
    select id from imports where ended_at < ${new Date(at.getTime() - LIFE)} limit ${EXPIRED_BATCH} for update skip locked)`,
]

export const erased = (userId: number): Sql[] => [sql`delete from imports where user_id = ${userId}`]

export const exported = (userId: number): Sql => sql`
  select id as row_key, kind, source, name, folder_id, state, received, reason, cid, created_at, ended_at from imports
  where user_id = ${userId}`

/** One that was cancelled, and whose worker has gone. */
export const findCancelled = (tx: Db, at: Date) =>
  tx.maybe<{ id: number; user_id: number }>(sql`
    select id, user_id from imports where state = 'cancelling' and due_at <= ${at} limit 1`)

/** @returns undefined if it has ended by now, or another worker has it */
export const lockCancelled = (tx: Db, id: number, at: Date) =>
  tx.maybe<ImportRow>(sql`
    select ${columns} from imports where id = ${id} and state = 'cancelling' and due_at <= ${at} for no key update`)

/** A gateway asks for imports. Written at most once in `every` ms, however many gateways there are. */
export const setGatewaySeen = (db: Db, at: Date, every: number) =>
  db.run(sql`
    insert into import_gateways as g (seen_at) values (${at})
    on conflict (only_one) do update set seen_at = excluded.seen_at where g.seen_at < ${new Date(at.getTime() - every)}`)

/** Whether a gateway has asked for imports since then. */
export const hasGateway = async (db: Db, since: Date): Promise<boolean> =>
  (await db.maybe(sql`select 1 from import_gateways where seen_at > ${since}`)) !== undefined
