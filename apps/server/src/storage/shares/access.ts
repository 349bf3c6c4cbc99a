import { createHmac } from 'node:crypto'
import { AppError, type Permission, SHARE_DOWNLOAD_WINDOW } from '@tidenet/contract'
import { emitEvent } from '../../identity/index.ts'
import { hasPermission, type Member, type Visitor } from '../../platform/http/callers.ts'
import { type AssetRow, addDownload, findEntries, lockDownloads } from '../assets/assets.ts'
import { hasUsedUpDownloads } from '../assets/overview.ts'
import { type Context, now } from '../context.ts'
import { findLinks, type LinkRow, type LinkTarget, recordDownload } from '../links/links.ts'
import { addShortLinkDownload, findShortLink, recordVisit, type ShortLinkRow } from '../links/short-links.ts'
import * as folders from '../tree/tree.ts'
import { hasExpired } from './expiry.ts'
import type { OwnerRow } from './repository.ts'
import * as repository from './repository.ts'
import { readShareToken } from './tokens.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys'>
type Caller = Visitor | Member

export interface ShareAccess {
  owner: OwnerRow
  /** The link that grants access; none for the owner, or if the item is shared without a link. */
  link?: LinkRow
  /** The short link that grants access. */
  short?: ShortLinkRow
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
 * the shared folder `groupId`. The owner always has access. Of several entries of the content, the first that grants access is opened. A
 * short link gives access to its own item only.
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
  if (isShortLink(ask.uid)) return openByShortLink(context, ask)
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
  if (isShortLink(ask.uid)) return openFolderByShortLink(context, ask)
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

/** What stands for the account towards visitors of a short link. No account has a colon in its name. */
export const shortLinkName = (id: string): string => `s:${id}`
const isShortLink = (uid: string): boolean => uid.startsWith('s:')

/**
 * The short link that a share token opens. Opening the link issues the token, also without a password: nobody without one learns whether
 * there is a link.
 * @throws AppError sharePassRequired without a valid token; shareExpired
 */
async function requireShortLink(context: Deps, uid: string, token: string | undefined) {
  const opens = await readShareToken(context, token)
  const link = await findShortLink(context.db, uid.slice(2))
  // A link for uploads shows nothing, whatever the token.
  if (!link || !opens(link) || !link.active || link.revoked_at || link.upload_files !== null)
    throw new AppError('sharePassRequired')
  if (hasExpired(context, link)) throw new AppError('shareExpired')
  const owner = await repository.findOwnerById(context.db, link.user_id)
  if (!owner) throw new AppError('assetUnknown')
  return { link, owner }
}

async function openByShortLink(
  context: Deps,
  ask: { uid: string; cid: string; assetId?: number | undefined; token?: string | undefined },
): Promise<AssetAccess> {
  const { link, owner } = await requireShortLink(context, ask.uid, ask.token)
  for (const asset of await findEntries(context.db, owner.userId, ask)) {
    if (asset.id === link.asset_id) return { owner, asset, areas: [], short: link }
    if (link.folder_id === null) continue
    const path = await folders.findPath(context.db, owner.userId, asset.folder_id)
    if (path.some(({ id }) => id === link.folder_id))
      return { owner, asset, areas: [], short: link, folder: link.folder_id }
  }
  throw new AppError('assetUnknown')
}

/** The owner's name in the answer is that of the link. */
async function openFolderByShortLink(
  context: Deps,
  ask: { uid: string; folderId: number; token?: string | undefined },
): Promise<ShareAccess> {
  const { link, owner } = await requireShortLink(context, ask.uid, ask.token)
  const path = await folders.findPath(context.db, owner.userId, ask.folderId)
  if (!path.some(({ id }) => id === link.folder_id)) throw new AppError('folderUnknown')
  return { owner: { ...owner, uid: ask.uid }, areas: [], short: link }
}

/** Identifies a visitor for a day, without storing the address. */
export const visitorHash = (
  { keys }: Pick<Context, 'keys'>,
  { caller, ip, agent }: { caller: Caller; ip: string; agent: string },
): Buffer =>
  createHmac('sha256', keys.pepper)
    .update(caller.kind === 'member' ? `account ${caller.uid}` : `visitor ${ip} ${agent}`)
    .digest()

/**
 * Counts a download by someone other than the owner; the same visitor counts once in 24 hours.
 * @throws AppError shareLimit if the free downloads of the file, or those of the short link, are used up
 */
export async function countShareDownload(
  context: Deps,
  download: {
    owner: OwnerRow
    asset: AssetRow
    folder?: number | undefined
    short?: ShortLinkRow | undefined
    caller: Caller
    ip: string
    agent: string
  },
): Promise<void> {
  const { owner, asset, short } = download
  const at = now(context)
  const visitor = visitorHash(context, download)
  const since = new Date(at.getTime() - SHARE_DOWNLOAD_WINDOW)
  await context.db.transaction(async (tx) => {
    const locked = await lockDownloads(tx, asset.id)
    if (!locked) throw new AppError('assetUnknown')
    const counts = await recordDownload(tx, {
      userId: owner.userId,
      assetId: asset.id,
      visitor,
      at,
      since,
    })
    if (
      short &&
      (await recordVisit(tx, { linkId: short.id, visitor, what: `asset:${asset.id}`, at, since })) &&
      !(await addShortLinkDownload(tx, short.id, at))
    )
      throw new AppError('shareLimit')
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
