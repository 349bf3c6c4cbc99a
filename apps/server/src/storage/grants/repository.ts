import { type AssetType, type ReportedUpload, UPLOAD_RATE_MIN, UPLOAD_TOKEN_LIFE } from '@tidenet/contract'
import { ago } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { prepared, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { GRANT_LIFE } from '../lifetimes.ts'

export interface NewGrant {
  traceId: string
  account: string
  userId: number | null
  network: string | null
  kind: AssetType
  cid: string | null
  max: number
  size: number | null
  nodes: readonly string[]
  tokens: readonly string[]
  reserved: number
  openUntil: Date | null
  at: Date
}

/** The grant of one file of an uploaded folder. */
export interface NewItemGrant {
  item: number
  /** Most bytes. */
  max: number
  /** Null: any up to `max`. */
  size: number | null
  nodes: readonly string[]
  tokens: readonly string[]
}

/** Grants the uploads of several files under one trace, each with its own number, and reserves their bytes. */
export const insertItemGrants = (
  tx: Db,
  upload: { traceId: string; account: string; userId: number; openUntil: Date; at: Date },
  items: readonly NewItemGrant[],
) =>
  tx.run(prepared`
    insert into upload_grants (trace_id, account, user_id, kind, item, max_bytes, size, nodes, tokens, reserved, open_until, created_at)
    select ${upload.traceId}, ${upload.account}, ${upload.userId}, 'file', i.item, i.max, i.size, i.nodes, i.tokens, i.max,
      ${upload.openUntil}, ${upload.at}
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) i (item int, max bigint, size bigint, nodes text[], tokens text[])`)

/** The files of an uploaded folder that this account began to upload and that have no receipt yet. */
export const lockUnusedItems = (tx: Db, userId: number, traceId: string, items: readonly number[], at: Date) =>
  tx.rows<UnusedGrant & { item: number; size: number }>(prepared`
    select id, item, max_bytes as size, nodes, tokens, coalesce(open_until > ${at}, false) as open from upload_grants g
    where trace_id = ${traceId} and user_id = ${userId} and item = any(${items})
      and not exists (select 1 from receipts r where r.id = any(g.tokens))
    order by id for update`)

export const insertGrant = (tx: Db, grant: NewGrant) =>
  tx.run(sql`
    insert into upload_grants (trace_id, account, user_id, network, kind, cid, max_bytes, size, nodes, tokens, reserved, open_until, created_at)
    values (${grant.traceId}, ${grant.account}, ${grant.userId}, ${grant.network}, ${grant.kind}, ${grant.cid}, ${grant.max}, ${grant.size},
      ${grant.nodes}, ${grant.tokens}, ${grant.reserved}, ${grant.openUntil}, ${grant.at})`)

/** Uploads of an account in progress, and the bytes reserved for them. */
export const countOpenOfAccount = (tx: Db, userId: number, at: Date) =>
  tx.one<{ count: number; reserved: number }>(prepared`
    select count(*) as count, coalesce(sum(reserved), 0) as reserved from upload_grants
    where user_id = ${userId} and open_until > ${at}`)

export const countOpenOfNetwork = async (tx: Db, network: string, at: Date): Promise<number> =>
  (
    await tx.one<{ count: number }>(
      sql`select count(*) as count from upload_grants where network = ${network} and open_until > ${at}`,
    )
  ).count

export interface UnusedGrant {
  id: number
  nodes: string[]
  tokens: string[]
  open: boolean
}

/** A file upload that this account, of a user or of a visitor, began and that has no receipt yet. */
export const lockUnusedGrant = (tx: Db, account: string, traceId: string, size: number, at: Date) =>
  tx.maybe<UnusedGrant>(sql`
    select id, nodes, tokens, coalesce(open_until > ${at}, false) as open from upload_grants g
    where trace_id = ${traceId} and account = ${account} and kind = 'file' and cid is null and size = ${size}
      and not exists (select 1 from receipts r where r.id = any(g.tokens))
    for update`)

/** The account of an upload of one file. */
export const findUploadAccount = async (tx: Db, traceId: string): Promise<string | undefined> =>
  (
    await tx.maybe<{ account: string }>(
      sql`select account from upload_grants where trace_id = ${traceId} and item is null limit 1`,
    )
  )?.account

export const renewGrant = (
  tx: Db,
  id: number,
  { nodes, tokens, openUntil, at }: { nodes: readonly string[]; tokens: readonly string[]; openUntil: Date; at: Date },
) =>
  tx.run(sql`
    update upload_grants set nodes = ${nodes}, tokens = ${tokens}, moved_at = ${at}, open_until = greatest(open_until, ${openUntil})
    where id = ${id}`)

/**
 * Records the bytes of open uploads that grew at least at the minimum rate since they were last recorded, and renews their reservations.
 * Locked grants are skipped: they end, or another node renews them.
 * @param perMegabyte limits the reservation to this time per megabyte in ms, from the beginning
 */
export const renewArriving = async (
  db: Db,
  nodeId: string,
  uploads: readonly ReportedUpload[],
  { at, idle, perMegabyte }: { at: Date; idle: number; perMegabyte: number | undefined },
): Promise<void> => {
  const until = new Date(at.getTime() + idle)
  const seconds = perMegabyte === undefined ? null : perMegabyte / 1000
  // The life of the token: a node cannot hold the quota for days by receiving almost nothing.
  const life = perMegabyte === undefined ? null : UPLOAD_TOKEN_LIFE / 1000
  await db.run(sql`
    with arriving as (
      select g.id, array_position(g.tokens, u.jti) as place, u.bytes
      from unnest(${uploads.map((upload) => upload.trace_id)}::text[], ${uploads.map((upload) => upload.jti)}::text[],
        ${uploads.map((upload) => upload.bytes)}::bigint[]) u (trace_id, jti, bytes)
      join upload_grants g on g.tokens @> array[u.jti] and g.trace_id = u.trace_id and g.nodes[array_position(g.tokens, u.jti)] = ${nodeId}
      where g.open_until > ${at} and u.bytes <= g.max_bytes
        and u.bytes - coalesce(g.received[array_position(g.tokens, u.jti)], 0)
          >= greatest(1, ${UPLOAD_RATE_MIN} * extract(epoch from ${at} - coalesce(g.moved_at, g.created_at)))
      for update of g skip locked
    )
    update upload_grants g set received[a.place] = a.bytes, moved_at = ${at}, open_until = greatest(g.open_until, least(${until},
      g.created_at + make_interval(secs => ${idle / 1000} + ${seconds}::double precision * g.max_bytes / 1000000),
      g.created_at + make_interval(secs => ${idle / 1000} + ${life}::double precision)))
    from arriving a where g.id = a.id`)
}

/** Ends the reservation of the oldest upload of this size. @returns 0 if there is none */
export const closeOldestGrant = (tx: Db, userId: number, size: number, at: Date, before = at) =>
  tx.run(sql`
    update upload_grants set open_until = null where id = (
      select id from upload_grants where user_id = ${userId} and open_until > ${at} and size = ${size} and reserved > 0
        and created_at <= ${before}
      order by created_at, id limit 1)`)

/** The bytes that nodes may accept for an upload. */
export const sumGranted = async (tx: Db, traceId: string): Promise<number> =>
  (
    await tx.one<{ bytes: number }>(
      sql`select coalesce(sum(max_bytes), 0) as bytes from upload_grants where trace_id = ${traceId}`,
    )
  ).bytes

/** Whether a node received bytes for this upload. */
export const hasReceipt = async (tx: Db, traceId: string): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from upload_grants g join receipts r on r.id = any(g.tokens) where g.trace_id = ${traceId} limit 1`)) !==
  undefined

/**
 * Ends the reservations of cancelled uploads. Their tokens stay valid, because a client may resume such an upload.
 */
export const endGrants = (tx: Db, account: string, given: { traceIds?: readonly string[]; cids?: readonly string[] }) =>
  tx.run(sql`
    update upload_grants set open_until = null
    where account = ${account} and open_until is not null
      and (trace_id = any(${given.traceIds ?? []}) or (user_id is not null and cid = any(${given.cids ?? []})))`)

interface Claimed {
  jti: string
  iss: string
  sub: string
  tid: string
  kind: string
  cid: string
  size: number
}

const claimed = (receipts: readonly Partial<Claimed>[]): Sql => sql`
  jsonb_to_recordset(${JSON.stringify(receipts)}::jsonb) c (jti text, iss text, sub text, tid text, kind text, cid text, size bigint)`

/** The grant of a receipt. */
export interface Granted {
  id: number
  /** Of one file of a folder. */
  isItem: boolean
}

/**
 * The grants of the receipts that match a token that this server issued, by `jti`. Each finds its grant by the token: a trace can have grants
 * for 100,000 files. The root of an archive may be a file, which then is stored as one.
 */
export async function findGranted(tx: Db, receipts: readonly Claimed[]): Promise<Map<string, Granted>> {
  // Rows are locked in this order.
  const ordered = receipts.toSorted((one, other) => (one.jti < other.jti ? -1 : 1))
  const rows = await tx.rows<{ jti: string; id: number; item: number | null }>(prepared`
    select coalesce(c.jti, '') as jti, granted.id, granted.item from ${claimed(ordered)} cross join lateral (
      select g.id, g.item from upload_grants g
      where g.tokens @> array[c.jti] and g.trace_id = c.tid and g.account = c.sub
        and (g.kind = c.kind or (g.kind = 'folder' and g.cid is not null and c.kind = 'file'))
        and g.nodes[array_position(g.tokens, c.jti)] = c.iss
        and (g.cid is null or g.cid = c.cid) and (g.size is null or g.size = c.size) and g.max_bytes >= c.size
      for update
    ) granted`)
  return new Map(rows.map(({ jti, id, item }) => [jti, { id, isItem: item !== null }]))
}

/** Whether a receipt matches a token that this server issued. */
export const isGranted = async (tx: Db, receipt: Claimed): Promise<boolean> =>
  (await findGranted(tx, [receipt])).has(receipt.jti)

/** Ends the reservations of uploads that nodes received. */
export const closeGrantsOf = (tx: Db, receipts: readonly Pick<Claimed, 'tid' | 'jti'>[]) =>
  tx.run(prepared`
    update upload_grants set open_until = null where open_until is not null and id = any(array(
      select g.id from ${claimed(receipts)} cross join lateral (
        select id from upload_grants where tokens @> array[c.jti] and trace_id = c.tid and item is not null
        union all select id from upload_grants where trace_id = c.tid and item is null
      ) g))`)

/** Ends the reservations of files of folders that nodes received. @param ids of their grants */
export const closeItemGrants = (tx: Db, ids: readonly number[]) =>
  tx.run(prepared`update upload_grants set open_until = null where id = any(${ids}) and open_until is not null`)

/** Ends the reservation of an upload that needs no more bytes. @param token of the file, if the upload is a folder with many */
export const closeGrants = (tx: Db, traceId: string, token = '') => closeGrantsOf(tx, [{ tid: traceId, jti: token }])

export const expired = (at: Date): Sql[] => [
  sql`delete from upload_grants where id in (
    select id from upload_grants where created_at < ${ago(at, GRANT_LIFE)} limit ${EXPIRED_BATCH} for update skip locked)`,
]

export const erased = ({ id, uid }: { id: number; uid: string }): Sql[] => [
  sql`delete from upload_grants where id in (
    select id from upload_grants where user_id = ${id} or account = ${uid} limit ${EXPIRED_BATCH})`,
]
