import type { AreaSource, Lang, NodeKind, NodeStanding, NodeStatus, UpdateProblem } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { areaSource, declaredArea } from './node-areas.ts'
import { standing } from './node-table.ts'

/** The columns of `nodes` that belong to the owner: who it is, and which e-mails were sent. */

export interface DeviceRow {
  node_id: string
  name: string
  kind: NodeKind
  area_id: string
  declared_area: string | null
  region_by: AreaSource
  status: NodeStatus
  reachable: boolean
  seen_at: Date | null
  offline_at: Date | null
  linked_at: Date
  version: string
  updates_on: boolean | null
  update_problem: UpdateProblem | null
  update_version: string
  capacity: number
  used: number
  mail: boolean
  standing: NodeStanding
  draining: boolean
  leaving_since: Date | null
  leaving_remaining: number | null
  audits_passed: number
  audited_periods: number
  vetting_since: Date
}

const columns: Sql = sql`n.id as node_id, n.name, n.kind, n.area_id, ${declaredArea} as declared_area, ${areaSource} as region_by,
  n.status, n.reachable, n.seen_at, n.offline_at, coalesce(n.linked_at, n.created_at) as linked_at, n.version, n.updates_on, n.update_problem, n.update_version,
  n.capacity, n.used, n.owner_mail as mail,
  ${standing} as standing, n.draining_since is not null as draining, n.leaving_since, n.leaving_remaining, n.audits_passed, n.audited_periods, coalesce(n.vetting_since, n.created_at) as vetting_since`

/** Offline nodes first, then abnormal ones, then by name. */
export const listDevices = (db: Db, userId: number, limit: number, offset: number) =>
  db.rows<DeviceRow>(sql`
    select ${columns} from nodes n where n.owner_id = ${userId}
    order by array_position('{offline,abnormal,online}'::text[], n.status), n.name, n.id limit ${limit} offset ${offset}`)

export const countDevices = (db: Db, userId: number) =>
  db.one<{ total: number; online: number; offline: number; abnormal: number; used: number; capacity: number }>(sql`
    select count(*) as total, count(*) filter (where status = 'online') as online, count(*) filter (where status = 'offline') as offline,
      count(*) filter (where status = 'abnormal') as abnormal, coalesce(sum(used), 0)::bigint as used,
      coalesce(sum(capacity), 0)::bigint as capacity
    from nodes where owner_id = ${userId}`)

/** @returns undefined if the node does not belong to the account */
export const setMail = (db: Db, userId: number, nodeId: string, mail: boolean) =>
  db.maybe<DeviceRow>(sql`
    update nodes n set owner_mail = ${mail}, offline_notified = n.offline_notified and ${mail} where n.id = ${nodeId} and n.owner_id = ${userId} returning ${columns}`)

/** Locks a node that proves its key to be linked. */
export const lockForBinding = (tx: Db, nodeId: string) =>
  tx.maybe<{ public_key: string; owner_id: number | null }>(
    sql`select public_key, owner_id from nodes where id = ${nodeId} for no key update`,
  )

/** @param name empty: the name that the node gives itself, after its next start */
export const setOwnerName = (db: Db, nodeId: string, name: string) =>
  db.run(sql`
    update nodes set name = case when ${name} = '' then name else ${name} end, owner_name = nullif(${name}, '') where id = ${nodeId}`)

/** @returns undefined if the node does not belong to the account */
export const renameOwned = (db: Db, userId: number, nodeId: string, name: string) =>
  db.maybe<DeviceRow>(sql`
    update nodes n set name = case when ${name} = '' then n.name else ${name} end, owner_name = nullif(${name}, '')
    where n.id = ${nodeId} and n.owner_id = ${userId} returning ${columns}`)

/** Notes who owns a node until now: its traffic for this account does not earn for some time. */
const noteFormerOwner = (nodeId: string, at: Date, is = sql`is not null`): Sql => sql`
  insert into former_owners (node_id, user_id, until) select id, owner_id, ${at} from nodes where id = ${nodeId} and owner_id ${is}
  on conflict (node_id, user_id) do update set until = excluded.until`

export const clearOwner = (db: Db, userId: number, nodeId: string, at: Date) =>
  db.run(sql`
    with former as (${noteFormerOwner(nodeId, at, sql`= ${userId}`)})
    update nodes set owner_id = null, owner_name = null, linked_at = null, offline_notified = false, offline_notified_at = null, online_notified_at = null
    where id = ${nodeId} and owner_id = ${userId}`)

export const setLanguage = (db: Db, nodeId: string, lang: Lang) =>
  db.run(sql`update nodes set owner_lang = ${lang} where id = ${nodeId} and owner_lang <> ${lang}`)

export const setOwner = (db: Db, nodeId: string, owner: { id: number; lang: Lang }, at: Date) =>
  db.run(sql`
    with former as (${noteFormerOwner(nodeId, at)})
    update nodes set owner_id = ${owner.id}, owner_name = null, owner_lang = ${owner.lang}, owner_mail = true, linked_at = ${at}, offline_notified = false, offline_notified_at = null,
      online_notified_at = null
    where id = ${nodeId}`)

export interface NotifiedNode {
  id: string
  name: string
  lang: Lang
  owner_id: number
  seen_at: Date | null
}

/** Condition on a node `n`: it is offline and did not leave, its owner wants e-mails and was not notified yet, and the quiet period is over. */
const isUnnotified = (nodeNotifiedBefore: Date): Sql =>
  sql`n.status = 'offline' and n.owner_id is not null and n.owner_mail and n.leaving_remaining is distinct from 0 and not n.offline_notified and (n.offline_notified_at is null or n.offline_notified_at <= ${nodeNotifiedBefore})`

/** Owners are notified only if these things happened before these times. */
export interface NotifyBefore {
  /** The node went offline. */
  offline: Date
  /** Another node of the same owner went offline: it is included in the e-mail. */
  offlineTogether: Date
  /** The owner was last notified about this node. */
  nodeNotified: Date
  /** The owner was last notified about any node. */
  ownerNotified: Date
}

/** Owners to notify about an offline node: with an e-mail address, and not locked. */
const ownersToNotify = (before: NotifyBefore): Sql => sql`
  select distinct n.owner_id from nodes n join users u on u.id = n.owner_id
  where ${isUnnotified(before.nodeNotified)} and n.offline_at <= ${before.offline} and u.email is not null and u.locked_at is null
    and not exists (select 1 from nodes m where m.owner_id = n.owner_id and m.offline_notified_at > ${before.ownerNotified})`

export const hasPendingNotifications = async (db: Db, before: NotifyBefore): Promise<boolean> =>
  (await db.maybe(sql`select 1 from (${ownersToNotify(before)}) owners limit 1`)) !== undefined

/** The number of nodes, and of nodes that went offline after `since`. */
export const countRecentlyOffline = (db: Db, since: Date) =>
  db.one<{ total: number; offline: number }>(sql`
    select count(*) as total, count(*) filter (where status = 'offline' and offline_at > ${since}) as offline from nodes`)

/** Marks offline nodes whose owners are notified now. */
export const markOfflineNotified = (db: Db, at: Date, before: NotifyBefore, limit: number) =>
  db.rows<NotifiedNode>(sql`
    with owners as (${ownersToNotify(before)}), due as (
      select n.id, n.owner_id from nodes n join owners on owners.owner_id = n.owner_id
      where ${isUnnotified(before.nodeNotified)} and n.offline_at <= ${before.offlineTogether}
      order by n.id limit ${limit} for no key update of n skip locked
    ), notified as (
      update nodes n set offline_notified = true, offline_notified_at = ${at} from due where n.id = due.id
      returning n.id, n.name, n.owner_lang as lang, due.owner_id, n.seen_at
    )
    select * from notified order by name, id`)

/** Marks nodes that came back online. `notify`: whether the owner gets an e-mail. */
export const markOnlineNotified = (db: Db, at: Date, before: { online: Date; ownerNotified: Date }, limit: number) =>
  db.rows<NotifiedNode & { notify: boolean }>(sql`
    with owners as (
      select distinct n.owner_id from nodes n where n.offline_notified and n.status = 'online' and n.arrived_at <= ${before.online}
        and not exists (select 1 from nodes m where m.owner_id = n.owner_id and m.online_notified_at > ${before.ownerNotified})
    ), due as (
      select n.id, n.owner_id, u.email is not null and u.locked_at is null and n.owner_mail as notify
      from nodes n join owners on owners.owner_id = n.owner_id join users u on u.id = n.owner_id
      where n.offline_notified and n.status = 'online'
      order by n.id limit ${limit} for no key update of n skip locked
    ), notified as (
      update nodes n set offline_notified = false, online_notified_at = case when due.notify then ${at}::timestamptz end from due where n.id = due.id
      returning n.id, n.name, n.owner_lang as lang, due.owner_id, n.seen_at, due.notify
    )
    select * from notified order by name, id`)

/** Unlinks the nodes of an account. Their traffic for it cannot earn any more, so it is not noted who owned them. */
export const unlinkAll = (userId: number): Sql => sql`
    update nodes set owner_id = null, owner_name = null, linked_at = null, offline_notified = false, offline_notified_at = null, online_notified_at = null
    where owner_id = ${userId}`

export const erased = (userId: number): Sql[] => [
  unlinkAll(userId),
  sql`delete from former_owners where user_id = ${userId}`,
]

export const exported = (userId: number): Sql => sql`
  select row_number() over (order by id) as row_key, id, name, kind, area_id, status, version, capacity, used, linked_at, owner_mail from nodes
  where owner_id = ${userId}`
