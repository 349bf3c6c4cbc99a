import type { BlockCategory } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { prepared, sql } from '../../platform/db/sql.ts'

/** A block of a content, or the end of one. */
export interface BlockRow {
  id: number
  cid: string
  blocked: boolean
  category: BlockCategory | ''
  reason: string
  changed_by: string
  changed_at: Date
}

const COLUMNS = sql`id::float8 as id, cid, blocked, category, reason, changed_by, changed_at`

/** Changes wait for each other, so that ids are visible in their order: a node that heard one has heard all before. */
export const lockBlocks = (tx: Db) => tx.run(sql`lock table content_blocks in share row exclusive mode`)

/**
 * The ids are milliseconds since 1970, or one more than the last: after an older backup of the database was restored, nodes have ids that it
 * does not know, and the next ones must be new to them.
 */
export const insertBlock = (tx: Db, block: Omit<BlockRow, 'id'>) =>
  tx.one<BlockRow>(sql`
    insert into content_blocks (id, cid, blocked, category, reason, changed_by, changed_at)
    select greatest(coalesce(max(id), 0) + 1, floor(extract(epoch from clock_timestamp()) * 1000)::bigint),
      ${block.cid}, ${block.blocked}, ${block.category}, ${block.reason}, ${block.changed_by}, ${block.changed_at}
    from content_blocks
    returning ${COLUMNS}`)

/** The newest row of a content. */
export const findBlock = (db: Db, cid: string) =>
  db.maybe<BlockRow>(sql`select ${COLUMNS} from content_blocks where cid = ${cid} order by id desc limit 1`)

export interface BlockFilter {
  cid?: string | undefined
  /** Only the newest row of each content, if it is a block. */
  current?: boolean | undefined
  after?: number | undefined
  limit: number
}

/** Newest first. */
export const pageOfBlocks = (db: Db, { cid, current = false, after, limit }: BlockFilter) =>
  db.rows<BlockRow>(sql`
    select ${COLUMNS} from content_blocks b where true
      ${cid === undefined ? sql`` : sql`and cid = ${cid}`}
      ${current ? sql`and blocked and not exists (select 1 from content_blocks n where n.cid = b.cid and n.id > b.id)` : sql``}
      ${after === undefined ? sql`` : sql`and id < ${after}`}
    order by b.id desc limit ${limit}`)

/** The highest id; 0 if nothing was ever blocked. */
export const lastBlock = async (db: Db): Promise<number> =>
  (await db.one<{ id: number }>(sql`select coalesce(max(id), 0)::float8 as id from content_blocks`)).id

/** What came after, oldest first. Anyone can run a node, so contents are sent as hashes: the list must not tell where to look. */
export const blocksAfter = (db: Db, known: number, limit: number) =>
  db.rows<{ id: number; key: string; blocked: boolean }>(sql`
    select id::float8 as id, encode(sha256(convert_to(cid, 'UTF8')), 'hex') as key, blocked from content_blocks
    where id > ${known} order by content_blocks.id limit ${limit}`)

export const isBlocked = async (db: Db, cid: string): Promise<boolean> =>
  (await db.one<{ blocked: boolean }>(sql`select coalesce(is_blocked(${cid}), false) as blocked`)).blocked

/** Which of these are blocked. */
export const blockedAmong = async (db: Db, cids: readonly string[]): Promise<Set<string>> =>
  new Set(
    (await db.rows<{ cid: string }>(prepared`select cid from unnest(${cids}::text[]) cid where is_blocked(cid)`)).map(
      ({ cid }) => cid,
    ),
  )

export const insertPart = (db: Db, { cid, part, at }: { cid: string; part: string; at: Date }) =>
  db.run(sql`insert into blocked_parts (cid, part, proved_at) values (${cid}, ${part}, ${at}) on conflict do nothing`)
