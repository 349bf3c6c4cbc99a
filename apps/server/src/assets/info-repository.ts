import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** Ids of the nodes that hold a content, and how many should. */
export const findHolders = (db: Db, cid: string) =>
  db.one<{ holders: string[]; wanted: number }>(sql`
    select c.wanted, array(select node_id from replicas where cid = c.cid and state = 'stored' order by node_id) as holders
    from contents c where c.cid = ${cid}`)

export const countReplicas = async (db: Db, cid: string): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from replicas where cid = ${cid} and state <> 'removed'`)).count

/** Replicas of a content with the areas of their nodes, those that are stored first. */
export const findReplicaPage = (db: Db, cid: string, limit: number, offset: number) =>
  db.rows<{ node_id: string; area_id: string; state: 'wanted' | 'pulling' | 'stored' | 'lost' }>(sql`
    select r.node_id, n.area_id, r.state from replicas r join nodes n on n.id = r.node_id
    where r.cid = ${cid} and r.state <> 'removed'
    order by r.state <> 'stored', r.node_id limit ${limit} offset ${offset}`)

/** Ids of the nodes that hold anything of an account. */
export const findHoldersOfAccount = async (db: Db, userId: number): Promise<string[]> =>
  (
    await db.rows<{ node_id: string }>(sql`
      select distinct r.node_id from assets a join replicas r on r.cid = a.cid and r.state = 'stored'
      where a.user_id = ${userId}`)
  ).map((row) => row.node_id)
