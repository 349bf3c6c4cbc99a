import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { isAgreed } from './choices-repository.ts'

/** Which contents need third-party replicas. */

/**
 * Adds contents of the next assets: new ones, and those of the sweep, which goes through all assets again and again, so that changes of
 * plans are noticed.
 * @param paid a subquery for the ids of accounts with a paid plan
 * @param limit assets per part
 */
export async function scanAssets(tx: Db, paid: Sql, at: Date, limit: number): Promise<void> {
  const scan = await tx.maybe<{ newest: number; sweep: number }>(
    sql`select newest, sweep from third_party_scan for update skip locked`,
  )
  if (!scan) return
  const add = async (after: number): Promise<number> =>
    (
      await tx.one<{ last: number }>(sql`
        with part as (select id, cid, user_id, restricted_to, areas, encrypted from assets where id > ${after} order by id limit ${limit}),
        added as (
          insert into third_party_contents (cid, check_at)
          select distinct a.cid, ${at}::timestamptz from part a left join third_party_choices c on c.user_id = a.user_id
          where ${isAgreed} and a.user_id in (${paid}) on conflict do nothing
        )
        select coalesce(max(id), 0)::bigint as last from part`)
    ).last
  const newest = await add(scan.newest)
  const sweep = await add(scan.sweep)
  await tx.run(sql`update third_party_scan set newest = greatest(newest, ${newest}), sweep = ${sweep}`)
}

/** Has the contents of the next assets of an account planned again. @returns the last asset; undefined: there are no more */
export async function recheckAccount(
  tx: Db,
  userId: number,
  after: number,
  at: Date,
  limit: number,
): Promise<number | undefined> {
  const { last, count } = await tx.one<{ last: number; count: number }>(sql`
    with part as (select id, cid from assets where user_id = ${userId} and id > ${after} order by id limit ${limit}),
    due as (
      insert into third_party_contents (cid, check_at) select distinct cid, ${at}::timestamptz from part
      on conflict (cid) do update set check_at = excluded.check_at
    )
    select coalesce(max(id), 0)::bigint as last, count(*) as count from part`)
  return count < limit ? undefined : last
}

/** Has contents that already have, or may need, replicas planned again. */
export const recheckContents = (tx: Db, cids: readonly string[], at: Date) =>
  tx.run(sql`update third_party_contents set check_at = ${at} where cid = any(${cids}) and check_at > ${at}`)

/** Locks contents that are due. */
export const claimContents = async (tx: Db, at: Date, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ cid: string }>(sql`
      select cid from third_party_contents where check_at <= ${at} order by check_at limit ${limit} for update skip locked`)
  ).map(({ cid }) => cid)

export const planAgain = (tx: Db, cids: readonly string[], at: Date) =>
  tx.run(sql`update third_party_contents set check_at = ${at} where cid = any(${cids})`)

/** Forgets contents without replicas. */
export const forgetContents = (tx: Db, cids: readonly string[]) =>
  tx.run(sql`
    delete from third_party_contents c where cid = any(${cids})
      and not exists (select 1 from third_party_replicas r where r.cid = c.cid)`)

export interface WantedRow {
  cid: string
  /** An account with a paid plan wants it. */
  paid: boolean
  /** One of these accounts: its turn is used. */
  user_id: number | null
  enterprise: boolean
}

/** Contents that an account lets third parties have. Those in the trash, earlier versions, and those of accounts without a paid plan, are kept but not added. */
export const findWanted = (tx: Db, cids: readonly string[], { paid, enterprise }: { paid: Sql; enterprise: Sql }) =>
  tx.rows<WantedRow>(sql`
    select a.cid, bool_or(not a.trashed and a.user_id in (${paid})) as paid,
      bool_or(not a.trashed and a.user_id in (${enterprise})) as enterprise,
      min(a.user_id) filter (where not a.trashed and a.user_id in (${paid})) as user_id
    from (
      select cid, user_id, restricted_to, areas, encrypted, false as trashed from assets where cid = any(${cids})
      union all select cid, user_id, restricted_to, areas, encrypted, true from trashed_assets where cid = any(${cids})
      union all select v.cid, v.user_id, v.restricted_to, coalesce(e.areas, t.areas, '{}'), v.encrypted, true from asset_versions v
        left join assets e on e.id = v.asset_id left join trashed_assets t on t.asset_id = v.asset_id where v.cid = any(${cids})
    ) a left join third_party_choices c on c.user_id = a.user_id
    where ${isAgreed} group by a.cid`)

export interface PlannedReplica {
  id: number
  cid: string
  provider: string
  slot: number
  state: string
  sent: boolean
}

export const replicasOf = (tx: Db, cids: readonly string[]) =>
  tx.rows<PlannedReplica>(sql`
    select id, cid, provider, slot, state, external_id is not null as sent from third_party_replicas where cid = any(${cids})`)

export interface NewReplica {
  cid: string
  size: number
  kind: 'file' | 'folder'
  provider: string
  adapter: string
  slot: number
  /** Its place among those that wait to be sent. */
  turn: Date
}

export const insertReplicas = (tx: Db, list: readonly NewReplica[], at: Date, expectedAt: Date) =>
  tx.run(sql`
    insert into third_party_replicas (cid, size, kind, provider, adapter, slot, state, created_at, updated_at, expected_at, next_at, turn)
    select n.cid, n.size, n.kind, n.provider, n.adapter, n.slot, 'queued', ${at}, ${at}, ${expectedAt}, ${at}, n.turn
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) n
      (cid text, size bigint, kind text, provider text, adapter text, slot int, turn timestamptz)
    on conflict do nothing`)

/**
 * Takes turns of accounts: each begins now, or after the turns that the account already has.
 * @param list how long the turns of each account take, in ms
 * @returns when they begin, by account
 */
export async function takeTurns(tx: Db, list: ReadonlyMap<number, number>, at: Date): Promise<Map<number, Date>> {
  const rows = await tx.rows<{ user_id: number; last: Date }>(sql`
    insert into third_party_turns as t (user_id, last)
    select n.user_id, ${at}::timestamptz + make_interval(secs => n.ms / 1000.0)
    from unnest(${[...list.keys()]}::bigint[], ${[...list.values()]}::float8[]) n (user_id, ms) order by n.user_id
    on conflict (user_id) do update set last = greatest(t.last, ${at}::timestamptz) + (excluded.last - ${at}::timestamptz)
    returning user_id, last`)
  return new Map(rows.map(({ user_id, last }) => [user_id, new Date(last.getTime() - (list.get(user_id) ?? 0))]))
}

/** Turns that are over. */
export const expiredTurns = (at: Date): Sql => sql`
  delete from third_party_turns where user_id in (select user_id from third_party_turns where last < ${at} limit ${EXPIRED_BATCH})`

/** Replicas that nobody lets the provider have any longer are removed there. */
export const removeReplicas = (tx: Db, ids: readonly number[], at: Date) =>
  tx.run(sql`
    update third_party_replicas set state = 'removing', reason = null, error = '', late_since = null, tries = 0, updated_at = ${at},
      next_at = greatest(lease_until, ${at})
    where id = any(${ids}::bigint[]) and state <> 'removing'`)

/** Replicas wanted again before they were removed. */
export const restoreWanted = (tx: Db, ids: readonly number[], at: Date) =>
  tx.run(sql`
    update third_party_replicas set state = 'queued', tries = 0, updated_at = ${at}, next_at = greatest(lease_until, ${at})
    where id = any(${ids}::bigint[]) and state = 'removing' and external_id is null`)

export const erasedTurns = (userId: number): Sql[] => [sql`delete from third_party_turns where user_id = ${userId}`]
