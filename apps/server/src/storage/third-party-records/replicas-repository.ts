import type { AssetType, ThirdPartyReason, ThirdPartyState } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'

/** The table of third-party replicas, as work. */

export interface ReplicaRow {
  id: number
  key: string
  cid: string
  size: number
  kind: AssetType
  provider: string
  /** Null: not sent; empty: it was being sent when a server stopped. */
  external_id: string | null
  state: ThirdPartyState
  tries: number
  failed_checks: number
  created_at: Date
  expected_at: Date
  late_since: Date | null
  expires_at: Date | null
}

/** Seconds of a lease: a small part, and twice the bytes at 100 kB/s. */
const lease = (size: Sql): Sql => sql`make_interval(secs => 180 + 2 * ${size} / 100000)`

/**
 * Leases replicas that are due, the longest waiting first.
 * @param paused providers that have just failed
 */
export const claimReplicas = (db: Db, at: Date, limit: number, paused: readonly string[]) =>
  db.rows<ReplicaRow>(sql`
    with picked as (
      select id from third_party_replicas where next_at <= ${at} and provider <> all(${paused})
      order by next_at limit ${limit} for update skip locked
    )
    update third_party_replicas r set next_at = ${at}::timestamptz + ${lease(sql`r.size`)}, lease_until = ${at}::timestamptz + ${lease(sql`r.size`)}
    from picked p where r.id = p.id
    returning r.id, r.key, r.cid, r.size, r.kind, r.provider, r.external_id, r.state, r.tries, r.failed_checks, r.created_at,
      r.expected_at, r.late_since, r.expires_at`)

/** From now on, the provider may have it. @returns false if it is to be removed */
export const markSending = async (db: Db, id: number): Promise<boolean> =>
  (await db.run(sql`
    update third_party_replicas set external_id = coalesce(external_id, '') where id = ${id} and state <> 'removing'`)) >
  0

export interface Change {
  state?: ThirdPartyState
  externalId?: string
  /** Null: nothing is wrong. */
  reason?: ThirdPartyReason | null
  error?: string
  tries?: number
  failedChecks?: number
  label?: string
  dealId?: string
  expectedAt?: Date
  lateSince?: Date | null
  storedAt?: Date
  checkedAt?: Date
  expiresAt?: Date
  renewed?: boolean
  nextAt: Date
}

/** Records the result of work, unless the replica is to be removed since. @returns whether it was recorded */
export async function changeReplica(db: Db, id: number, change: Change, at: Date): Promise<boolean> {
  const set = (column: Sql, value: unknown): Sql => (value === undefined ? none : sql`, ${column} = ${value}`)
  const changed = await db.run(sql`
    update third_party_replicas set updated_at = ${at}, next_at = ${change.nextAt}, lease_until = null
      ${set(sql`state`, change.state)}${set(sql`external_id`, change.externalId)}${set(sql`reason`, change.reason)}
      ${set(sql`error`, change.error)}${set(sql`tries`, change.tries)}${set(sql`failed_checks`, change.failedChecks)}
      ${set(sql`provider_label`, change.label)}${set(sql`deal_id`, change.dealId)}${set(sql`expected_at`, change.expectedAt)}
      ${set(sql`late_since`, change.lateSince)}${set(sql`stored_at`, change.storedAt)}${set(sql`checked_at`, change.checkedAt)}
      ${set(sql`expires_at`, change.expiresAt)}
      ${change.renewed ? sql`, renewals = renewals + 1, notified_at = null` : none}
    where id = ${id} and state <> 'removing'`)
  if (changed > 0) return true
  // The owner withdrew it meanwhile: the provider's id is needed to remove it.
  await db.run(sql`
    update third_party_replicas set next_at = ${at}, lease_until = null, external_id = coalesce(${change.externalId ?? null}, external_id)
    where id = ${id}`)
  return false
}

export const retryRemoval = (
  db: Db,
  id: number,
  reason: ThirdPartyReason,
  error: string,
  tries: number,
  nextAt: Date,
) =>
  db.run(sql`
    update third_party_replicas set reason = ${reason}, error = ${error}, tries = ${tries}, next_at = ${nextAt}, lease_until = null where id = ${id}`)

export const deleteReplica = (tx: Db, id: number) => tx.run(sql`delete from third_party_replicas where id = ${id}`)

/** Providers with a stored replica of the content. */
export const storedAt = async (db: Db, cid: string): Promise<string[]> =>
  (
    await db.rows<{ provider: string }>(
      sql`select provider from third_party_replicas where cid = ${cid} and state = 'stored' order by checked_at desc nulls last`,
    )
  ).map(({ provider }) => provider)

/** Records that a provider answered, or failed. */
export const recordAnswer = (db: Db, name: string, at: Date, error?: string) =>
  error === undefined
    ? db.run(sql`
        insert into third_party_providers (name, answered_at) values (${name}, ${at})
        on conflict (name) do update set answered_at = greatest(third_party_providers.answered_at, excluded.answered_at)`)
    : db.run(sql`
        insert into third_party_providers (name, failed_at, error) values (${name}, ${at}, ${error})
        on conflict (name) do update set failed_at = excluded.failed_at, error = excluded.error`)

/** Providers that failed since then and have not answered after it. */
export const failingSince = async (db: Db, since: Date): Promise<string[]> =>
  (
    await db.rows<{ name: string }>(sql`
      select name from third_party_providers where failed_at > ${since} and (answered_at is null or answered_at < failed_at)`)
  ).map(({ name }) => name)

/** Marks replicas that expire before then as announced. */
export const claimExpiring = (tx: Db, before: Date, at: Date, limit: number) =>
  tx.rows<{ cid: string; expires_at: Date; provider: string; simulated: boolean }>(sql`
    update third_party_replicas r set notified_at = ${at} from (
      select id from third_party_replicas where expires_at < ${before} and notified_at is null and state = 'stored'
      order by expires_at limit ${limit} for update skip locked
    ) due where r.id = due.id
    returning r.cid, coalesce(r.expires_at, ${at}) as expires_at, coalesce(nullif(r.provider_label, ''), r.provider) as provider, r.adapter = 'simulation' as simulated`)
