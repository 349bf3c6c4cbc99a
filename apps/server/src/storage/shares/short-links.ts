import { randomInt } from 'node:crypto'
import {
  AppError,
  type contract,
  type LinkState,
  type Output,
  type Parsed,
  SHARE_PERMANENT,
  SHORT_LINKS_MAX,
  type ShortLink,
} from '@tidenet/contract'
import { lockAccountForUpdate } from '../../identity/index.ts'
import { ago } from '../../platform/ago.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { seal, unseal } from '../../platform/seal.ts'
import { hashToken } from '../../platform/token-hash.ts'
import { hasUsedUpDownloads } from '../assets/overview.ts'
import { type Context, now } from '../context.ts'
import { createLinkId } from '../links/link-id.ts'
import * as links from '../links/short-links.ts'
import { findFolder, findPaths } from '../tree/tree.ts'
import { shortLink as oldShortLink } from './addresses.ts'
import { readExpiry, requireOwnItem } from './items.ts'
import { readTarget, type Target } from './targets.ts'

type ShortLinks = (typeof contract)['shortLinks']
type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'portalUrl'>

/** Without characters that are easily confused. 16 of 58 characters are 93 random bits. */
const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const TOKEN_LENGTH = 16
export const SHORT_LINK_TOKEN = /^[1-9A-HJ-NP-Za-km-z]{16}$/

const createToken = (): string =>
  Array.from({ length: TOKEN_LENGTH }, () => LETTERS[randomInt(LETTERS.length)] as string).join('')

const tokenOwner = (id: string) => `token of short link ${id}`
const passOwner = (id: string) => `password of short link ${id}`

const sealPass = ({ keys }: Pick<Deps, 'keys'>, id: string, pass: string): Buffer | null =>
  pass === '' ? null : seal(keys.shortLink, Buffer.from(pass), passOwner(id))

/** The password of a link; '' if it has none, undefined if the server's secret was replaced since. */
export function passwordOf(
  { keys }: Pick<Deps, 'keys'>,
  { id, pass }: { id: string; pass: Buffer | null },
): string | undefined {
  if (!pass) return ''
  return unseal(keys.shortLink, pass, passOwner(id))?.toString()
}

/** Creates a link of an own item. @throws AppError assetUnknown, folderUnknown, shareLimit, expiryPast, tooManyLinks */
export async function createShortLink(
  context: Deps,
  caller: Member,
  input: Parsed<ShortLinks['create']>,
  from: { ip: string },
): Promise<ShortLink> {
  const target = readTarget(input.cid, input.asset_id)
  const at = now(context)
  const expires = readExpiry(input.expire_time, at)
  if (input.upload_files > 0 !== input.upload_bytes > 0) throw new AppError('uploadLinkTarget')
  const id = createLinkId()
  const token = createToken()
  await context.db.transaction(async (tx) => {
    const owner = await lockAccountForUpdate(tx, caller.userId)
    const item = await requireOwnItem(tx, caller, target)
    if (input.upload_files > 0 && !(await canReceive(tx, caller, target))) throw new AppError('uploadLinkTarget')
    if (target.kind === 'asset' && hasUsedUpDownloads(owner, item.downloads)) throw new AppError('shareLimit')
    if ((await links.countShortLinks(tx, caller.userId)) >= SHORT_LINKS_MAX)
      throw new AppError('tooManyLinks', { max: SHORT_LINKS_MAX })
    await links.insertShortLink(tx, {
      id,
      user_id: caller.userId,
      token_hash: hashToken(token),
      token: seal(context.keys.shortLink, Buffer.from(token), tokenOwner(id)),
      asset_id: item.asset_id,
      folder_id: target.kind === 'group' ? target.folderId : null,
      pass: sealPass(context, id, input.short_pass),
      note: input.note,
      expires_at: expires,
      max_downloads: input.max_downloads || null,
      emails: emailsOf(input.emails),
      upload_files: input.upload_files || null,
      upload_bytes: input.upload_bytes || null,
      created_at: at,
    })
    const detail = {
      of: target.text,
      password: input.short_pass !== '',
      expires,
      downloads: input.max_downloads,
      emails: input.emails.length,
      ...(input.upload_files > 0 && { uploads: { files: input.upload_files, bytes: input.upload_bytes } }),
    }
    await audit(tx, context, caller, from, { action: 'share.create', subject: `link:${id}`, detail })
  })
  return requireListed(context, caller, id)
}

/** Only folders that are not encrypted receive files: visitors have no key. */
const canReceive = async (tx: Db, caller: Member, target: Target): Promise<boolean> =>
  target.kind === 'group' && (await findFolder(tx, caller.userId, target.folderId))?.encrypted === false

/** Each address once; null for none. */
const emailsOf = (emails: readonly string[]): string[] | null => (emails.length > 0 ? [...new Set(emails)] : null)

/** The link in the format of the API. @throws AppError notFound */
async function requireListed(context: Deps, caller: Member, id: string): Promise<ShortLink> {
  const at = now(context)
  const rows = await links.pageOfLinks(context.db, caller.userId, { id }, { at, limit: 1, offset: 0 })
  const [link] = await shown(context, caller, rows, at)
  if (!link) throw new AppError('notFound')
  return link
}

/** All links of the account, newest first; revoked ones only on request. */
export async function listLinks(
  context: Deps,
  caller: Member,
  { page, page_size, cid, asset_id, ...filter }: Parsed<ShortLinks['list']>,
): Promise<Output<ShortLinks['list']>> {
  const at = now(context)
  const asked = { ...filter, ...(cid !== undefined && { item: readTarget(cid, asset_id) }) }
  const [rows, total] = await Promise.all([
    links.pageOfLinks(context.db, caller.userId, asked, { at, limit: page_size, offset: (page - 1) * page_size }),
    links.countPageOfLinks(context.db, caller.userId, asked, at),
  ])
  return { list: await shown(context, caller, rows, at), total }
}

async function shown(context: Deps, caller: Member, rows: readonly links.ListedLink[], at: Date): Promise<ShortLink[]> {
  const paths = await findPaths(context.db, caller.userId, [...new Set(rows.map((row) => row.folder_id))])
  return rows.map((row) => ({
    id: row.id,
    form: row.form,
    url: urlOf(context, row),
    note: row.note,
    short_pass: row.form === 'long' ? row.short_pass : (passwordOf(context, row) ?? ''),
    expire_time: row.expires_at ? Math.floor(row.expires_at.getTime() / 1000) : SHARE_PERMANENT,
    max_downloads: row.max_downloads ?? 0,
    emails: row.emails ?? [],
    upload:
      row.upload_files === null
        ? null
        : {
            max_files: row.upload_files,
            max_bytes: row.upload_bytes ?? 0,
            files: row.uploaded_files,
            bytes: row.uploaded_bytes,
          },
    state: stateOf(row, at),
    restorable_until: row.revoked_at && new Date(row.revoked_at.getTime() + links.REVOKED_LIFE).toISOString(),
    views: row.views,
    downloads: row.downloads,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    item: {
      cid: row.cid ?? (row.linked_folder === null ? '' : String(row.linked_folder)),
      asset_id: row.asset_id ?? 0,
      kind: row.kind,
      name: row.item_name ?? '',
      size: row.size,
      encrypted: row.encrypted,
      folder: row.folder_id,
      path: paths.get(row.folder_id)?.map(({ Name }) => Name) ?? [],
    },
  }))
}

function urlOf(context: Deps, row: links.ListedLink): string {
  if (row.form === 'long') {
    const target = row.cid ?? String(row.linked_folder)
    return `${new URL(context.portalUrl()).origin}${oldShortLink(context.portalUrl(), { ...row, target })}`
  }
  const token = row.token && unseal(context.keys.shortLink, row.token, tokenOwner(row.id))?.toString()
  return token ? `${context.portalUrl()}/s/${token}` : ''
}

function stateOf(row: links.ListedLink, at: Date): LinkState {
  if (row.revoked) return 'revoked'
  if (row.item_name === null) return 'gone'
  if (!row.active) return 'off'
  if (row.expires_at && row.expires_at <= at) return 'expired'
  return hasReachedLimit(row) ? 'used_up' : 'live'
}

/** Whether the own limits of a link are used up. */
export const hasReachedLimit = (
  link: Pick<
    links.ShortLinkRow,
    'max_downloads' | 'downloads' | 'upload_files' | 'upload_bytes' | 'uploaded_files' | 'uploaded_bytes'
  >,
): boolean =>
  (link.max_downloads !== null && link.downloads >= link.max_downloads) ||
  (link.upload_files !== null && link.uploaded_files >= link.upload_files) ||
  (link.upload_bytes !== null && link.uploaded_bytes >= link.upload_bytes)

/** The item in the audit log. */
const itemText = ({ asset_id, folder_id }: links.ShortLinkRow): string =>
  asset_id === null ? `folder:${folder_id}` : `asset:${asset_id}`

/** Locks the account and finds its link. @throws AppError notFound, also for links of others */
async function requireOwn(tx: Db, caller: Member, id: string): Promise<links.ShortLinkRow> {
  await lockAccountForUpdate(tx, caller.userId)
  const link = await links.findShortLink(tx, id)
  if (link?.user_id !== caller.userId) throw new AppError('notFound')
  return link
}

/** Changes the terms of a link, which invalidates its share tokens. @throws AppError notFound, expiryPast */
export async function updateShortLink(
  context: Deps,
  caller: Member,
  input: Parsed<ShortLinks['update']>,
  from: { ip: string },
): Promise<ShortLink> {
  const at = now(context)
  await context.db.transaction(async (tx) => {
    const link = await requireOwn(tx, caller, input.id)
    if (link.revoked_at) throw new AppError('notFound')
    // A link for uploads never becomes one that opens its folder, nor the reverse: people have it for one purpose.
    const changesUploads = input.upload_files !== undefined || input.upload_bytes !== undefined
    if (changesUploads && link.upload_files === null) throw new AppError('uploadLinkTarget')
    const terms = {
      id: link.id,
      // An unchanged password must keep its ciphertext: a new one would look like a changed password.
      pass:
        input.short_pass === undefined || input.short_pass === passwordOf(context, link)
          ? link.pass
          : sealPass(context, link.id, input.short_pass),
      note: input.note ?? link.note,
      expires_at: input.expire_time === 0 ? link.expires_at : readExpiry(input.expire_time, at),
      max_downloads: input.max_downloads === undefined ? link.max_downloads : input.max_downloads || null,
      emails: input.emails === undefined ? link.emails : emailsOf(input.emails),
      upload_files: input.upload_files ?? link.upload_files,
      upload_bytes: input.upload_bytes ?? link.upload_bytes,
      active: input.active ?? link.active,
    }
    await links.updateShortLink(tx, terms, at)
    const detail = {
      of: itemText(link),
      password: terms.pass !== null,
      expires: terms.expires_at,
      downloads: terms.max_downloads ?? 0,
      emails: terms.emails?.length ?? 0,
      active: terms.active,
    }
    await audit(tx, context, caller, from, { action: 'share.change', subject: `link:${link.id}`, detail })
  })
  return requireListed(context, caller, input.id)
}

/** Revokes a link; it keeps its address and can be restored. */
export async function revokeShortLink(context: Deps, caller: Member, id: string, from: { ip: string }): Promise<void> {
  const at = now(context)
  await context.db.transaction(async (tx) => {
    const link = await requireOwn(tx, caller, id)
    if (link.revoked_at) return
    await links.setRevoked(tx, id, at, at)
    const detail = { of: itemText(link) }
    await audit(tx, context, caller, from, { action: 'share.remove', subject: `link:${id}`, detail })
  })
}

export async function restoreShortLink(context: Deps, caller: Member, id: string, from: { ip: string }): Promise<void> {
  await context.db.transaction(async (tx) => {
    const link = await requireOwn(tx, caller, id)
    if (!link.revoked_at) return
    // It is deleted soon.
    if (link.revoked_at < ago(now(context), links.REVOKED_LIFE)) throw new AppError('notFound')
    await links.setRevoked(tx, id, null, now(context))
    const detail = { of: itemText(link), restored: true }
    await audit(tx, context, caller, from, { action: 'share.create', subject: `link:${id}`, detail })
  })
}
