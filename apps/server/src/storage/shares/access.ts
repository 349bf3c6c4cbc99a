import { createHmac } from 'node:crypto'
import { AppError, type Permission, SHARE_DOWNLOAD_WINDOW } from '@tidenet/contract'
import { hasPermission, type Member, type Visitor } from '../../platform/http/callers.ts'
import { type AssetRow, addDownload, findAsset, lockDownloads } from '../assets/assets.ts'
import { hasUsedUpDownloads } from '../assets/overview.ts'
import { type Context, now } from '../context.ts'
import { findLinks, type LinkRow, recordDownload } from '../links/links.ts'
import * as folders from '../tree/tree.ts'
import type { OwnerRow } from './repository.ts'
import * as repository from './repository.ts'
import { readTicket } from './tickets.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'keys'>
type Caller = Visitor | Member

export interface Opened {
  owner: OwnerRow
  /** What lets the caller in; none when it is the owner, or when the item is shared without a link. */
  link?: LinkRow
  /** Countries the link is limited to; none: everywhere. */
  areas: readonly string[]
}

export interface OpenedAsset extends Opened {
  asset: AssetRow
  /** The shared folder that let the caller in. */
  folder?: number
}

/** Whether it is the owner who calls, in person or with a key that may do this. */
const isOwner = (caller: Caller, owner: OwnerRow, permission: Permission): caller is Member =>
  caller.kind === 'member' && caller.userId === owner.userId && hasPermission(caller, permission)

/**
 * The one gate to what an account stores, for others: the asset is shared itself, or it lies at any depth below the
 * shared folder `groupId`. Its owner is let in always. `cid` is a CID as `readCid` writes it.
 * @throws AppError assetUnknown, the same for what is missing and what is not shared; shareExpired; sharePassRequired
 * without a ticket for a link that has a password
 */
export async function openShare(
  context: Needs,
  ask: { caller: Caller; uid: string; cid: string; groupId?: number | undefined; ticket?: string | undefined },
): Promise<OpenedAsset> {
  const owner = await repository.findOwner(context.db, ask.uid)
  const asset = owner && (await findAsset(context.db, owner.userId, ask.cid))
  if (!asset) throw new AppError('assetUnknown')
  if (isOwner(ask.caller, owner, 'readFile')) return { owner, asset, areas: [] }

  const shared = asset.shared ? [ask.cid] : []
  if (ask.groupId) {
    const around = await folders.findPath(context.db, owner.userId, asset.folder_id)
    const named = around.findIndex(({ id }) => id === ask.groupId)
    shared.push(...sharedNearestFirst(around.slice(0, named + 1)))
  }
  if (shared.length === 0) throw new AppError('assetUnknown')
  const { target, link } = await admit(context, owner, shared, ask.ticket)
  return {
    owner,
    asset,
    areas: link?.areas ?? [],
    ...(link && { link }),
    ...(target !== ask.cid && { folder: Number(target) }),
  }
}

/**
 * A folder that is shared, or lies below one that is; its owner is let in always.
 * @throws AppError folderUnknown, the same for what is missing and what is not shared; shareExpired; sharePassRequired
 */
export async function openSharedFolder(
  context: Needs,
  ask: { caller: Caller; uid: string; folderId: number; ticket?: string | undefined },
): Promise<Opened> {
  const owner = await repository.findOwner(context.db, ask.uid)
  const path = owner ? await folders.findPath(context.db, owner.userId, ask.folderId) : []
  if (!owner || path.length === 0) throw new AppError('folderUnknown')
  if (isOwner(ask.caller, owner, 'readFolder')) return { owner, areas: [] }
  const shared = sharedNearestFirst(path)
  if (shared.length === 0) throw new AppError('folderUnknown')
  const { link } = await admit(context, owner, shared, ask.ticket)
  return { owner, areas: link?.areas ?? [], ...(link && { link }) }
}

/** Of folders from the root downwards. */
const sharedNearestFirst = (path: readonly { id: number; shared: boolean }[]): string[] =>
  path
    .filter((folder) => folder.shared)
    .map((folder) => String(folder.id))
    .reverse()

/** The first of some shared items whose link lets the caller in. */
async function admit(
  context: Needs,
  owner: OwnerRow,
  targets: readonly string[],
  ticket: string | undefined,
): Promise<{ target: string; link: LinkRow | undefined }> {
  const links = new Map((await findLinks(context.db, owner.userId, targets)).map((link) => [link.target, link]))
  const opens = await readTicket(context, ticket)
  let passwordAsked = false
  for (const target of targets) {
    const link = links.get(target)
    if (link && hasExpired(context, link)) continue
    if (!link || link.short_pass === '' || opens(link)) return { target, link }
    passwordAsked = true
  }
  throw new AppError(passwordAsked ? 'sharePassRequired' : 'shareExpired')
}

export const hasExpired = ({ clock }: Pick<Context, 'clock'>, { expires_at }: { expires_at: Date | null }): boolean =>
  expires_at !== null && expires_at.getTime() <= clock.now()

/**
 * Counts a download by somebody else than the owner; the same visitor counts once within 24 hours.
 * @throws AppError shareLimit when a free account's file has had its ten
 */
export async function countShareDownload(
  context: Needs,
  visit: { owner: OwnerRow; asset: AssetRow; folder?: number | undefined; caller: Caller; ip: string; agent: string },
): Promise<void> {
  const { owner, asset, caller } = visit
  const at = now(context)
  const who = caller.kind === 'member' ? `account ${caller.uid}` : `visitor ${visit.ip} ${visit.agent}`
  await context.db.transaction(async (tx) => {
    const held = await lockDownloads(tx, asset.id)
    if (!held) throw new AppError('assetUnknown')
    const counts = await recordDownload(tx, {
      userId: owner.userId,
      target: asset.cid,
      visitor: createHmac('sha256', context.keys.pepper).update(who).digest(),
      at,
      since: new Date(at.getTime() - SHARE_DOWNLOAD_WINDOW),
    })
    if (!counts) return
    if (hasUsedUpDownloads(owner, held.downloads)) throw new AppError('shareLimit')
    await addDownload(tx, asset.id)
    if (visit.folder !== undefined) await folders.addDownload(tx, visit.folder)
  })
}
