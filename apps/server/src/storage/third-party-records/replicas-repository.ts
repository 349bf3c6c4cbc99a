import type { AssetType, ThirdPartyKind, ThirdPartyReason, ThirdPartyState } from '@tidenet/contract'
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
  adapter: ThirdPartyKind
  state: ThirdPartyState
  reason: ThirdPartyReason | null
  tries: number
  failed_checks: number
  created_at: Date
  expected_at: Date
  late_since: Date | null
  stored_at: Date | null
  checked_at: Date | null
  expires_at: Date | null
}

/** Ms of a lease: a small part, and twice the bytes at 100 kB/s. Whoever holds it gives up earlier. */
export const leaseMs = (size: number): number => 180_000 + size / 50
const leaseUntil = (at: Date): Sql => sql`${at}::timestamptz + make_interval(secs => 180 + r.size / 50000.0)`

/** A provider in the settings. */
export interface Configured {
  name: string
  kind: ThirdPartyKind
}

/** What is done with a replica. Each kind has a queue of its own, so that a flood of one does not delay the others. */
export type WorkKind = 'send' | 'ask' | 'remove'
const STATES: Record<WorkKind, Sql> = {
  send: sql`r.state in ('queued', 'failed')`,
  ask: sql`r.state in ('inProgress', 'stored')`,
  remove: sql`r.state = 'removing'`,
}

const columns = sql`r.id, r.key, r.cid, r.size, r.kind, r.provider, r.adapter, r.external_id, r.state, r.reason, r.tries, r.failed_checks,
  r.created_at, r.expected_at, r.late_since, r.stored_at, r.checked_at, r.expires_at`

const longestWaiting = sql`r.next_at`

const claim = (db: Db, at: Date, which: Sql, order: Sql): Promise<ReplicaRow | undefined> =>
  db.maybe<ReplicaRow>(sql`
    with picked as (
      select r.id from third_party_replicas r where r.next_at <= ${at} and ${which} order by ${order} limit 1 for update skip locked
    )
    update third_party_replicas r set next_at = ${leaseUntil(at)}, lease_until = ${leaseUntil(at)}
    from picked p where r.id = p.id returning ${columns}`)

/**
 * Leases a replica that is due at a provider, unless the provider has failed since then: those to be sent in turn, others the longest waiting
 * first.
 * @param most bytes of its content
 */
export const claimReplica = (
  db: Db,
  at: Date,
  {
    provider: { name, kind },
    work,
    failedSince,
    most,
  }: { provider: Configured; work: WorkKind; failedSince: Date; most: number },
) => {
  const due = sql`r.provider = ${name} and r.adapter = ${kind} and ${STATES[work]} and r.size <= ${most} and not exists (
    select 1 from third_party_providers p where p.name = ${name} and p.failed_at > ${failedSince}
      and (p.answered_at is null or p.answered_at < p.failed_at))`
  return work === 'send' ? claim(db, at, due, sql`r.turn, r.id`) : claim(db, at, due, longestWaiting)
}

const isConfigured = (configured: readonly Configured[]): Sql => sql`exists (
  select 1 from unnest(${configured.map(({ name }) => name)}::text[], ${configured.map(({ kind }) => kind)}::text[]) c (name, kind)
  where c.name = r.provider and c.kind = r.adapter)`

/** Leases a replica at a provider that is not in the settings, or is another kind of provider there. */
export const claimUnconfigured = (db: Db, at: Date, configured: readonly Configured[]) =>
  claim(db, at, sql`not ${isConfigured(configured)}`, longestWaiting)

/** Replicas at providers that are in the settings again are worked on at once. */
export const wakeConfigured = (db: Db, at: Date, configured: readonly Configured[]) =>
  db.run(sql`
    update third_party_replicas r set next_at = ${at} where r.reason = 'unconfigured' and r.next_at > ${at}
      and (r.lease_until is null or r.lease_until < ${at}) and ${isConfigured(configured)}`)

/** From now on, the provider may have it. @returns false if it is to be removed */
export const markSending = async (db: Db, id: number): Promise<boolean> =>
  (await db.run(sql`
    update third_party_replicas set external_id = coalesce(external_id, '') where id = ${id} and state <> 'removing'`)) >
  0

/** Nobody lets the provider have it any longer: it is removed now, by whoever claims it. */
export const withdraw = (db: Db, id: number, at: Date) =>
  db.run(sql`
    update third_party_replicas set state = 'removing', reason = null, error = '', late_since = null, tries = 0, updated_at = ${at},
      next_at = ${at}, lease_until = null where id = ${id}`)

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

/** Marks replicas that expire before then as announced. */
export const claimExpiring = (tx: Db, before: Date, at: Date, limit: number) =>
  tx.rows<{ cid: string; expires_at: Date; provider: string; simulated: boolean }>(sql`
    update third_party_replicas r set notified_at = ${at} from (
      select id from third_party_replicas where expires_at < ${before} and notified_at is null and state = 'stored'
      order by expires_at limit ${limit} for update skip locked
    ) due where r.id = due.id
    returning r.cid, coalesce(r.expires_at, ${at}) as expires_at, coalesce(nullif(r.provider_label, ''), r.provider) as provider, r.adapter = 'simulation' as simulated`)
