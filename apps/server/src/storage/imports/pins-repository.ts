import { DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

export const PIN_STATUSES = ['queued', 'pinning', 'pinned', 'failed'] as const
export type PinStatus = (typeof PIN_STATUSES)[number]

export interface PinRow {
  id: string
  /** As its client wrote it, and as entries write it. */
  cid: string
  content: string
  name: string
  meta: unknown
  origins: unknown
  import_id: number | null
  asset_id: number | null
  created_at: Date
  status: PinStatus
  reason: string
}

export interface PinFilter {
  /** In all spellings. */
  cids: readonly string[] | undefined
  name: string | undefined
  match: 'exact' | 'iexact' | 'partial' | 'ipartial'
  statuses: readonly PinStatus[]
  before: Date | undefined
  after: Date | undefined
  meta: Readonly<Record<string, string>> | undefined
  limit: number
}

/** Longer than a deleted file can be restored. */
const ENDED_LIFE = 60 * DAY

/** A pin whose file was deleted or has other content has ended, and comes back with the file. */
const live = (userId: number): Sql => sql`
  select p.id, p.cid, p.content, p.name, p.meta, p.origins, p.import_id, p.asset_id, p.created_at, coalesce(i.reason, '') as reason,
    case when i.state = 'queued' then 'queued' when i.state in ('running', 'cancelling') then 'pinning'
      when i.state in ('failed', 'cancelled') then 'failed' else 'pinned' end as status
  from pins p left join imports i on i.id = p.import_id and i.user_id = p.user_id
    left join assets a on a.id = p.asset_id and a.user_id = p.user_id and a.cid = p.content
  where p.user_id = ${userId} and (a.id is not null or i.state <> 'done')`

export const insertPin = (
  tx: Db,
  pin: {
    id: string
    userId: number
    cid: string
    content: string
    name: string
    meta: object
    origins: readonly string[]
    importId: number | null
    assetId: number | null
    at: Date
  },
) =>
  tx.run(sql`
    insert into pins (id, user_id, cid, content, name, meta, origins, import_id, asset_id, created_at)
    values (${pin.id}, ${pin.userId}, ${pin.cid}, ${pin.content}, ${pin.name}, ${JSON.stringify(pin.meta)}, ${JSON.stringify(pin.origins)},
      ${pin.importId}, ${pin.assetId}, ${pin.at})`)

/** Also those that have ended. */
export const countPins = async (tx: Db, userId: number): Promise<number> =>
  (await tx.one<{ count: number }>(sql`select count(*) as count from pins where user_id = ${userId}`)).count

export const findPin = (db: Db, userId: number, id: string) =>
  db.maybe<PinRow>(sql`select * from (${live(userId)}) p where id = ${id}`)

export async function listPins(db: Db, userId: number, filter: PinFilter): Promise<{ rows: PinRow[]; count: number }> {
  const { cids, name, match, statuses, before, after, meta, limit } = filter
  const named = {
    exact: sql`and name = ${name}`,
    iexact: sql`and lower(name) = lower(${name})`,
    partial: sql`and strpos(name, ${name}) > 0`,
    ipartial: sql`and strpos(lower(name), lower(${name})) > 0`,
  }[match]
  const found = sql`
    from (${live(userId)}) p where status = any(${statuses})
      ${cids ? sql`and cid = any(${cids})` : none} ${name === undefined ? none : named}
      ${before ? sql`and created_at < ${before}` : none} ${after ? sql`and created_at > ${after}` : none}
      ${meta ? sql`and meta @> ${JSON.stringify(meta)}::jsonb` : none}`
  const { count } = await db.one<{ count: number }>(sql`select count(*) as count ${found}`)
  const rows = await db.rows<PinRow>(sql`select * ${found} order by created_at desc, id limit ${limit}`)
  return { rows, count }
}

export const deletePin = (tx: Db, userId: number, id: string) =>
  tx.run(sql`delete from pins where user_id = ${userId} and id = ${id}`)

/** Whether another pin has the same file. */
export const isShared = async (tx: Db, userId: number, { id, asset_id }: Pick<PinRow, 'id' | 'asset_id'>) =>
  (await tx.maybe(sql`select 1 from pins where user_id = ${userId} and asset_id = ${asset_id} and id <> ${id}`)) !==
  undefined

/** The entry that an import made for a pin: the newest one of this content in its folder. */
export const setPinned = (tx: Db, { id, folderId, cid }: { id: number; folderId: number; cid: string }) =>
  tx.run(sql`
    update pins p set asset_id = (
      select max(a.id) from assets a where a.user_id = p.user_id and a.folder_id = ${folderId} and a.cid = ${cid})
    where import_id = ${id}`)

export const expired = (at: Date): Sql[] => [
  sql`delete from pins where id in (
    select p.id from pins p left join imports i on i.id = p.import_id left join assets a on a.id = p.asset_id and a.cid = p.content
    where p.created_at < ${new Date(at.getTime() - ENDED_LIFE)} and a.id is null and (i.id is null or i.ended_at is not null)
    limit ${EXPIRED_BATCH} for update of p skip locked)`,
]

export const erased = (userId: number): Sql[] => [sql`delete from pins where user_id = ${userId}`]

export const exported = (userId: number): Sql => sql`
  select id as row_key, cid, name, meta, origins, created_at from pins where user_id = ${userId}`
