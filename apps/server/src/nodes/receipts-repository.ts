import type { ReceiptClaims } from '@tidenet/contract'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

export const publicKeyOf = async (db: Db, nodeId: string): Promise<string | undefined> =>
  (await db.maybe<{ public_key: string }>(sql`select public_key from nodes where id = ${nodeId}`))?.public_key

/** Accounts are locked before contents, everywhere. */
export const lockAccount = (tx: Db, uid: string) =>
  tx.maybe<{ id: number }>(sql`select id from users where uid = ${uid} for update`)

/** Enters the content, or finds it; it is locked afterwards and looked at by the scheduler. */
export const upsertContent = (tx: Db, content: ReceiptClaims & { hash: string }, at: Date) =>
  tx.one<{ size: number; kind: 'file' | 'folder' }>(sql`
    insert into contents as c (cid, hash, kind, size, blocks, created_at, check_at)
    values (${content.cid}, ${content.hash}, ${content.kind}, ${content.size}, ${content.blocks}, ${at}, ${at})
    on conflict (cid) do update set check_at = excluded.check_at
    returning size, kind`)

/** @returns 0 when the receipt was there */
export const insertReceipt = (tx: Db, claims: ReceiptClaims, at: Date) =>
  tx.run(sql`
    insert into receipts (id, account, cid, kind, size, blocks, node_id, trace_id, received_at)
    values (${claims.jti}, ${claims.sub}, ${claims.cid}, ${claims.kind}, ${claims.size}, ${claims.blocks}, ${claims.iss}, ${claims.tid}, ${at})
    on conflict (id) do nothing`)

export const upsertStored = (tx: Db, cid: string, nodeId: string, at: Date) =>
  tx.run(sql`
    insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${nodeId}, 'stored', ${at})
    on conflict (cid, node_id) do update set state = 'stored', tries = 0, error = '', doubted = false, lease_until = null,
      retry_at = null, changed_at = excluded.changed_at`)
