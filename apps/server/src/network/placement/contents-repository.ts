import type { ReceiptClaims } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** What is known of contents. Contents are locked after accounts and before their replicas, everywhere. */

/** Locks contents whose replicas change. */
export const lockContents = (tx: Db, cids: readonly string[]) =>
  tx.rows(sql`select 1 from contents where cid = any(${cids}) order by cid for no key update`)

/** Has the scheduler look at the replicas of contents at once. */
export const checkContents = (tx: Db, cids: readonly string[], at: Date) =>
  tx.run(sql`update contents set check_at = ${at} where cid = any(${cids})`)

/** Locks contents that are given up, in one order, so that two who give up the same never wait for each other. */
export const lockToRelease = (tx: Db, cids: readonly string[]) =>
  tx.rows<{ cid: string; sole_holder: string | null }>(
    sql`select cid, sole_holder from contents where cid = any(${cids}) order by cid for update`,
  )

export interface Content {
  cid: string
  kind: 'file' | 'folder'
  size: number
  /** The only account that an edge has signed for it to; null: it is known by more than the word of an edge. */
  sole_holder: string | null
}

/** Keeps a content from being cleaned away while a reference to it is made. */
export const lockContent = (tx: Db, cid: string) =>
  tx.maybe<Content>(sql`select cid, kind, size, sole_holder from contents where cid = ${cid} for update`)

export const findContents = async (db: Db, cids: readonly string[]): Promise<Map<string, Content>> => {
  const rows = await db.rows<Content>(sql`select cid, kind, size, sole_holder from contents where cid = any(${cids})`)
  return new Map(rows.map((row) => [row.cid, row]))
}

export const isSizeKnown = async (db: Db, size: number): Promise<boolean> =>
  (await db.maybe(sql`select 1 from contents where size = ${size} and kind = 'file' limit 1`)) !== undefined

/** How many replicas of a content there should be. */
export const wantedOf = async (db: Db, cid: string): Promise<number> =>
  (await db.maybe<{ wanted: number }>(sql`select wanted from contents where cid = ${cid}`))?.wanted ?? 0

export interface KnownContent {
  size: number
  kind: 'file' | 'folder'
  sole_holder: string | null
  fresh: boolean
}

/** Enters the content, or finds it; it is locked afterwards and looked at by the scheduler. */
export const upsertContent = (tx: Db, content: ReceiptClaims & { hash: string }, at: Date) =>
  tx.one<KnownContent>(sql`
    insert into contents as c (cid, hash, kind, size, blocks, created_at, check_at)
    values (${content.cid}, ${content.hash}, ${content.kind}, ${content.size}, ${content.blocks}, ${at}, ${at})
    on conflict (cid) do update set check_at = excluded.check_at
    returning size, kind, sole_holder, xmax = 0 as fresh`)

/** Only this node, an edge, has signed for the content, and for this account alone. */
export const setSoleHolder = (tx: Db, claims: ReceiptClaims, holder: string) =>
  tx.run(sql`
    update contents set size = ${claims.size}, kind = ${claims.kind}, blocks = ${claims.blocks}, sole_holder = ${holder}, sole_holder_nodes = ${[claims.iss]}
    where cid = ${claims.cid}`)

export const addSoleHolderNode = (tx: Db, cid: string, nodeId: string) =>
  tx.run(sql`
    update contents set sole_holder_nodes = sole_holder_nodes || ${nodeId}::text where cid = ${cid} and not ${nodeId} = any(sole_holder_nodes)`)

/**
 * Somebody else than `account` has the content now: no account is the only one any more.
 * @returns the nodes that had signed for it until now; nothing when that was so before
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

/** What an invited node has measured counts. */
export const correctContent = (tx: Db, { cid, size, kind, blocks }: ReceiptClaims) =>
  tx.run(sql`update contents set size = ${size}, kind = ${kind}, blocks = ${blocks} where cid = ${cid}`)

/** Figures of all contents that somebody holds. */
export const totalsHeld = (db: Db) =>
  db.one<{ contents: number; replicas: number; bytes: number }>(sql`
    select count(*) as contents, coalesce(sum(stored), 0) as replicas, coalesce(sum(size), 0) as bytes from contents where stored > 0`)

/** Figures of all contents, and of those that are short of replicas. */
export const totals = (db: Db) =>
  db.one<{ total: number; bytes: number; short: number; nowhere: number }>(sql`
    select count(*) as total, coalesce(sum(size), 0) as bytes, count(*) filter (where stored < wanted) as short,
      count(*) filter (where stored = 0 and wanted > 0) as nowhere
    from contents`)

/** Has everything looked at that lies on a node: its copies count, or count no more. */
export const checkReplicasOf = (tx: Db, nodeId: string, at: Date) =>
  tx.run(sql`
    update contents c set check_at = ${at} from (
      select cid from contents where cid in (select cid from replicas where node_id = ${nodeId}) order by cid for no key update
    ) held where c.cid = held.cid`)
