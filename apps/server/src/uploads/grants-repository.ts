import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

export interface NewGrant {
  traceId: string
  account: string
  userId: number | null
  network: string | null
  kind: 'file' | 'folder'
  cid: string | null
  max: number
  size: number | null
  nodes: readonly string[]
  tokens: readonly string[]
  reserved: number
  openUntil: Date | null
  at: Date
}

export const insertGrant = (tx: Db, grant: NewGrant) =>
  tx.run(sql`
    insert into upload_grants (trace_id, account, user_id, network, kind, cid, max_bytes, size, nodes, tokens, reserved, open_until, created_at)
    values (${grant.traceId}, ${grant.account}, ${grant.userId}, ${grant.network}, ${grant.kind}, ${grant.cid}, ${grant.max}, ${grant.size},
      ${grant.nodes}, ${grant.tokens}, ${grant.reserved}, ${grant.openUntil}, ${grant.at})`)

/** Uploads of an account that have not ended, and the room that is set aside for them. */
export const openOfUser = (tx: Db, userId: number, at: Date) =>
  tx.one<{ count: number; reserved: number }>(sql`
    select count(*) as count, coalesce(sum(reserved), 0) as reserved from upload_grants
    where user_id = ${userId} and open_until > ${at}`)

export const countOfNetwork = async (tx: Db, network: string, at: Date): Promise<number> =>
  (
    await tx.one<{ count: number }>(
      sql`select count(*) as count from upload_grants where network = ${network} and open_until > ${at}`,
    )
  ).count

/** Those who ask from one network wait for each other until the transaction ends. */
export const holdNetwork = (tx: Db, network: string) =>
  tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`upload ${network}`}, 0))`)

export interface UnusedGrant {
  id: number
  nodes: string[]
  tokens: string[]
  open: boolean
}

/** An upload of a file that this account began and nothing has come of yet. */
export const findUnused = (tx: Db, userId: number, traceId: string, size: number, at: Date) =>
  tx.maybe<UnusedGrant>(sql`
    select id, nodes, tokens, coalesce(open_until > ${at}, false) as open from upload_grants g
    where trace_id = ${traceId} and user_id = ${userId} and kind = 'file' and cid is null and size = ${size}
      and not exists (select 1 from receipts r where r.id = any(g.tokens))
    for update`)

export const renewGrant = (
  tx: Db,
  id: number,
  { nodes, tokens, openUntil }: { nodes: readonly string[]; tokens: readonly string[]; openUntil: Date },
) =>
  tx.run(sql`
    update upload_grants set nodes = ${nodes}, tokens = ${tokens}, open_until = greatest(open_until, ${openUntil})
    where id = ${id}`)

/** Sets no more room aside for one upload of this size: the one that began first. @returns 0 when there is none */
export const closeOne = (tx: Db, userId: number, size: number, at: Date, before = at) =>
  tx.run(sql`
    update upload_grants set open_until = null where id = (
      select id from upload_grants where user_id = ${userId} and open_until > ${at} and size = ${size} and reserved > 0
        and created_at <= ${before}
      order by created_at, id limit 1)`)

/** The bytes have come: what was set aside for them is free. */
export const closeGrants = (tx: Db, traceId: string) =>
  tx.run(sql`update upload_grants set open_until = null where trace_id = ${traceId} and open_until is not null`)

/**
 * Nobody sends these any more, as far as is known: no room is set aside for them. What was broken off may be taken up again with the
 * same tokens, so that a receipt still stands.
 */
export const endGrants = (tx: Db, account: string, given: { traceIds?: readonly string[]; cids?: readonly string[] }) =>
  tx.run(sql`
    update upload_grants set open_until = null
    where account = ${account} and open_until is not null
      and (trace_id = any(${given.traceIds ?? []}) or (user_id is not null and cid = any(${given.cids ?? []})))`)

/** Whether this server signed a token for just what a receipt says. */
export const isGranted = async (
  tx: Db,
  receipt: { jti: string; iss: string; sub: string; tid: string; kind: string; cid: string; size: number },
): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from upload_grants
    where trace_id = ${receipt.tid} and account = ${receipt.sub} and kind = ${receipt.kind}
      and nodes[array_position(tokens, ${receipt.jti})] = ${receipt.iss}
      and (cid is null or cid = ${receipt.cid}) and (size is null or size = ${receipt.size}) and max_bytes >= ${receipt.size}
    for update`)) !== undefined
