import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'

export interface Outage {
  id: number
  workspace_id: string
  cause: 'cluster' | 'lost'
  from_at: Date
  to_at: Date
  /** How many probes failed. */
  probes: number
}

/** Outages of one workspace never overlap: at most one is open, and the next one begins after its end. */

export const closeStaleOutages = (tx: Db, before: Date, workspaces?: readonly string[]): Promise<number> =>
  tx.run(sql`
    update workspace_outages set state = 'over' where state = 'open' and to_at < ${before}
      ${workspaces === undefined ? none : sql`and workspace_id = any(${workspaces})`}`)

export const continueOutages = (tx: Db, workspaces: readonly string[], at: Date): Promise<number> =>
  tx.run(sql`
    update workspace_outages set to_at = greatest(to_at, ${at}), probes = probes + 1
    where state = 'open' and workspace_id = any(${workspaces}) and to_at < ${at}`)

/** Opens one for each of these workspaces that has none. */
export const openOutages = (tx: Db, workspaces: readonly string[], cause: Outage['cause'], at: Date): Promise<number> =>
  tx.run(sql`
    insert into workspace_outages (workspace_id, cause, from_at, to_at)
    select w.id, ${cause}, start.at, start.at from unnest(${workspaces}::text[]) w (id), lateral (
      select greatest(${at}::timestamptz, max(o.to_at)) as at from workspace_outages o where o.workspace_id = w.id) start
    on conflict (workspace_id) where state = 'open' do nothing`)

/** The first successful probe ends an outage, unless nothing was measured since before `since`. */
export const closeOutages = (db: Db, workspaces: readonly string[], at: Date, since: Date): Promise<number> =>
  db.run(sql`
    update workspace_outages set state = 'over', to_at = case when to_at >= ${since} then greatest(to_at, ${at}) else to_at end
    where state = 'open' and workspace_id = any(${workspaces})`)

export const takeOverOutages = async (tx: Db, limit: number): Promise<Outage[]> => {
  await tx.run(sql`
    delete from workspace_outages where state = 'over' and (probes < 2 or to_at - from_at < interval '1 minute')`)
  return tx.rows(sql`
    update workspace_outages set state = 'counted'
    where id in (select id from workspace_outages where state = 'over' order by id limit ${limit} for update skip locked)
    returning id, workspace_id, cause, from_at, to_at, probes`)
}

/** What they prove is in receipts. */
export const expired = (at: Date): Sql[] => [
  sql`delete from workspace_outages where state = 'counted' and to_at < ${ago(at, 90 * DAY)}`,
]
