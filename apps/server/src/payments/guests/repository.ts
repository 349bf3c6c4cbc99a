import type { ClusterName } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export interface GuestRow {
  workspace_id: string
  /** Null once its account is deleted. */
  guest_id: number | null
  cluster: ClusterName
  state: 'starting' | 'running' | 'failed' | 'over'
  started_at: Date | null
  ends_at: Date
  adopted_by: number | null
}

const COLUMNS = sql`workspace_id, guest_id, cluster, state, started_at, ends_at, adopted_by`

/** Serializes starts, so that the limit of all guests holds. */
export const lockStarts = (tx: Db): Promise<number> => advisoryLock(tx, 'starts of guest workspaces')

/** Workspaces of guests that start or run, also those that are to be ended. */
export const countActive = async (tx: Db): Promise<number> =>
  (await tx.one<{ count: number }>(sql`select count(*) as count from guest_workspaces where state <> 'over'`)).count

export interface NewGuest {
  workspaceId: string
  guestId: number
  keyHash: Buffer
  network: string
  cluster: ClusterName
  at: Date
  endsAt: Date
}

/** @returns 0 if the network has one already */
export const insertGuest = (tx: Db, guest: NewGuest): Promise<number> =>
  tx.run(sql`
    insert into guest_workspaces (workspace_id, guest_id, key_hash, network, cluster, created_at, ends_at, due_at)
    values (${guest.workspaceId}, ${guest.guestId}, ${guest.keyHash}, ${guest.network}, ${guest.cluster}, ${guest.at},
      ${guest.endsAt}, ${guest.endsAt})
    on conflict (network) where state in ('starting', 'running') do nothing`)

export const findGuest = (db: Db, workspaceId: string): Promise<GuestRow | undefined> =>
  db.maybe(sql`select ${COLUMNS} from guest_workspaces where workspace_id = ${workspaceId}`)

export const findByKey = (db: Db, keyHash: Buffer): Promise<GuestRow | undefined> =>
  db.maybe(sql`select ${COLUMNS} from guest_workspaces where key_hash = ${keyHash}`)

export const lockByKey = (tx: Db, keyHash: Buffer): Promise<GuestRow | undefined> =>
  tx.maybe(sql`select ${COLUMNS} from guest_workspaces where key_hash = ${keyHash} for update`)

export const hasAdopted = async (tx: Db, userId: number): Promise<boolean> =>
  (
    await tx.one<{ has: boolean }>(sql`
      select exists (select 1 from guest_workspaces where adopted_by = ${userId}) as has`)
  ).has

/** @returns 0 if it was ended meanwhile */
export const setRunning = (db: Db, workspaceId: string, at: Date, endsAt: Date): Promise<number> =>
  db.run(sql`
    update guest_workspaces set state = 'running', started_at = ${at}, ends_at = ${endsAt}, due_at = ${endsAt}
    where workspace_id = ${workspaceId} and state = 'starting'`)

/** It could not be started: it is removed at once. */
export const setFailed = (db: Db, workspaceId: string, at: Date): Promise<number> =>
  db.run(sql`
    update guest_workspaces set state = 'failed', due_at = ${at} where workspace_id = ${workspaceId} and state = 'starting'`)

export const setAdopted = (tx: Db, workspaceId: string, userId: number, at: Date): Promise<number> =>
  tx.run(sql`
    update guest_workspaces set adopted_by = ${userId}, adopted_at = ${at}, guest_id = null where workspace_id = ${workspaceId}`)

export const setOver = (tx: Db, workspaceId: string): Promise<number> =>
  tx.run(sql`
    update guest_workspaces set state = 'over', guest_id = null where workspace_id = ${workspaceId} and state <> 'over'`)

/** Those that are to be ended, for this server until `until`. */
export const leaseDue = (db: Db, at: Date, until: Date, limit: number): Promise<GuestRow[]> =>
  db.rows(sql`
    update guest_workspaces set due_at = ${until} where workspace_id in (
      select workspace_id from guest_workspaces where state <> 'over' and due_at <= ${at}
      order by due_at limit ${limit} for update skip locked)
    returning ${COLUMNS}`)

/** For a month it is known which accounts adopted one. */
export const expired = (at: Date): Sql[] => [
  sql`delete from guest_workspaces where state = 'over' and adopted_by is null and ends_at < ${ago(at, DAY)}`,
  sql`delete from guest_workspaces where state = 'over' and ends_at < ${ago(at, 30 * DAY)}`,
]

export const erased = (userId: number): Sql[] => [
  sql`update guest_workspaces set adopted_by = null where adopted_by = ${userId}`,
  sql`update guest_workspaces set guest_id = null where guest_id = ${userId}`,
]
