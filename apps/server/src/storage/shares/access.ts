import { createHmac } from 'node:crypto'
import { AppError, type Permission, SHARE_DOWNLOAD_WINDOW } from '@tidenet/contract'
import { emitEvent } from '../../identity/index.ts'
import { hasPermission, type Member, type Visitor } from '../../platform/http/callers.ts'
import { type AssetRow, addDownload, findEntries, lockDownloads } from '../assets/assets.ts'
import { hasUsedUpDownloads } from '../assets/overview.ts'
import { type Context, now } from '../context.ts'
import { findLinks, type LinkRow, type LinkTarget, recordDownload } from '../links/links.ts'
import * as folders from '../tree/tree.ts'
import type { OwnerRow } from './repository.ts'
import * as repository from './repository.ts'
import { readShareToken } from './tokens.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys'>
type Caller = Visitor | Member

export interface ShareAccess {
  owner: OwnerRow
  /** The link that grants access; none for the owner, or if the item is shared without a link. */
  link?: LinkRow
  /** Countries to which the link is restricted; none: everywhere. */
  areas: readonly string[]
}

export interface AssetAccess extends ShareAccess {
  asset: AssetRow
  /** The shared folder that grants access. */
  folder?: number
}

/** Whether the caller is the owner, signed in or with an API key that has the permission. */
const isOwner = (caller: Caller, owner: OwnerRow, permission: Permission): caller is Member =>
  caller.kind === 'member' && caller.userId === owner.userId && hasPermission(caller, permission)

/**
 * Checks access to an asset. All access by others goes through this function: the asset itself is shared, or it is at any depth below
 * the shared folder `groupId`. The owner always has access. Of several entries of the content, the first that grants access is opened.
 * @param ask.cid as `readCid` returns it
 * @param ask.assetId only this entry
 * @throws AppError assetUnknown for a missing or unshared asset alike; shareExpired; sharePassRequired without a share token for a
 * link with a password
 */
export async function openShare(
  context: Deps,
  ask: {
    caller: Caller
    uid: string
    cid: string
    assetId?: number | undefined
    groupId?: number | undefined
    token?: string | undefined
  },
): Promise<AssetAccess> {
  const owner = await repository.findOwner(context.db, ask.uid, ask.caller)
  const entries = owner ? await findEntries(context.db, owner.userId, ask) : []
  const [first] = entries
  if (!owner || !first) throw new AppError('assetUnknown')
  if (isOwner(ask.caller, owner, 'readFile')) return { owner, asset: first, areas: [] }

  const shared: { asset: AssetRow; target: LinkTarget }[] = []
  for (const asset of entries) {
    if (asset.shared) shared.push({ asset, target: { assetId: asset.id } })
    if (!ask.groupId) continue
    const path = await folders.findPath(context.db, owner.userId, asset.folder_id)
    const sharedAt = path.findIndex(({ id }) => id === ask.groupId)
    const above = sharedNearestFirst(path.slice(0, sharedAt + 1))
    shared.push(...above.map((folderId) => ({ asset, target: { folderId } })))
  }
  if (shared.length === 0) throw new AppError('assetUnknown')
  const { asset, target, link } = await requireAccess(context, owner, shared, ask.token)
  return {
    owner,
    asset,
    areas: link?.areas ?? [],
    ...(link && { link }),
    ...('folderId' in target && { folder: target.folderId }),
  }
}

/**
 * Checks access to a folder: it is shared, or it is below a shared one. The owner always has access.
 * @throws AppError folderUnknown for a missing or unshared folder alike; shareExpired; sharePassRequired
 */
export async function openSharedFolder(
  context: Deps,
  ask: { caller: Caller; uid: string; folderId: number; token?: string | undefined },
): Promise<ShareAccess> {
  const owner = await repository.findOwner(context.db, ask.uid, ask.caller)
  const path = owner ? await folders.findPath(context.db, owner.userId, ask.folderId) : []
  if (!owner || path.length === 0) throw new AppError('folderUnknown')
  if (isOwner(ask.caller, owner, 'readFolder')) return { owner, areas: [] }
  const shared = sharedNearestFirst(path)
  if (shared.length === 0) throw new AppError('folderUnknown')
  const targets = shared.map((folderId) => ({ target: { folderId } }))
  const { link } = await requireAccess(context, owner, targets, ask.token)
  return { owner, areas: link?.areas ?? [], ...(link && { link }) }
}

/** Ids of the shared folders of a path, which begins at the root. */
const sharedNearestFirst = (path: readonly { id: number; shared: boolean }[]): number[] =>
  path
    .filter((folder) => folder.shared)
    .map((folder) => folder.id)
    .reverse()

/** Finds the first shared item whose link grants access. @throws AppError sharePassRequired, shareExpired */
async function requireAccess<Shared extends { target: LinkTarget }>(
  context: Deps,
  owner: OwnerRow,
  shared: readonly Shared[],
  token: string | undefined,
): Promise<Shared & { link: LinkRow | undefined }> {
  const assets = shared.flatMap(({ target }) => ('assetId' in target ? target.assetId : []))
  const groups = shared.flatMap(({ target }) => ('folderId' in target ? target.folderId : []))
  const links = await findLinks(context.db, owner.userId, { assets, folders: groups })
  const opens = await readShareToken(context, token)
  let passwordRequired = false
  for (const each of shared) {
    const { target } = each
    const link = links.find(({ asset_id, target: text }) =>
      'assetId' in target ? asset_id === target.assetId : asset_id === null && text === String(target.folderId),
    )
    if (link && hasExpired(context, link)) continue
    if (!link || link.short_pass === '' || opens(link)) return { ...each, link }
    passwordRequired = true
  }
  throw new AppError(passwordRequired ? 'sharePassRequired' : 'shareExpired')
}

export const hasExpired = ({ clock }: Pick<Context, 'clock'>, { expires_at }: { expires_at: Date | null }): boolean =>
  expires_at !== null && expires_at.getTime() <= clock.now()

/**
 * Counts a download by someone other than the owner; the same visitor counts once in 24 hours.
 * @throws AppError shareLimit if the free downloads of the file are used up
 */
export async function countShareDownload(
  context: Deps,
  download: {
    owner: OwnerRow
    asset: AssetRow
    folder?: number | undefined
    caller: Caller
    ip: string
    agent: string
  },
): Promise<void> {
  const { owner, asset, caller } = download
  const at = now(context)
  const who = caller.kind === 'member' ? `account ${caller.uid}` : `visitor ${download.ip} ${download.agent}`
  await context.db.transaction(async (tx) => {
    const locked = await lockDownloads(tx, asset.id)
    if (!locked) throw new AppError('assetUnknown')
    const counts = await recordDownload(tx, {
      userId: owner.userId,
      assetId: asset.id,
      visitor: createHmac('sha256', context.keys.pepper).update(who).digest(),
      at,
      since: new Date(at.getTime() - SHARE_DOWNLOAD_WINDOW),
    })
    if (!counts) return
    if (hasUsedUpDownloads(owner, locked.downloads)) throw new AppError('shareLimit')
    await addDownload(tx, asset.id)
    if (download.folder !== undefined) await folders.addDownload(tx, download.folder)
    const opened = {
      cid: asset.cid,
      asset_id: asset.id,
      folder_id: download.folder ?? null,
      downloads: locked.downloads + 1,
    }
    await emitEvent(tx, owner.userId, 'share.opened', opened, at)
  })
}
