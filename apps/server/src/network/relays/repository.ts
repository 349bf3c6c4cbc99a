import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

export interface RelayRow {
  node_id: string
  public_key: string
  /** At which the server reached it. */
  url: string
  address: string
  port: number
}

/** Records where a node serves as a relay. */
export const setRelay = (db: Db, nodeId: string, { address, port }: { address: string; port: number }, at: Date) =>
  db.run(sql`
    insert into relays (node_id, address, port, seen_at) values (${nodeId}, ${address}, ${port}, ${at})
    on conflict (node_id) do update set address = excluded.address, port = excluded.port, seen_at = excluded.seen_at`)

export const deleteRelay = (db: Db, nodeId: string) => db.run(sql`delete from relays where node_id = ${nodeId}`)

/** Relays that reported since then, and that the server reaches by https at names of the zone. */
export const findRelays = (db: Db, zone: string, since: Date) =>
  db.rows<RelayRow>(sql`
    select r.node_id, n.public_key, n.url, r.address, r.port from relays r join nodes n on n.id = r.node_id
    where r.seen_at > ${since} and n.kind <> 'edge' and n.reachable and n.status <> 'offline' and n.out_since is null and n.leaving_since is null
      and n.url like ${`https://%.${zone}%`}`)

export const findOwnRelay = (db: Db, nodeId: string) =>
  db.maybe<{ address: string; port: number }>(sql`select address, port from relays where node_id = ${nodeId}`)

/** Whether a node should ask for a new certificate, or has not fetched it. */
export const isCertificateDue = async (db: Db, nodeId: string, at: Date): Promise<boolean> =>
  (await db.maybe(
    sql`select 1 as found from node_certificates where node_id = ${nodeId} and (renew_at <= ${at} and waiting_since is null or not fetched)`,
  )) !== undefined

/** Whether a relay that was given to the node is at this place: anything else could be a claim about the address of somebody. */
export const isRelayAt = async (db: Db, nodeId: string, address: string, port: number): Promise<boolean> =>
  (await db.maybe(
    sql`select 1 as found from relays r join relay_choices c on c.relay_id = r.node_id and c.node_id = ${nodeId}
      where r.address = ${address} and r.port = ${port}`,
  )) !== undefined

export const expired = (at: Date): readonly Sql[] => [
  sql`delete from relays where node_id in (
    select node_id from relays where seen_at < ${new Date(at.getTime() - 3_600_000)} limit ${EXPIRED_BATCH})`,
]
