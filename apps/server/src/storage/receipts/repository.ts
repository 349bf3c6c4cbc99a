import type { ReceiptClaims } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { RECEIPT_LIFE } from '../lifetimes.ts'

/** Accounts are locked before contents, everywhere. */
export const lockAccountForUpdate = (tx: Db, uid: string) =>
  tx.maybe<{ id: number; vip: boolean; storage_quota: number | null; outflow_quota: number | null }>(
    sql`select id, vip, storage_quota, outflow_quota from users where uid = ${uid} for update`,
  )

/** The stored receipt with this id. */
export const findReceipt = (tx: Db, id: string) =>
  tx.maybe<{ account: string; cid: string; kind: string; size: number; node_id: string }>(
    sql`select account, cid, kind, size, node_id from receipts where id = ${id}`,
  )

/** Whether the account began this upload with a release that did not record grants. */
export const isUngranted = async (tx: Db, traceId: string, account: string): Promise<boolean> =>
  (await tx.maybe(
    sql`select 1 from traces where id = ${traceId} and account = ${account} and kind = 'upload' and not granted`,
  )) !== undefined

/** Contents that an account uploaded and that none of its assets lists, the newest first. */
export const findUnlisted = (tx: Db, account: string) =>
  tx.rows<{ cid: string; size: number }>(sql`
    select r.cid, max(r.size) as size from receipts r where r.account = ${account} and not r.spent
      and not exists (select 1 from assets a join users u on u.id = a.user_id where u.uid = ${account} and a.cid = r.cid)
      and not exists (select 1 from trashed_assets a join users u on u.id = a.user_id where u.uid = ${account} and a.cid = r.cid)
    group by r.cid order by max(r.received_at) desc, r.cid`)

/** Invalidates the receipts of a CID whose size or kind was wrong. */
export const invalidateReceipts = (tx: Db, cid: string) =>
  tx.run(sql`update receipts set spent = true where cid = ${cid}`)

/** Whether an asset, the trash, an anonymous file or a receipt refers to the content. */
export const isReferenced = async (tx: Db, cid: string): Promise<boolean> =>
  (
    await tx.one<{ referenced: boolean }>(sql`
      select exists (select 1 from assets where cid = ${cid}) or exists (select 1 from trashed_assets where cid = ${cid})
        or exists (select 1 from temp_files where cid = ${cid} and stored)
        or exists (select 1 from receipts where cid = ${cid} and not spent) as referenced`)
  ).referenced

/** @returns 0 if the receipt was stored before */
export const insertReceipt = (tx: Db, claims: ReceiptClaims, at: Date) =>
  tx.run(sql`
    insert into receipts (id, account, cid, kind, size, blocks, node_id, trace_id, received_at)
    values (${claims.jti}, ${claims.sub}, ${claims.cid}, ${claims.kind}, ${claims.size}, ${claims.blocks}, ${claims.iss}, ${claims.tid}, ${at})
    on conflict (id) do nothing`)

/** Receipts are kept for longer than they are accepted, so that none counts twice. */
export const expired = (at: Date): Sql[] => [
  sql`delete from receipts where id in (
    select id from receipts where received_at < ${ago(at, RECEIPT_LIFE + DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
]
