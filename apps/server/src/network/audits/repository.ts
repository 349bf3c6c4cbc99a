import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { prepared, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { groupColumns, urlOf } from '../nodes/node-table.ts'
import { CHANNEL } from '../nodes/work-signal.ts'

/** An audit that is assigned to a validator. */
export interface AssignedAudit {
  id: string
  cid: string
  position: number
  node_id: string
  url: string
  /** The node that passes it on. */
  via_id: string | null
  via_url: string | null
  /** Requested by an owner whose check failed, or by a node that complained. */
  requested: boolean
}

/** Assigns open audits to their validator. An audit is assigned once. */
export const assignAudits = (db: Db, validatorId: string, limit: number, at: Date) =>
  db.rows<AssignedAudit>(prepared`
    with picked as (
      select id from audits where validator_id = ${validatorId} and state = 'open' and assigned_at is null
      order by created_at limit ${limit} for update skip locked
    )
    update audits a set assigned_at = ${at}
    from picked p join audits b on b.id = p.id join nodes n on n.id = b.node_id left join nodes v on v.id = b.via_id
    where a.id = p.id
    returning a.id, a.cid, a.position, a.node_id, a.requested, ${urlOf(sql`n`)} as url, v.id as via_id,
      ${urlOf(sql`v`)} as via_url`)

/** Deletes audits that the auditor has not begun, so that their copies are chosen again. */
export const withdrawAudits = (db: Db, validatorId: string, ids: readonly string[]) =>
  db.run(prepared`delete from audits where state = 'open' and validator_id = ${validatorId} and id = any(${ids})`)

/** The given validators that have unassigned audits. */
export const validatorsWithAudits = async (db: Db, ids: readonly string[]): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(prepared`
      select v.id from unnest(${ids}::text[]) v (id)
      where exists (select 1 from audits a where a.validator_id = v.id and a.state = 'open' and a.assigned_at is null)`)
  ).map(({ id }) => id)

/** Condition on a node `n`: it can audit others. */
const isAuditor = sql`n.kind = 'validator' and n.status = 'online' and n.out_since is null`

export const hasValidators = async (tx: Db): Promise<boolean> =>
  (await tx.maybe(prepared`select 1 from nodes n where ${isAuditor} limit 1`)) !== undefined

/** A validator that may audit. `relays`: it can audit through other nodes. `open`: its open audits. */
export interface Auditor {
  id: string
  relays: boolean
  network: string
  owner: string
  open: number
}

/** Online validators with fewer than `maxOpen` open audits. */
export const findValidators = (tx: Db, maxOpen: number) =>
  tx.rows<Auditor>(prepared`
    select n.id, n.relays, ${groupColumns}, a.open
    from nodes n, lateral (select count(*) as open from audits where validator_id = n.id and state = 'open') a
    where ${isAuditor} and a.open < ${maxOpen}
    limit 100`)

export interface NewAudit {
  id: string
  cid: string
  nodeId: string
  validatorId: string
  viaId: string | null
  position: number
}

/**
 * @param requested by an owner whose check failed, or a node that complains
 * @returns a row for each validator that has new audits
 */
export const insertAudits = (tx: Db, audits: readonly NewAudit[], at: Date, requested = false) =>
  tx.rows(prepared`
    with added as (
      insert into audits (id, cid, node_id, validator_id, via_id, position, state, created_at, requested)
      select f.id, f.cid, f.node_id, f.validator_id, f.via_id, f.position, 'open', ${at}, ${requested}
      from unnest(${audits.map((audit) => audit.id)}::text[], ${audits.map((audit) => audit.cid)}::text[],
        ${audits.map((audit) => audit.nodeId)}::text[], ${audits.map((audit) => audit.validatorId)}::text[],
        ${audits.map((audit) => audit.viaId)}::text[], ${audits.map((audit) => audit.position)}::float8[])
        f (id, cid, node_id, validator_id, via_id, position)
      where not exists (select 1 from audits a where a.state = 'open' and a.cid = f.cid and a.node_id = f.node_id)
      returning validator_id
    )
    select pg_notify(${CHANNEL}, validator_id) from (select distinct validator_id from added) validators`)

/** The given audits that are assigned to the validator and still open. */
export const findOpen = (tx: Db, validatorId: string, ids: readonly string[]) =>
  tx.rows<{ id: string; cid: string }>(prepared`
    select id, cid from audits where id = any(${ids}) and validator_id = ${validatorId} and state = 'open' and assigned_at is not null
      and not is_withheld(cid)`)

export interface ClosedAudit {
  id: string
  cid: string
  node_id: string
  via_id: string | null
  state: 'passed' | 'failed' | 'late'
  requested: boolean
  assigned_at: Date
  /** It failed although the node was not offline; `late` if it may just have gone offline. */
  doubtful: boolean
}

/** Whether an audit of this copy is open or began after `since`, and whether one failed after `failedSince`. */
export const recentAudits = (db: Db, cid: string, nodeId: string, since: Date, failedSince: Date) =>
  db.one<{ recent: boolean; failed: boolean }>(prepared`
    select coalesce(bool_or(state = 'open' or created_at > ${since}), false) as recent,
      coalesce(bool_or(state = 'failed' and done_at > ${failedSince}), false) as failed
    from audits where cid = ${cid} and node_id = ${nodeId}`)

/** Whether the last result of this copy `a` was a failure, and the node `n` was heard after it. */
const isBackAfterFailure = sql`coalesce((
  select b.state <> 'passed' and b.done_at < n.seen_at from audits b
  where b.cid = a.cid and b.node_id = a.node_id and (b.state in ('passed', 'failed') or b.state = 'late' and b.error <> '')
  order by b.done_at desc limit 1), false)`

/**
 * Records results; the caller has checked to whom the audits are assigned. A failed audit of a node without recent heartbeats is `late`
 * instead: the node may just be offline. Only once: a node could pause its heartbeats, and answer slowly, whenever it lacks what it is
 * asked for. A failure through another node, of a node that nobody has reached since `reachedSince`, is always `late`: its copies do not
 * count anyway.
 */
export const closeAudits = (
  tx: Db,
  results: readonly { id: string; passed: boolean; error: string }[],
  { heardSince, reachedSince }: Record<'heardSince' | 'reachedSince', Date>,
  at: Date,
) =>
  tx.rows<ClosedAudit>(prepared`
    with judged as (
      select a.id, f.passed, case when f.passed or f.error <> '' then f.error else 'failed' end as error,
        n.status <> 'offline' and (a.via_id is null or n.reachable or coalesce(n.reachable_via_at > ${reachedSince}, false)) as present,
        n.seen_at > ${heardSince} or ${isBackAfterFailure} as heard
      from unnest(${results.map((result) => result.id)}::text[], ${results.map((result) => result.passed)}::boolean[],
        ${results.map((result) => result.error)}::text[]) f (id, passed, error)
        join audits a on a.id = f.id join nodes n on n.id = a.node_id
    )
    update audits a set error = j.error, done_at = ${at},
      state = case when j.passed then 'passed' when j.present and j.heard then 'failed' else 'late' end
    from judged j where a.id = j.id and a.state = 'open'
    returning a.id, a.cid, a.node_id, a.via_id, a.state, a.requested, coalesce(a.assigned_at, a.created_at) as assigned_at, not j.passed and j.present as doubtful`)

/** Marks results that count for the node. */
export const markCounted = (tx: Db, ids: readonly string[]) =>
  tx.run(prepared`update audits set counted = true where id = any(${ids})`)

export const markLate = (db: Db, before: Date, at: Date) =>
  db.run(sql`
    update audits set state = 'late', done_at = ${at} where id in (
      select id from audits where state = 'open' and created_at <= ${before} order by created_at limit 1000 for update skip locked)`)

/** Statistics use at most seven days. */
export const expired = (at: Date): Sql[] => [
  sql`delete from audits where id in (
    select id from audits where created_at < ${ago(at, 30 * DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
]
