import { AppError, type contract, type Output, type Parsed, SHARE_PERMANENT } from '@tidenet/contract'
import { accountsOf, lockAccountForUpdate } from '../../identity/index.ts'
import { DAY } from '../../platform/ago.ts'
import { readAreas } from '../../platform/areas.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import * as assets from '../assets/assets.ts'
import { hasUsedUpDownloads } from '../assets/overview.ts'
import { type Context, now } from '../context.ts'
import { createLinkId } from '../links/link-id.ts'
import * as links from '../links/links.ts'
import { unshareAsset, unshareFolder } from '../trash/service.ts'
import * as folders from '../tree/tree.ts'
import { linkTime, longLink, shortLink } from './addresses.ts'
import { hasExpired } from './expiry.ts'
import { readExpiry, requireOwnItem } from './items.ts'
import { checkPassword } from './passwords.ts'
import * as repository from './repository.ts'
import { findTarget, readTarget, type Target } from './targets.ts'
import { signShareToken } from './tokens.ts'

type Shares = (typeof contract)['shares']
type Deps = Pick<Context, 'db' | 'clock' | 'portalUrl'>

/** Creates the link of an own item. A link left from earlier sharing gets the new terms. @throws AppError linkExists if it is in use */
export async function createLink(
  context: Deps,
  caller: Member,
  input: Parsed<Shares['create']>,
  from: { ip: string },
): Promise<Output<Shares['create']>> {
  const target = readTarget(input.cid, input.asset_id)
  const at = now(context)
  const expires = readExpiry(input.expire_time, at)
  const link = await context.db.transaction(async (tx) => {
    const owner = await lockAccountForUpdate(tx, caller.userId)
    const item = await requireOwnItem(tx, caller, target)
    if (target.kind === 'asset' && hasUsedUpDownloads(owner, item.downloads)) throw new AppError('shareLimit')
    const known = await links.findLink(tx, caller.userId, repository.linkTargetOf(target, item))
    if (item.shared && known) throw new AppError('linkExists')
    const created = await links.upsertLink(tx, {
      id: createLinkId(),
      user_id: caller.userId,
      target: target.text,
      asset_id: item.asset_id,
      kind: item.kind,
      short_pass: input.short_pass || input.access_pass || '',
      expires_at: expires,
      areas: readAreas(input.area_id),
      created_at: at,
    })
    const limited = created.short_pass !== '' || expires !== null || created.areas.length > 0
    if (item.shared && limited) await repository.endOpenShare(tx, caller.userId, target.text)
    const detail = { of: target.text, password: created.short_pass !== '', expires }
    await audit(tx, context, caller, from, { action: 'share.create', subject: `share:${created.id}`, detail })
    return created
  })
  const short = shortLink(context.portalUrl(), link)
  return { id: link.id, url: short, short_link: short, long_link: await longLinkOf(context, link, caller.uid) }
}

/** The portal page of a link. It names the entry if the account lists the content earlier. */
async function longLinkOf(
  { db, portalUrl }: Pick<Deps, 'db' | 'portalUrl'>,
  link: links.LinkRow,
  uid: string,
): Promise<string> {
  const { asset_id: entry, user_id: userId, target } = link
  const named = entry !== null && (await repository.hasEarlier(db, userId, target, entry))
  return longLink(portalUrl(), link, uid, named ? entry : undefined)
}

/** How calls name the item of a share. */
type Named = { cid: string; asset_id?: number | undefined }

/** @throws AppError notFound, also for items of others */
async function requireOwnLink(
  { db }: Pick<Deps, 'db'>,
  caller: Member,
  { cid, asset_id }: Named,
): Promise<links.LinkRow> {
  const target = findTarget(cid, asset_id)
  if (!target) throw new AppError('notFound')
  const [item] = await repository.findItems(db, caller.userId, target)
  const link =
    item || target.kind === 'group'
      ? await links.findLink(db, caller.userId, repository.linkTargetOf(target, item ?? { asset_id: null }))
      : await links.findLinkOfContent(db, caller.userId, target)
  if (!link) throw new AppError('notFound')
  return link
}

export async function linkInfo(context: Deps, caller: Member, named: Named): Promise<Output<Shares['info']>> {
  const link = await requireOwnLink(context, caller, named)
  const expires = link.expires_at ?? new Date(SHARE_PERMANENT * 1000)
  return {
    link: {
      id: link.id,
      user_id: caller.uid,
      username: caller.uid,
      cid: link.target,
      asset_id: link.asset_id ?? 0,
      long_link: await longLinkOf(context, link, caller.uid),
      short_link: shortLink(context.portalUrl(), link),
      created_at: link.created_at.toISOString(),
      updated_at: link.updated_at.toISOString(),
      short_pass: link.short_pass,
      expire_at: expires.toISOString(),
      expire_time: Math.floor(expires.getTime() / 1000),
      area_ids: link.areas,
    },
    expire_days: Math.round((expires.getTime() - link.updated_at.getTime()) / DAY),
  }
}

export async function shortLinkOf(context: Deps, caller: Member, named: Named): Promise<{ url: string }> {
  return { url: shortLink(context.portalUrl(), await requireOwnLink(context, caller, named)) }
}

/** Locks the account and finds its link by id. @throws AppError notFound, linkNotYours */
async function requireOwnLinkById(tx: Db, caller: Member, id: string): Promise<links.LinkRow> {
  await lockAccountForUpdate(tx, caller.userId)
  const link = await links.findLinkById(tx, id)
  if (!link) throw new AppError('notFound')
  if (link.user_id !== caller.userId) throw new AppError('linkNotYours')
  return link
}

/** Changes the terms of a link, which invalidates its share tokens. */
export async function updateLink(
  context: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  input: Parsed<Shares['update']>,
  from: { ip: string },
): Promise<void> {
  const at = now(context)
  await context.db.transaction(async (tx) => {
    const link = await requireOwnLinkById(tx, caller, input.id)
    const terms = {
      id: link.id,
      short_pass: input.short_pass ?? link.short_pass,
      expires_at: input.expire_at === 0 ? link.expires_at : readExpiry(input.expire_at, at),
    }
    await links.updateLink(tx, terms, at)
    const detail = { of: link.target, password: terms.short_pass !== '', expires: terms.expires_at }
    await audit(tx, context, caller, from, { action: 'share.change', subject: `share:${link.id}`, detail })
  })
}

/**
 * Turns sharing of an own item on or off. Off takes effect at once for all links and tokens, and also for an item in the trash, which
 * must not be shared again when it is restored.
 */
export async function share(
  context: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  named: Named,
  shared: boolean,
  from: { ip: string },
): Promise<void> {
  const target = readTarget(named.cid, named.asset_id)
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const found =
      (await setShared(tx, caller.userId, target, shared)) ||
      (!shared && (await unshareTrashed(tx, caller.userId, target)))
    if (!found) throw new AppError(target.kind === 'asset' ? 'assetUnknown' : 'folderUnknown')
    const subject = `${target.kind}:${target.text}`
    await audit(tx, context, caller, from, { action: 'share.change', subject, detail: { shared } })
  })
}

async function setShared(tx: Db, userId: number, target: Target, shared: boolean): Promise<number> {
  if (target.kind === 'group') return folders.setShared(tx, userId, target.folderId, shared)
  const asset = await assets.findAsset(tx, userId, target)
  return asset ? assets.setShared(tx, asset.id, shared) : 0
}

const unshareTrashed = (tx: Db, userId: number, target: Target) =>
  target.kind === 'asset' ? unshareAsset(tx, userId, target) : unshareFolder(tx, userId, target.folderId)

/** Deletes a link and stops sharing its item. */
export async function revokeLink(
  context: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  id: string,
  from: { ip: string },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const link = await requireOwnLinkById(tx, caller, id)
    const target = readTarget(link.target, link.asset_id ?? undefined)
    await links.deleteLink(tx, link.id)
    await setShared(tx, caller.userId, target, false)
    await unshareTrashed(tx, caller.userId, target)
    await audit(tx, context, caller, from, {
      action: 'share.remove',
      subject: `share:${link.id}`,
      detail: { of: link.target },
    })
  })
}

interface Shared {
  owner: repository.OwnerRow
  item: repository.ItemRow
  link: links.LinkRow | undefined
}

/**
 * Finds a shared item of an account; undefined for a missing or unshared one alike. Of several entries of a content, the earliest whose share
 * has not expired.
 */
async function findShared(
  context: Pick<Deps, 'db' | 'clock'>,
  { username, cid, asset_id }: Named & { username: string },
): Promise<Shared | undefined> {
  const { db } = context
  const target = findTarget(cid, asset_id)
  const owner = target && (await repository.findOwner(db, username))
  if (!owner) return undefined
  let expired: Shared | undefined
  for (const item of await repository.findItems(db, owner.userId, target)) {
    if (!item.shared) continue
    const link = await links.findLink(db, owner.userId, repository.linkTargetOf(target, item))
    if (!link || !hasExpired(context, link)) return { owner, item, link }
    expired ??= { owner, item, link }
  }
  return expired
}

async function requireShared(
  context: Pick<Deps, 'db' | 'clock'>,
  named: Named & { username: string },
): Promise<Shared> {
  const shared = await findShared(context, named)
  if (!shared) throw new AppError('notFound')
  return shared
}

export async function needPass(
  context: Pick<Deps, 'db' | 'clock'>,
  named: Named & { username: string },
): Promise<{ NeedPass: boolean }> {
  const { link } = await requireShared(context, named)
  return { NeedPass: (link?.short_pass ?? '') !== '' }
}

/**
 * Issues a share token for the correct password; '' if none is needed.
 * @throws AppError notFound, shareExpired, sharePassRequired, sharePassWrong, sharePassLocked, in this order
 */
export async function checkShare(
  context: Pick<Context, 'db' | 'clock' | 'keys'>,
  input: Parsed<Shares['check']>,
  ip: string,
): Promise<string> {
  const { link } = await requireShared(context, input)
  // Shared without a link, so without a password.
  if (!link) return ''
  if (hasExpired(context, link)) throw new AppError('shareExpired')
  await checkPassword(context, link, input.password, ip)
  return signShareToken(context, link)
}

/** Whether a shared item exists, has expired, or has used up its downloads; an unshared item does not exist. */
export async function shareStatus(
  context: Pick<Deps, 'db' | 'clock'>,
  named: Named & { username: string },
): Promise<{ IsExist: boolean; IsExpiration: boolean; IsVisitOutOfLimit: boolean }> {
  const shared = await findShared(context, named)
  if (!shared) return { IsExist: false, IsExpiration: false, IsVisitOutOfLimit: false }
  const { owner, item, link } = shared
  return {
    IsExist: true,
    IsExpiration: hasExpired(context, item) || (link !== undefined && hasExpired(context, link)),
    IsVisitOutOfLimit: item.kind !== 'group' && hasUsedUpDownloads(owner, item.downloads),
  }
}

type NamedLink = { id?: string | undefined; cid?: string | undefined; ts?: string | undefined }

/**
 * Finds a link by its id, or else by its CID if no other account shares the same. Folder ids are guessable, so finding a link by one
 * requires its time too.
 */
async function findOpenLink({ db }: Pick<Deps, 'db'>, { id, cid, ts }: NamedLink) {
  const target = id ? undefined : findTarget(cid ?? '')
  const by = id ? { id } : target && { target: target.text }
  const [link, another] = by ? await links.findOpenLinks(db, by) : []
  if (!link || another || (target?.kind === 'group' && ts !== linkTime(link))) return undefined
  const owner = (await accountsOf(db, [link.user_id])).get(link.user_id)
  return owner && !owner.closing ? { ...link, uid: owner.uid } : undefined
}

/** The target of a short link. @throws AppError notFound for an unknown link and one that is no longer shared alike */
export async function findTargetOf(context: Pick<Deps, 'db'>, named: NamedLink): Promise<Output<Shares['target']>> {
  const link = await findOpenLink(context, named)
  if (!link) throw new AppError('notFound')
  return { cid: link.target, asset_id: link.asset_id ?? 0, user_id: link.uid, kind: link.kind, area_ids: link.areas }
}

/**
 * The portal page of a short link. If the link no longer works, browsers get a page that says so.
 * @throws AppError notFound to programs
 */
export async function followLink(
  context: Pick<Deps, 'db' | 'portalUrl'>,
  named: NamedLink,
  fromBrowser: boolean,
): Promise<string> {
  const link = await findOpenLink(context, named)
  if (link) return longLinkOf(context, link, link.uid)
  if (fromBrowser) return `${context.portalUrl()}/share${named.id ? `?${new URLSearchParams({ id: named.id })}` : ''}`
  throw new AppError('notFound')
}
