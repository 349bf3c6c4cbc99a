import type { AssetType, ReceiptClaims } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { none, prepared, sql } from '../../platform/db/sql.ts'

/** The table of contents. Lock order: accounts, contents, replicas. */

/** Locks contents whose replicas are about to change. */
export const lockContents = (tx: Db, cids: readonly string[]) =>
  tx.rows(prepared`select 1 from contents where cid = any(${cids}) order by cid for no key update`)

/** Makes contents due for the scheduler now. They are locked in the order of `lockContents`, so that the two do not deadlock. */
export const checkContents = (tx: Db, cids: readonly string[], at: Date) =>
  tx.run(prepared`
    with due as (select cid from contents where cid = any(${cids}) order by cid for no key update)
    update contents c set check_at = ${at} from due where c.cid = due.cid`)

/** Locks contents to be released, ordered by CID, so that concurrent releases do not deadlock. */
export const lockToRelease = (tx: Db, cids: readonly string[]) =>
  tx.rows<{ cid: string; sole_holder: string | null }>(
    sql`select cid, sole_holder from contents where cid = any(${cids}) order by cid for update`,
  )

export interface Content {
  cid: string
  kind: 'file' | 'folder'
  size: number
  /** The only account that has it, while only edges confirmed it; otherwise null. */
  sole_holder: string | null
}

/** Locks a content, so that it is not released while a reference to it is created. */
export const lockContent = (tx: Db, cid: string) =>
  tx.maybe<Content>(sql`select cid, kind, size, sole_holder from contents where cid = ${cid} for update`)

/** The same for several contents, ordered by CID, so that concurrent calls do not deadlock. */
export const lockAllContents = async (tx: Db, cids: readonly string[]): Promise<Map<string, Content>> =>
  new Map(
    (
      await tx.rows<Content>(
        prepared`select cid, kind, size, sole_holder from contents where cid = any(${cids}) order by cid for update`,
      )
    ).map((row) => [row.cid, row]),
  )

export const findContents = async (db: Db, cids: readonly string[]): Promise<Map<string, Content>> => {
  const rows = await db.rows<Content>(sql`select cid, kind, size, sole_holder from contents where cid = any(${cids})`)
  return new Map(rows.map((row) => [row.cid, row]))
}

export const isSizeKnown = async (db: Db, size: number): Promise<boolean> =>
  (await db.maybe(sql`select 1 from contents where size = ${size} and kind = 'file' limit 1`)) !== undefined

/** Which of these sizes contents have. */
export const findKnownSizes = async (db: Db, sizes: readonly number[]): Promise<Set<number>> =>
  new Set(
    (
      await db.rows<{ size: number }>(sql`
        select size from unnest(${[...new Set(sizes)]}::bigint[]) s (size)
        where exists (select 1 from contents c where c.size = s.size and c.kind = 'file')`)
    ).map((row) => row.size),
  )

/** Number of replicas that a content should have. */
export const wantedOf = async (db: Db, cid: string): Promise<number> =>
  (await db.maybe<{ wanted: number }>(sql`select wanted from contents where cid = ${cid}`))?.wanted ?? 0

export interface KnownContent {
  size: number
  kind: 'file' | 'folder'
  sole_holder: string | null
  fresh: boolean
}

/** Inserts or finds the content, locks it and makes it due for the scheduler. */
export const upsertContent = (tx: Db, content: ReceiptClaims & { hash: string }, at: Date) =>
  tx.one<KnownContent>(sql`
    insert into contents as c (cid, hash, kind, size, blocks, created_at, check_at)
    values (${content.cid}, ${content.hash}, ${content.kind}, ${content.size}, ${content.blocks}, ${at}, ${at})
    on conflict (cid) do update set check_at = excluded.check_at
    returning size, kind, sole_holder, xmax = 0 as fresh`)

/** The content without bytes: no node stores it, and nobody looks after its copies. */
export const addEmptyContent = (tx: Db, { cid, hash }: { cid: string; hash: string }, at: Date) =>
  tx.run(sql`
    insert into contents (cid, hash, kind, size, blocks, created_at) values (${cid}, ${hash}, 'file', 0, 1, ${at}) on conflict do nothing`)

/** Inserts contents, or locks and returns those that are known; ordered by CID, so that concurrent calls do not deadlock. */
export const upsertContents = async (
  tx: Db,
  contents: readonly (ReceiptClaims & { hash: string })[],
  at: Date,
): Promise<Map<string, Omit<Content, 'cid'>>> =>
  new Map(
    (
      await tx.rows<Content>(prepared`
        insert into contents as c (cid, hash, kind, size, blocks, created_at, check_at)
        select n.cid, n.hash, n.kind, n.size, n.blocks, ${at}, ${at}
        from jsonb_to_recordset(${JSON.stringify(contents)}::jsonb) n (cid text, hash text, kind text, size bigint, blocks int)
        order by n.cid
        on conflict (cid) do update set check_at = excluded.check_at
        returning cid, kind, size, sole_holder`)
    ).map(({ cid, ...row }) => [cid, row]),
  )

/** Only this edge confirmed the content, for this account only. */
export const setSoleHolder = (tx: Db, claims: ReceiptClaims, holder: string) =>
  tx.run(sql`
    update contents set size = ${claims.size}, kind = ${claims.kind}, blocks = ${claims.blocks}, sole_holder = ${holder}, sole_holder_nodes = ${[claims.iss]}
    where cid = ${claims.cid}`)

export const addSoleHolderNode = (tx: Db, cid: string, nodeId: string) =>
  tx.run(sql`
    update contents set sole_holder_nodes = sole_holder_nodes || ${nodeId}::text where cid = ${cid} and not ${nodeId} = any(sole_holder_nodes)`)

/**
 * Clears the sole holder unless it is `account`: another account has the content now.
 * @returns the edges that had confirmed the content; undefined if it had no other sole holder
 */
export const clearSoleHolder = async (tx: Db, cid: string, account: string | null): Promise<string[] | undefined> =>
  (
    await tx.maybe<{ sole_holder_nodes: string[] }>(sql`
      with before as (
        select cid, sole_holder, sole_holder_nodes from contents
        where cid = ${cid} and sole_holder is not null and sole_holder is distinct from ${account}
        for update)
      update contents c set sole_holder = null, sole_holder_nodes = '{}' from before b where c.cid = b.cid returning b.sole_holder_nodes`)
  )?.sole_holder_nodes

/** Sets size and kind as measured by an invited node. */
export const correctContent = (tx: Db, { cid, size, kind, blocks }: ReceiptClaims) =>
  tx.run(sql`update contents set size = ${size}, kind = ${kind}, blocks = ${blocks} where cid = ${cid}`)

/** Totals of contents with at least one stored replica. */
export const totalsHeld = (db: Db) =>
  db.one<{ contents: number; replicas: number; bytes: number }>(sql`
    select count(*) as contents, coalesce(sum(stored), 0) as replicas, coalesce(sum(size), 0) as bytes from contents where stored > 0`)

/** Totals of all contents, and of those with too few replicas. */
export const totals = (db: Db) =>
  db.one<{ total: number; bytes: number; short: number; nowhere: number }>(sql`
    select count(*) as total, coalesce(sum(size), 0) as bytes, count(*) filter (where stored < wanted) as short,
      count(*) filter (where stored = 0 and wanted > 0) as nowhere
    from contents`)

/** Contents with too few replicas, or only those without any, by CID. */
export const pageOfShort = (
  db: Db,
  { isNowhere, after, limit }: { isNowhere: boolean; after: string | undefined; limit: number },
) =>
  db.rows<{ cid: string; kind: AssetType; size: number; stored: number; wanted: number; created_at: Date }>(sql`
    select cid, kind, size, stored, wanted, created_at from contents
    where ${isNowhere ? sql`stored = 0 and wanted > 0` : sql`stored < wanted`} ${after === undefined ? none : sql`and cid > ${after}`}
    order by cid limit ${limit}`)

/** Makes all contents with a replica on the node due for the scheduler. */
export const checkReplicasOf = (tx: Db, nodeId: string, at: Date) =>
  tx.run(sql`
    update contents c set check_at = ${at} from (
      select cid from contents where cid in (select cid from replicas where node_id = ${nodeId}) order by cid for no key update
    ) held where c.cid = held.cid`)
