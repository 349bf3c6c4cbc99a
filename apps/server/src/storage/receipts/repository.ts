import type { ReceiptClaims } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_AT_ONCE } from '../../platform/tasks/expired.ts'
import { RECEIPT_LIFE } from '../lifetimes.ts'

export const publicKeyOf = async (db: Db, nodeId: string): Promise<string | undefined> =>
  (await db.maybe<{ public_key: string }>(sql`select public_key from nodes where id = ${nodeId}`))?.public_key

/** Accounts are locked before contents, everywhere. */
export const lockAccount = (tx: Db, uid: string) =>
  tx.maybe<{ id: number; vip: boolean; storage_quota: number | null; outflow_quota: number | null }>(
    sql`select id, vip, storage_quota, outflow_quota from users where uid = ${uid} for update`,
  )

/** What was taken under this name before. */
export const findReceipt = (tx: Db, id: string) =>
  tx.maybe<{ account: string; cid: string; kind: string; size: number; node_id: string }>(
    sql`select account, cid, kind, size, node_id from receipts where id = ${id}`,
  )

/** Whether an upload was begun by this account under this trace in the days when tokens were not noted. */
export const isUngranted = async (tx: Db, traceId: string, account: string): Promise<boolean> =>
  (await tx.maybe(
    sql`select 1 from traces where id = ${traceId} and account = ${account} and kind = 'upload' and not granted`,
  )) !== undefined

/** Contents that an account has sent and that none of its assets names, the latest first. */
export const findUnnamed = (tx: Db, account: string) =>
  tx.rows<{ cid: string; size: number }>(sql`
    select r.cid, max(r.size) as size from receipts r where r.account = ${account} and not r.spent
      and not exists (select 1 from assets a join users u on u.id = a.user_id where u.uid = ${account} and a.cid = r.cid)
      and not exists (select 1 from trashed_assets a join users u on u.id = a.user_id where u.uid = ${account} and a.cid = r.cid)
    group by r.cid order by max(r.received_at) desc, r.cid`)

/**
 * Whether a node is an invited one while only edges say that they hold the content. An invited one that was told to fetch it and never
 * could, perhaps because edges gave a wrong size, says nothing for them.
 */
export const outweighs = async (tx: Db, nodeId: string, cid: string): Promise<boolean> =>
  (
    await tx.one<{ outweighs: boolean }>(sql`
      select n.kind <> 'edge' and not exists (
        select 1 from replicas r join nodes o on o.id = r.node_id
        where r.cid = ${cid} and o.kind <> 'edge' and (r.state = 'stored' or (r.state = 'lost' and (r.doubted or r.tries = 0)))
      ) as outweighs from nodes n where n.id = ${nodeId}`)
  ).outweighs

/** What others held under this CID was measured wrongly: it goes. */
export async function correctContent(tx: Db, claims: ReceiptClaims, at: Date): Promise<void> {
  const { cid, size, kind, blocks } = claims
  await tx.run(sql`update contents set size = ${size}, kind = ${kind}, blocks = ${blocks} where cid = ${cid}`)
  await tx.run(sql`update receipts set spent = true where cid = ${cid}`)
  await tx.run(sql`delete from replicas where cid = ${cid} and state = 'wanted'`)
  await tx.run(sql`
    update replicas set state = 'removed', changed_at = ${at}, lease_until = null, retry_at = null, doubted = false
    where cid = ${cid} and state <> 'removed'`)
}

export interface KnownContent {
  size: number
  kind: 'file' | 'folder'
  sole: string | null
  fresh: boolean
}

/** Enters the content, or finds it; it is locked afterwards and looked at by the scheduler. */
export const upsertContent = (tx: Db, content: ReceiptClaims & { hash: string }, at: Date) =>
  tx.one<KnownContent>(sql`
    insert into contents as c (cid, hash, kind, size, blocks, created_at, check_at)
    values (${content.cid}, ${content.hash}, ${content.kind}, ${content.size}, ${content.blocks}, ${at}, ${at})
    on conflict (cid) do update set check_at = excluded.check_at
    returning size, kind, sole, xmax = 0 as fresh`)

/** Only this node, an edge, has signed for the content, and for this account alone. */
export const setSole = (tx: Db, claims: ReceiptClaims, sole: string) =>
  tx.run(sql`
    update contents set size = ${claims.size}, kind = ${claims.kind}, blocks = ${claims.blocks}, sole = ${sole}, sole_nodes = ${[claims.iss]}
    where cid = ${claims.cid}`)

export const addSoleNode = (tx: Db, cid: string, nodeId: string) =>
  tx.run(sql`
    update contents set sole_nodes = sole_nodes || ${nodeId}::text where cid = ${cid} and not ${nodeId} = any(sole_nodes)`)

/** Whether anybody stores the content, is about to, or keeps it in the trash; or a node does, though nobody wants it any more. */
export const isClaimed = async (tx: Db, cid: string): Promise<boolean> =>
  (
    await tx.one<{ claimed: boolean }>(sql`
      select exists (select 1 from assets where cid = ${cid}) or exists (select 1 from trashed_assets where cid = ${cid})
        or exists (select 1 from temp_files where cid = ${cid} and stored)
        or exists (select 1 from receipts where cid = ${cid} and not spent)
        or exists (select 1 from replicas where cid = ${cid} and state <> 'removed') as claimed`)
  ).claimed

/** @returns 0 when the receipt was there */
export const insertReceipt = (tx: Db, claims: ReceiptClaims, at: Date) =>
  tx.run(sql`
    insert into receipts (id, account, cid, kind, size, blocks, node_id, trace_id, received_at)
    values (${claims.jti}, ${claims.sub}, ${claims.cid}, ${claims.kind}, ${claims.size}, ${claims.blocks}, ${claims.iss}, ${claims.tid}, ${at})
    on conflict (id) do nothing`)

/** Anybody may run an edge: what it signs for is claimed, and nothing that an audit has found is made good by it. */
export const upsertStored = (tx: Db, cid: string, nodeId: string, at: Date) =>
  tx.run(sql`
    insert into replicas as r (cid, node_id, state, changed_at)
    select ${cid}, id, case when kind = 'edge' then 'claimed' else 'stored' end, ${at} from nodes where id = ${nodeId}
    on conflict (cid, node_id) do update set state = excluded.state, tries = 0, error = '', doubted = false, lease_until = null,
      retry_at = null, pulled = false, proven = false, changed_at = excluded.changed_at
    where excluded.state = 'stored' or not (r.state = 'stored' or r.doubted)`)

/** Receipts are remembered for longer than they are taken, so that none counts twice. */
export const expired = (at: Date): Sql[] => [
  sql`delete from receipts where id in (
    select id from receipts where received_at < ${ago(at, RECEIPT_LIFE + DAY)} limit ${EXPIRED_AT_ONCE} for update skip locked)`,
]
