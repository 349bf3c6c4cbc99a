import { SHARE } from '@tidenet/contract'
import { findAccount } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { LinkRow } from '../links/links.ts'
import type { Target } from './targets.ts'

export interface OwnerRow {
  userId: number
  uid: string
  vip: boolean
}

export async function findOwner(db: Db, uid: string): Promise<OwnerRow | undefined> {
  const account = await findAccount(db, uid)
  return account && { userId: account.id, uid, vip: account.vip }
}

export interface ItemRow {
  kind: LinkRow['kind']
  shared: boolean
  downloads: number
  /** Null: a folder does not expire. */
  expires_at: Date | null
}

/** The shared state of an asset or a folder of an account. */
export const findItem = (db: Db, userId: number, target: Target) =>
  db.maybe<ItemRow>(
    target.kind === 'asset'
      ? sql`select kind, share_status = ${SHARE.on} as shared, downloads, expires_at from assets where user_id = ${userId} and cid = ${target.cid}`
      : sql`select 'group' as kind, share_status = ${SHARE.on} as shared, downloads, null::timestamptz as expires_at from folders where user_id = ${userId} and id = ${target.folderId}`,
  )

/** Ends download tokens issued while the item was shared without terms. */
export const endOpenShare = (tx: Db, userId: number, target: string) =>
  tx.rows(sql`select end_shares(${userId}, ${[target]})`)
