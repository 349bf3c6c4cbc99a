import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { inReach } from '../contents/possession.ts'
import type { AssetRow } from './repository.ts'

/** What is asked about, by one who may know of some nodes alone or of all. */
type Sought = Pick<AssetRow, 'cid' | 'only_from'>

/** What nobody has looked at yet is on its way, as far as people are concerned. */
const shownState = sql`case when r.state = 'claimed' then 'pulling' else r.state end`

/** Ids of the nodes that hold a content, and how many should. */
export const findHolders = (db: Db, { cid, only_from }: Sought) =>
  db.one<{ holders: string[]; wanted: number }>(sql`
    select c.wanted, array(
        select r.node_id from replicas r where r.cid = c.cid and r.state = 'stored' and ${inReach(only_from)} order by r.node_id) as holders
    from contents c where c.cid = ${cid}`)

export const countReplicas = async (db: Db, { cid, only_from }: Sought): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) from replicas r where r.cid = ${cid} and r.state <> 'removed' and ${inReach(only_from)}`,
    )
  ).count

/** Replicas of a content with the areas of their nodes, those that are stored first. */
export const findReplicaPage = (db: Db, { cid, only_from }: Sought, limit: number, offset: number) =>
  db.rows<{ node_id: string; area_id: string; state: 'wanted' | 'pulling' | 'stored' | 'lost' }>(sql`
    select r.node_id, n.area_id, ${shownState} as state from replicas r join nodes n on n.id = r.node_id
    where r.cid = ${cid} and r.state <> 'removed' and ${inReach(only_from)}
    order by r.state <> 'stored', r.node_id limit ${limit} offset ${offset}`)

/** Ids of the nodes that hold anything of an account. */
export const findHoldersOfAccount = async (db: Db, userId: number): Promise<string[]> =>
  (
    await db.rows<{ node_id: string }>(sql`
      select distinct r.node_id from assets a join replicas r on r.cid = a.cid and r.state = 'stored'
      where a.user_id = ${userId} and (a.only_from is null or r.node_id = any(a.only_from))`)
  ).map((row) => row.node_id)

/** Stored replicas of an account's assets by the country of their node, the most first. */
export const countByCountry = (db: Db, userId: number) =>
  db.rows<{ country: string; copies: number; files: number; nodes: number; nodes_online: number }>(sql`
    select n.country, count(*) as copies, count(distinct a.cid) as files, count(distinct n.id) as nodes,
      count(distinct n.id) filter (where n.status = 'online') as nodes_online
    from assets a join replicas r on r.cid = a.cid and r.state = 'stored' join nodes n on n.id = r.node_id
    where a.user_id = ${userId} and (a.only_from is null or r.node_id = any(a.only_from))
    group by n.country order by copies desc, n.country`)

/** Replicas of a content with the last audit of each, those that are stored first. */
export const findReplicas = (db: Db, { cid, only_from }: Sought) =>
  db.rows<{
    node_id: string
    state: 'wanted' | 'pulling' | 'stored' | 'lost'
    doubted: boolean
    changed_at: Date
    audited_at: Date | null
    passed: boolean | null
  }>(sql`
    select r.node_id, ${shownState} as state, r.doubted, r.changed_at, a.done_at as audited_at, a.state = 'passed' as passed
    from replicas r left join lateral (
      select done_at, state from audits where cid = r.cid and node_id = r.node_id and state in ('passed', 'failed')
      order by done_at desc limit 1
    ) a on true
    where r.cid = ${cid} and r.state <> 'removed' and ${inReach(only_from)}
    order by r.state <> 'stored', r.node_id`)

/** How many replicas of a content there should be. */
export const wantedOf = async (db: Db, cid: string): Promise<number> =>
  (await db.maybe<{ wanted: number }>(sql`select wanted from contents where cid = ${cid}`))?.wanted ?? 0
