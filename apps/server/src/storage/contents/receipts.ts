import { type ReceiptClaims, TEMP_FILE_LIFE } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, prepared, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { RECEIPT_LIFE } from '../lifetimes.ts'

/** The table of receipts. A spent receipt no longer proves possession. */

/** The stored receipt with this id. */
export const findReceipt = (tx: Db, id: string) =>
  tx.maybe<{ account: string; cid: string; kind: string; size: number; node_id: string }>(
    sql`select account, cid, kind, size, node_id from receipts where id = ${id}`,
  )

interface StoredReceipt {
  account: string
  cid: string
  kind: string
  size: number
  node_id: string
}

/** The stored receipts among these ids. */
export const findReceipts = async (tx: Db, ids: readonly string[]): Promise<Map<string, StoredReceipt>> =>
  new Map(
    (
      await tx.rows<StoredReceipt & { id: string }>(
        prepared`select id, account, cid, kind, size, node_id from receipts where id = any(${ids})`,
      )
    ).map((row) => [row.id, row]),
  )

/** Inserts receipts that are not stored yet. */
export const insertReceipts = (tx: Db, all: readonly ReceiptClaims[], at: Date) =>
  tx.run(prepared`
    insert into receipts (id, account, cid, kind, size, blocks, node_id, trace_id, received_at)
    select c.jti, c.sub, c.cid, c.kind, c.size, c.blocks, c.iss, c.tid, ${at}
    from jsonb_to_recordset(${JSON.stringify(all)}::jsonb)
      c (jti text, sub text, cid text, kind text, size bigint, blocks int, iss text, tid text)
    on conflict (id) do nothing`)

/** @returns 0 if the receipt was stored before */
export const insertReceipt = (tx: Db, claims: ReceiptClaims, at: Date) =>
  tx.run(sql`
    insert into receipts (id, account, cid, kind, size, blocks, node_id, trace_id, received_at)
    values (${claims.jti}, ${claims.sub}, ${claims.cid}, ${claims.kind}, ${claims.size}, ${claims.blocks}, ${claims.iss}, ${claims.tid}, ${at})
    on conflict (id) do nothing`)

/** Spends the unspent receipts of these contents, of one account or of all. */
export const spendReceipts = (tx: Db, cids: readonly string[], account?: string) =>
  tx.run(sql`
    update receipts set spent = true where cid = any(${cids}) and not spent
      ${account === undefined ? none : sql`and account = ${account}`}`)

/**
 * Counts that a node is asked to join what it received with these receipts.
 * @returns how often it was asked for the one that was joined most, with this time; undefined if one is not stored or spent
 */
export async function countJoined(tx: Db, ids: readonly string[]): Promise<number | undefined> {
  const rows = await tx.rows<{ joined: number }>(sql`
    with found as (select id from receipts where id = any(${ids}) and not spent order by id for update)
    update receipts r set joined = joined + 1 from found f where r.id = f.id returning joined`)
  return rows.length === ids.length ? Math.max(...rows.map(({ joined }) => joined)) : undefined
}

/** Contents of which an account has unspent receipts. */
export const findUnspent = async (tx: Db, account: string, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ cid: string }>(sql`
      select distinct cid from receipts where account = ${account} and not spent limit ${limit}`)
  ).map(({ cid }) => cid)

/** Spends the receipts of anonymous uploads of these contents that are older than anonymous files live. */
export const spendAnonymous = (tx: Db, cids: readonly string[], at: Date) =>
  tx.run(sql`
    update receipts set spent = true where cid = any(${cids}) and account like 'temp:%' and not spent
      and received_at <= ${ago(at, TEMP_FILE_LIFE)}`)

/**
 * Spends what the receipts of an anonymous upload prove, because an account lists the content: they would keep it for a day after the account
 * deleted it. Those of edges stay, because they are all that keeps such a content.
 */
export const spendVisitors = (tx: Db, traceId: string, cid: string) =>
  tx.run(sql`
    update receipts set spent = true
    where trace_id = ${traceId} and cid = ${cid} and account like 'temp:%' and invited and not spent`)

/** Spends the receipts of an upload whose contents the account does not list. @returns their CIDs */
export const spendUnlisted = (tx: Db, { userId, uid }: { userId: number; uid: string }, traceId: string) =>
  tx.rows<{ cid: string }>(sql`
    update receipts r set spent = true where r.account = ${uid} and r.trace_id = ${traceId} and not r.spent
      and not exists (select 1 from assets a where a.user_id = ${userId} and a.cid = r.cid)
      and not exists (select 1 from trashed_assets a where a.user_id = ${userId} and a.cid = r.cid)
      and not exists (select 1 from asset_versions a where a.user_id = ${userId} and a.cid = r.cid)
    returning cid`)

/** Receipts are kept for longer than they are accepted, so that none counts twice. */
export const expired = (at: Date): Sql[] => [
  sql`delete from receipts where id in (
    select id from receipts where received_at < ${ago(at, RECEIPT_LIFE + DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
]
