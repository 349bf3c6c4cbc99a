import { AppError, type AssetType, type contract, type Output, SHARE_DOWNLOAD_WINDOW } from '@tidenet/contract'
import { clientNetworkOf, countFailure, type FailureLimit, uncountFailure } from '../../platform/attempts/attempts.ts'
import type { Member, Visitor } from '../../platform/http/callers.ts'
import { hashToken } from '../../platform/token-hash.ts'
import { findAssetById } from '../assets/assets.ts'
import { type Context, now } from '../context.ts'
import { addView, findByToken, recordVisit, type ShortLinkRow } from '../links/short-links.ts'
import { findFolder } from '../tree/tree.ts'
import { shortLinkName, visitorHash } from './access.ts'
import { hasExpired } from './expiry.ts'
import { checkPassword } from './passwords.ts'
import { findOwnerById } from './repository.ts'
import { hasReachedLimit, passwordOf, SHORT_LINK_TOKEN } from './short-links.ts'
import { findProven, OWNER, signShareToken, signUploadTicket } from './tokens.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys'>

/** Limits guesses of tokens. People mistype, and some share an address. */
const GUESSES: FailureLimit = { kind: 'short link', max: 30, within: 3_600_000 }

interface OpenLink {
  link: ShortLinkRow
  item: LinkedItem
}

interface LinkedItem {
  /** Of a folder, its id. */
  cid: string
  kind: AssetType | 'group'
  name: string
  size: number
  encrypted: boolean
}

/**
 * The link of a token with its item. The only lookup by token, so that all guesses are counted.
 * @throws AppError notFound if the link does not exist, is off or revoked, or its item or account is deleted,
 * alike; shareExpired; tooManyRequests
 */
export async function findOpen(context: Deps, token: string, ip: string): Promise<OpenLink> {
  const network = clientNetworkOf(ip)
  const seconds = await countFailure(context, GUESSES, network)
  if (seconds > 0) throw new AppError('tooManyRequests', { seconds })
  const link = SHORT_LINK_TOKEN.test(token) ? await findByToken(context.db, hashToken(token)) : undefined
  const item = link && (await itemOf(context, link))
  // Undefined for an account that is being deleted.
  const owner = link && (await findOwnerById(context.db, link.user_id))
  if (!link || !item || !owner) throw new AppError('notFound')
  await uncountFailure(context.db, GUESSES, network)
  if (hasExpired(context, link)) throw new AppError('shareExpired')
  return { link, item }
}

async function itemOf({ db }: Deps, link: ShortLinkRow): Promise<LinkedItem | undefined> {
  if (link.asset_id !== null) return findAssetById(db, link.user_id, link.asset_id)
  const folder = await findFolder(db, link.user_id, link.folder_id ?? 0)
  return folder && { cid: String(folder.id), kind: 'group', name: folder.name, size: folder.bytes, encrypted: false }
}

/**
 * Checks the terms of a link and issues a share token. Visits of the owner are not counted; those of others once a day.
 * @throws AppError as `findOpen`; linkEmailRequired; shareLimit; sharePassRequired, sharePassWrong, sharePassLocked
 */
export async function openShortLink(
  context: Deps,
  caller: Visitor | Member,
  { token, password, proof }: { token: string; password: string; proof?: string | undefined },
  from: { ip: string; agent: string },
): Promise<Output<(typeof contract)['shortLinks']['open']>> {
  const { link, item } = await findOpen(context, token, from.ip)
  // First, because strangers learn nothing else about a link that is not for them.
  const email = await requireEmail(context, link, caller, proof)
  if (hasReachedLimit(link)) throw new AppError('shareLimit')
  const secret = passwordOf(context, link)
  // The server's secret was replaced: nobody can know whether a password is correct.
  if (secret === undefined) throw new AppError('notFound')
  await checkPassword(context, { ...link, short_pass: secret }, password, from.ip)
  if (caller.kind !== 'member' || caller.userId !== link.user_id) await countView(context, link, caller, from)
  if (link.upload_files !== null) {
    const upload = {
      files_left: link.upload_files - link.uploaded_files,
      bytes_left: (link.upload_bytes ?? 0) - link.uploaded_bytes,
    }
    const ticket = await signUploadTicket(context, link)
    return { user_id: '', ticket, cid: '', asset_id: 0, kind: 'upload', name: item.name, upload }
  }
  const ticket = await signShareToken(context, link, email)
  return {
    user_id: shortLinkName(link.id),
    ticket,
    cid: item.cid,
    asset_id: link.asset_id ?? 0,
    kind: item.kind,
    name: item.name,
  }
}

/**
 * The address by which a visitor may open a link that is limited to addresses: the owner needs none, a session has that of its account,
 * everybody else a proof. API keys have none, because programs use them.
 * @returns undefined for a link without addresses
 */
async function requireEmail(
  context: Deps,
  link: ShortLinkRow,
  caller: Visitor | Member,
  proof: string | undefined,
): Promise<string | undefined> {
  if (!link.emails) return undefined
  if (caller.kind === 'member' && caller.via !== 'key') {
    if (caller.userId === link.user_id) return OWNER
    if (caller.via === 'session' && link.emails.includes(caller.email)) return caller.email
  }
  const proven = await findProven(context, link, proof)
  if (!proven) throw new AppError('linkEmailRequired')
  return proven
}

async function countView(
  context: Deps,
  link: ShortLinkRow,
  caller: Visitor | Member,
  from: { ip: string; agent: string },
): Promise<void> {
  const at = now(context)
  const since = new Date(at.getTime() - SHARE_DOWNLOAD_WINDOW)
  const visit = { linkId: link.id, visitor: visitorHash(context, { caller, ...from }), what: '', at, since }
  await context.db.transaction(async (tx) => {
    if (await recordVisit(tx, visit)) await addView(tx, link.id, at)
  })
}

/** What previews in chats may show of a link: nothing of one with a password, with e-mail addresses, for uploads, or with a reached limit. */
export interface LinkCard {
  kind: LinkedItem['kind']
  name: string
  size: number
  /** Whether `/image` below the link shows the file. */
  image: boolean
}

const IMAGE = /\.(jpe?g|png|gif|webp|avif)$/i
/** Programs that make previews do not load larger images. */
const IMAGE_MAX_BYTES = 8 * 1024 * 1024

/** @returns undefined for a link that does not open for everybody, and for one that does not exist alike */
export async function cardOf(context: Deps, token: string, ip: string): Promise<LinkCard | undefined> {
  try {
    const { link, item } = await findOpen(context, token, ip)
    return cardOfOpen({ link, item })
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

function cardOfOpen({ link, item }: OpenLink): LinkCard | undefined {
  if (link.upload_files !== null || link.pass || link.emails || hasReachedLimit(link)) return undefined
  const image = item.kind === 'file' && !item.encrypted && IMAGE.test(item.name) && item.size <= IMAGE_MAX_BYTES
  return { kind: item.kind, name: item.name, size: item.size, image }
}

/** The link whose image may be shown without opening its page. @throws AppError as `findOpen`; notFound */
export async function requireImage(
  context: Deps,
  token: string,
  ip: string,
): Promise<{ uid: string; cid: string; assetId: number; ticket: string }> {
  const open = await findOpen(context, token, ip)
  if (!cardOfOpen(open)?.image) throw new AppError('notFound')
  const { link, item } = open
  return {
    uid: shortLinkName(link.id),
    cid: item.cid,
    assetId: link.asset_id ?? 0,
    ticket: await signShareToken(context, link),
  }
}
