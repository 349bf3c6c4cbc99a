import { SHARE } from '@tidenet/contract'
import { accountsOf, findAccount } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, sql } from '../../platform/db/sql.ts'
import type { Member, Visitor } from '../../platform/http/callers.ts'
import type { LinkRow, LinkTarget } from '../links/links.ts'
import type { Target } from './targets.ts'

export interface OwnerRow {
  userId: number
  uid: string
  vip: boolean
}

/** @param caller an owner who asked to delete the account still sees it, and nobody else does */
export async function findOwner(db: Db, uid: string, caller?: Visitor | Member): Promise<OwnerRow | undefined> {
  const account = await findAccount(db, uid)
  if (!account || (account.closing_at && !(caller?.kind === 'member' && caller.userId === account.id))) return undefined
  return { userId: account.id, uid, vip: account.vip }
}

export async function findOwnerById(db: Db, userId: number): Promise<OwnerRow | undefined> {
  const account = (await accountsOf(db, [userId])).get(userId)
  return account && findOwner(db, account.uid)
}

export interface ItemRow {
  kind: LinkRow['kind']
  /** The entry; null: a folder. */
  asset_id: number | null
  shared: boolean
  downloads: number
  /** Null: a folder does not expire. */
  expires_at: Date | null
}

/** What a target can mean in an account: a folder, or all entries of a content, the earliest first. */
export const findItems = (db: Db, userId: number, target: Target) =>
  db.rows<ItemRow>(
    target.kind === 'asset'
      ? sql`
          select kind, id as asset_id, share_status = ${SHARE.on} as shared, downloads, expires_at from assets
          where user_id = ${userId} and cid = ${target.cid} ${target.assetId === undefined ? none : sql`and id = ${target.assetId}`} order by id`
      : sql`
          select 'group' as kind, null::bigint as asset_id, share_status = ${SHARE.on} as shared, downloads, null::timestamptz as expires_at
          from folders where user_id = ${userId} and id = ${target.folderId}`,
  )

export const linkTargetOf = (target: Target, { asset_id }: Pick<ItemRow, 'asset_id'>): LinkTarget =>
  target.kind === 'group' ? { folderId: target.folderId } : { assetId: asset_id ?? 0 }

/** Whether the account lists the content of an entry earlier, so that its CID alone means another entry. */
export const hasEarlier = async (db: Db, userId: number, cid: string, assetId: number): Promise<boolean> =>
  (await db.maybe(sql`select 1 from assets where user_id = ${userId} and cid = ${cid} and id < ${assetId} limit 1`)) !==
  undefined

/** Ends download tokens issued while the item was shared without terms. */
export const endOpenShare = (tx: Db, userId: number, target: string) =>
  tx.rows(sql`select end_shares(${userId}, ${[target]})`)
