import type { Stated } from '@tidenet/receipts'
import type { Db } from '../db/db.ts'
import { prepared, sql } from '../db/sql.ts'
import type { Tile } from './tree.ts'

export interface Queued {
  id: number
  claims: Stated
  issued_at: Date
}

/** @param claims as JSON */
export const insertQueued = async (tx: Db, claims: readonly string[], at: Date): Promise<number[]> =>
  (
    await tx.rows<{ id: number }>(prepared`
      insert into log_queue (claims, issued_at)
      select c.claims::json, ${at} from unnest(${claims}::text[]) with ordinality c (claims, place) order by c.place returning id`)
  ).map(({ id }) => id)

export const isQueueEmpty = async (db: Db): Promise<boolean> =>
  (await db.maybe(sql`select 1 from log_queue limit 1`)) === undefined

export const countQueued = (db: Db) =>
  db.one<{ waiting: number; oldest: Date | null }>(
    sql`select count(*) as waiting, min(issued_at) as oldest from log_queue`,
  )

export const firstQueued = (tx: Db, limit: number) =>
  tx.rows<Queued>(sql`select id, claims, issued_at from log_queue order by id limit ${limit}`)

export const deleteQueued = (tx: Db, ids: readonly number[]) =>
  tx.run(sql`delete from log_queue where id = any(${ids})`)

export interface LogState {
  size: number
  root: Buffer
}

export const findState = (db: Db, log: string) =>
  db.maybe<LogState>(sql`select size, root from log_state where log = ${log}`)

/** Locks a log, unless another server is appending to it. */
export const lockState = (tx: Db, log: string) =>
  tx.maybe<LogState>(sql`select size, root from log_state where log = ${log} for update skip locked`)

export const insertState = (tx: Db, log: string, root: Buffer, at: Date) =>
  tx.run(sql`
    insert into log_state (log, size, root, updated_at) values (${log}, 0, ${root}, ${at}) on conflict do nothing`)

export const updateState = (tx: Db, log: string, { size, root }: LogState, at: Date) =>
  tx.run(sql`update log_state set size = ${size}, root = ${root}, updated_at = ${at} where log = ${log}`)

/** Bytes as base64: the database sends them as hexadecimal digits otherwise, which take twice as long to read. */
const fromBase64 = (text: string): Buffer => Buffer.from(text, 'base64')

/** Tiles by level and number; missing ones are left out. */
export const findTiles = async (
  db: Db,
  log: string,
  wanted: readonly Pick<Tile, 'level' | 'number'>[],
): Promise<Tile[]> =>
  (
    await db.rows<{ level: number; number: number; hashes: string }>(sql`
    select t.level, t.number, encode(t.hashes, 'base64') as hashes
    from unnest(${wanted.map(({ level }) => level)}::smallint[], ${wanted.map(({ number }) => number)}::bigint[]) w (level, number)
    join log_tiles t on t.log = ${log} and t.level = w.level and t.number = w.number`)
  ).map((tile) => ({ ...tile, hashes: fromBase64(tile.hashes) }))

export const saveTiles = (tx: Db, log: string, tiles: readonly Tile[]) =>
  tx.run(sql`
    insert into log_tiles (log, level, number, hashes)
    select ${log}, t.level, t.number, t.hashes
    from unnest(${tiles.map(({ level }) => level)}::smallint[], ${tiles.map(({ number }) => number)}::bigint[],
      ${tiles.map(({ hashes }) => hashes)}::bytea[]) t (level, number, hashes)
    on conflict (log, level, number) do update set hashes = excluded.hashes`)

export interface Bundle {
  number: number
  /** Smallest and largest id. */
  from: number
  to: number
  claims: Buffer
}

export const saveBundles = (tx: Db, log: string, bundles: readonly Bundle[]) =>
  tx.run(sql`
    insert into log_bundles (log, number, ids, claims)
    select ${log}, b.number, int8range(b.first, b.last, '[]'), b.claims
    from unnest(${bundles.map(({ number }) => number)}::bigint[], ${bundles.map(({ from }) => from)}::bigint[],
      ${bundles.map(({ to }) => to)}::bigint[], ${bundles.map(({ claims }) => claims)}::bytea[]) b (number, first, last, claims)
    on conflict (log, number) do update set ids = excluded.ids, claims = excluded.claims`)

export const findBundle = (db: Db, log: string, number: number) =>
  db.maybe<Pick<Bundle, 'claims'>>(sql`select claims from log_bundles where log = ${log} and number = ${number}`)

/**
 * A receipt in the queue, and the bundles that may contain it, with the size of the log: in one statement, because receipts move from the
 * queue to the log.
 */
export const findById = async (db: Db, log: string, id: number) =>
  (
    await db.rows<{
      number: number
      bundle: string | null
      claims: Stated | null
      issued_at: Date | null
      size: number | null
      root: Buffer | null
    }>(sql`
    select 0::bigint as number, null::text as bundle, claims, issued_at, null::bigint as size, null::bytea as root
    from log_queue where id = ${id}
    union all
    select b.number, encode(b.claims, 'base64'), null, null, s.size, s.root from log_bundles b join log_state s on s.log = b.log
    where b.log = ${log} and b.ids @> ${id}::bigint`)
  ).map((row) => ({ ...row, bundle: row.bundle === null ? null : fromBase64(row.bundle) }))
