import type { ThirdPartyKind, ThirdPartyReason, ThirdPartyState } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { isAgreed } from './choices-repository.ts'

/** Third-party replicas as accounts and operators see them. */

export interface Counts {
  stored: number
  in_progress: number
  simulated: number
}
export const NO_REPLICAS: Counts = { stored: 0, in_progress: 0, simulated: 0 }

/** Numbers of replicas by content; contents without any are left out. */
export async function countReplicas(db: Db, cids: readonly string[]): Promise<Map<string, Counts>> {
  const rows = await db.rows<Counts & { cid: string }>(sql`
    select cid, count(*) filter (where state = 'stored') as stored, count(*) filter (where state in ('queued', 'inProgress', 'failed')) as in_progress,
      count(*) filter (where state = 'stored' and adapter = 'simulation') as simulated
    from third_party_replicas where cid = any(${cids}) group by cid`)
  return new Map(rows.map(({ cid, ...counts }) => [cid, counts]))
}

export interface ListedReplica {
  id: number
  cid: string
  size: number
  provider: string
  adapter: ThirdPartyKind
  state: ThirdPartyState
  reason: ThirdPartyReason | null
  late_since: Date | null
  provider_label: string
  deal_id: string
  created_at: Date
  updated_at: Date
  expected_at: Date
  stored_at: Date | null
  checked_at: Date | null
  expires_at: Date | null
  renewals: number
  ahead: number | null
}

/** Of an account that did not agree, or no longer does: only replicas that are being removed. */
const visible = (agreed: boolean): Sql => (agreed ? sql`true` : sql`r.state = 'removing'`)

export const totalOf = async (db: Db, cid: string, agreed: boolean): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) as count from third_party_replicas r where r.cid = ${cid} and ${visible(agreed)}`,
    )
  ).count

export const pageOfReplicas = (db: Db, cid: string, agreed: boolean, limit: number, offset: number) =>
  db.rows<ListedReplica>(sql`
    select r.id, r.cid, r.size, r.provider, r.adapter, r.state, r.reason, r.late_since, r.provider_label, r.deal_id, r.created_at, r.updated_at,
      r.expected_at, r.stored_at, r.checked_at, r.expires_at, r.renewals,
      case when r.state = 'queued' then (
        select count(*) from (
          select 1 from third_party_replicas q where q.provider = r.provider and q.state = 'queued' and q.turn < r.turn limit 10000) q
      ) end as ahead
    from third_party_replicas r where r.cid = ${cid} and ${visible(agreed)}
    order by r.adapter = 'simulation', r.state <> 'stored', r.id limit ${limit} offset ${offset}`)

export interface ProviderRow {
  name: string
  /** Null: without replicas. */
  adapter: string | null
  answered_at: Date | null
  failed_at: Date | null
  error: string
  queued: number
  in_progress: number
  stored: number
  failed: number
  removing: number
  late: number
  bytes: number
}

export const findProviders = (db: Db) =>
  db.rows<ProviderRow>(sql`
    select coalesce(r.provider, p.name, '') as name, r.adapter, p.answered_at, p.failed_at, coalesce(p.error, '') as error,
      coalesce(r.queued, 0)::int as queued, coalesce(r.in_progress, 0)::int as in_progress, coalesce(r.stored, 0)::int as stored,
      coalesce(r.failed, 0)::int as failed, coalesce(r.removing, 0)::int as removing, coalesce(r.late, 0)::int as late,
      coalesce(r.bytes, 0)::bigint as bytes
    from third_party_providers p full join (
      select provider, min(adapter) as adapter, count(*) filter (where state = 'queued') as queued,
        count(*) filter (where state = 'inProgress') as in_progress, count(*) filter (where state = 'stored') as stored,
        count(*) filter (where state = 'failed') as failed, count(*) filter (where state = 'removing') as removing,
        count(*) filter (where late_since is not null and state <> 'stored') as late,
        coalesce(sum(size) filter (where state = 'stored'), 0) as bytes
      from third_party_replicas group by provider
    ) r on r.provider = p.name order by 1`)

export const lastFailures = (db: Db, limit: number) =>
  db.rows<{
    cid: string
    provider: string
    updated_at: Date
    reason: ThirdPartyReason
    error: string
    tries: number
  }>(sql`
    select cid, provider, updated_at, reason, error, tries from third_party_replicas where reason is not null
    order by updated_at desc limit ${limit}`)

/** Replicas of what the account agreed to. */
export const exported = (userId: number): Sql => sql`
  select r.id as row_key, r.cid, r.size, coalesce(nullif(r.provider_label, ''), r.provider) as provider, r.adapter = 'simulation' as simulated,
    r.state, r.deal_id, r.created_at, r.stored_at, r.checked_at, r.expires_at, r.renewals
  from third_party_replicas r where exists (
    select from assets a left join third_party_choices c on c.user_id = a.user_id
    where a.user_id = ${userId} and a.cid = r.cid and ${isAgreed})`
