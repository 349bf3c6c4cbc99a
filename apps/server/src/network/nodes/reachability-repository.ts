import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Times } from './times.ts'

/** A node that is being probed. */
export interface Probed {
  id: string
  public_key: string
  url: string
  /** The address from which it called, and whether its URL leads to a relay. */
  ip: string
  relayed: boolean
}

/** Marks the node as probed. @returns undefined if it does not exist */
export const startProbe = (db: Db, nodeId: string, at: Date) =>
  db.maybe<Probed>(
    sql`update nodes set reachable_at = ${at} where id = ${nodeId} returning id, public_key, url, ip, relayed`,
  )

/** Marks nodes whose probe is due as probed, at most 200; two servers get different ones. */
export const startDueProbes = (
  db: Db,
  { probeReachable, probeUnreachable }: Pick<Times, 'probeReachable' | 'probeUnreachable'>,
  at: number,
) =>
  db.rows<Probed>(sql`
    with due as (
      select id from nodes where status <> 'offline' and (reachable_at is null
        or reachable_at <= case when reachable then ${new Date(at - probeReachable)}::timestamptz else ${new Date(at - probeUnreachable)}::timestamptz end)
      order by reachable_at nulls first limit 200 for update skip locked
    )
    update nodes n set reachable_at = ${new Date(at)} from due where n.id = due.id returning n.id, n.public_key, n.url, n.ip, n.relayed`)

/** Records that a node answered from this address, unless its URL has changed meanwhile. */
export const setReached = (
  db: Db,
  { id, url }: Probed,
  { ip, address, network }: { ip: string; address: string; network: string },
  at: Date,
) =>
  db.run(sql`
    update nodes set reachable = true, reached_ip = ${ip}, unreachable_since = null, network = ${network}, address = ${address},
      eligible_at = case when reachable then eligible_at else ${at} end
    where id = ${id} and url = ${url}
      and (not reachable or reached_ip is distinct from ${ip} or network <> ${network} or address <> ${address} or unreachable_since is not null)`)

/** Begins to try whether a node is reached directly. @returns undefined if that was tried after `since` */
export const startDirectCheck = (db: Db, nodeId: string, since: Date, at: Date) =>
  db.maybe<{ id: string }>(
    sql`update nodes set direct_at = ${at} where id = ${nodeId} and (direct_at is null or direct_at <= ${since}) returning id`,
  )

/** Where a node says to be reached directly; it repeats that every minute. @param url empty: nowhere */
export const setClaimedUrl = (db: Db, nodeId: string, url: string, at: Date) =>
  db.run(
    sql`update nodes set claimed_url = ${url}, claimed_at = ${at} where id = ${nodeId} and (claimed_url <> ${url} or ${url} <> '')`,
  )

/** Where a node is reached directly. @param url empty: nowhere */
export const setDirect = (db: Db, nodeId: string, url: string) =>
  db.run(sql`update nodes set direct_url = ${url} where id = ${nodeId} and direct_url <> ${url}`)

export const directUrlOf = async (db: Db, nodeId: string): Promise<string> =>
  (await db.maybe<{ direct_url: string }>(sql`select direct_url from nodes where id = ${nodeId}`))?.direct_url ?? ''

/** Nodes are not reached directly any more if they did not have it tried since then. */
export const endDirect = (db: Db, since: Date) =>
  db.run(sql`update nodes set direct_url = '' where direct_url <> '' and direct_at < ${since}`)

/** The origins of a node at its relays. */
export const setRelayUrls = (db: Db, nodeId: string, urls: readonly string[]) =>
  db.run(sql`update nodes set relay_urls = ${[...urls]} where id = ${nodeId} and relay_urls <> ${[...urls]}::text[]`)

/** Records from where a node behind a relay calls: nothing else says in which network it is. */
export const setCalledFrom = (
  db: Db,
  nodeId: string,
  { ip, address, network }: { ip: string; address: string; network: string },
) =>
  db.run(sql`
    update nodes set ip = ${ip}, address = ${address}, network = ${network}
    where id = ${nodeId} and relayed and (ip <> ${ip} or address <> ${address} or network <> ${network})`)

/** Records that a node did not answer, unless its URL has changed meanwhile. */
export const setUnreachable = (db: Db, { id, url }: Probed, at: Date) =>
  db.run(sql`
    update nodes set reachable = false, unreachable_since = coalesce(unreachable_since, ${at})
    where id = ${id} and url = ${url} and (reachable or unreachable_since is null)`)
