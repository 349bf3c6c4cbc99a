import { AppError, type contract, type DownloadInfo, type Output, type Parsed } from '@tidenet/contract'
import { lastEnded, placement } from '../../network/index.ts'
import { readAreas } from '../../platform/areas.ts'
import type { Member, Visitor } from '../../platform/http/callers.ts'
import { countReader } from '../acceleration/acceleration.ts'
import { type AssetKey, type AssetRow, downloadsOf, findAsset, versions } from '../assets/assets.ts'
import { readKey } from '../assets/key.ts'
import { hasUsedUpDownloads } from '../assets/overview.ts'
import { type Context, now } from '../context.ts'
import { addShortLinkPreview } from '../links/short-links.ts'
import { countShareDownload, openShare, shortLinkName } from '../shares/access.ts'
import { contentsMissing } from '../third-party-records/records.ts'
import { openOwnDownload, openTrace } from '../traces/service.ts'
import { visitorOf } from '../traces/visitors.ts'
import { downloadTrafficLeft } from '../usage/service.ts'
import { type SourceRequest, sourcesOf } from './sources.ts'
import { requireVisitTraffic } from './visits.ts'

/** The content of an entry, or of an earlier version. An entry that has the content comes before versions. */
async function findOwnContent(
  context: Pick<Context, 'db' | 'clock'>,
  userId: number,
  key: AssetKey,
  versionId: number | undefined,
): Promise<AssetRow | undefined> {
  const { db } = context
  const { cid, assetId } = key
  const current = versionId === undefined ? await findAsset(db, userId, key) : undefined
  if (current) return current
  const at = now(context)
  const version =
    versionId === undefined
      ? await versions.findVersionOf(db, userId, { cid, assetId }, at)
      : await versions.findVersion(db, userId, versionId, at)
  if (!version || version.removed_at || version.cid !== cid || version.asset_id !== (assetId ?? version.asset_id))
    return undefined
  const entry = await findAsset(db, userId, { assetId: version.asset_id })
  const { kind, size, encrypted, restricted_to, receipt_id } = version
  return entry && { ...entry, cid, kind, size, encrypted, restricted_to, receipt_id }
}

/** Sources for a file of the caller's account. @param ip of the reader; absent: it only asks where the file is */
export async function ownDownload(
  context: Context,
  caller: Member,
  {
    key,
    versionId,
    areas,
    preview = false,
    receiptKey,
    ip,
  }: {
    key: AssetKey
    versionId?: number | undefined
    areas: readonly string[]
    preview?: boolean
    receiptKey?: string | undefined
    ip?: string
  },
): Promise<Output<typeof contract.downloads.own>> {
  const asset = await findOwnContent(context, caller.userId, key, versionId)
  if (!asset) throw new AppError('assetUnknown')
  return contentDownload(context, caller, asset, { areas, preview, receiptKey, ip })
}

/** Sources for a content that the caller's account has, wherever it has it. @throws AppError */
export async function contentDownload(
  context: Context,
  caller: Member,
  asset: Pick<
    AssetRow,
    'cid' | 'kind' | 'name' | 'size' | 'encrypted' | 'areas' | 'restricted_to' | 'receipt_id' | 'expires_at'
  >,
  {
    areas,
    preview = false,
    receiptKey,
    ip,
  }: {
    areas: readonly string[]
    preview?: boolean
    receiptKey?: string | undefined
    ip?: string | undefined
  },
): Promise<Output<typeof contract.downloads.own>> {
  const { cid } = asset
  if (asset.expires_at.getTime() <= context.clock.now()) throw new AppError('fileExpired')
  if ((await downloadTrafficLeft(context.db, context.clock, caller.userId)) <= 0)
    throw new AppError('downloadQuotaExceeded')
  const both = intersectAreas(asset.areas, areas)
  const at = now(context)
  const opening = { userId: caller.userId, account: caller.uid, cid, name: asset.name, preview, receiptKey, at }
  const traceId = await openOwnDownload(context.db, caller, opening, asset.size)
  const info = await sourcesOrRestore(context, {
    ...asset,
    account: caller.uid,
    areas: both,
    traceId,
    receiptKey,
    reader: caller.vip && ip !== undefined ? await countReader(context, { userId: caller.userId, cid, ip }) : undefined,
  })
  // Clients do not report previews, so they get no trace id.
  return { ...info, ...(preview && { trace_id: '' }), receipt_id: asset.receipt_id }
}

/** Sources for a shared file, for anyone with access to the share. */
export async function openDownload(
  context: Context,
  caller: Visitor | Member,
  from: { ip: string; agent: string },
  input: Parsed<typeof contract.downloads.open>,
): Promise<DownloadInfo> {
  if (!input.user_id) throw new AppError('userIdMissing')
  const { cid, assetId } = readKey(input.asset_cid, input.asset_id)
  const ended = await lastEnded(context.db)
  const share = await openShare(context, {
    caller,
    uid: input.user_id,
    cid,
    assetId,
    groupId: input.group_id,
    token: input.ticket,
  })
  const { asset, owner } = share
  if (asset.expires_at.getTime() <= context.clock.now()) throw new AppError('fileExpired')
  if ((await downloadTrafficLeft(context.db, context.clock, owner.userId)) <= 0)
    throw new AppError('downloadQuotaExceeded')
  const own = caller.kind === 'member' && caller.userId === owner.userId
  const visitor = own ? undefined : visitorOf(context, owner.uid, from.ip)
  if (visitor !== undefined) await requireVisitTraffic(context, owner, visitor)
  // A preview does not count as a download, but it delivers the same bytes: refuse it when the downloads are used up.
  const { short, folder } = share
  const name = short && shortLinkName(short.id)
  if (!own && input.preview && hasUsedUpDownloads(owner, await downloadsOf(context.db, asset.id)))
    throw new AppError('shareLimit')
  if (!own && input.preview && short?.max_downloads && !(await addShortLinkPreview(context.db, short.id)))
    throw new AppError('shareLimit')
  if (!own && !input.preview) await countShareDownload(context, { owner, asset, folder, short, caller, ...from })
  const at = now(context)
  const opening = {
    userId: own ? owner.userId : undefined,
    account: owner.uid,
    shownAs: name,
    cid,
    name: asset.name,
    preview: input.preview,
    receiptKey: input.receipt_key,
    visitor,
    at,
  }
  const areas = intersectAreas(intersectAreas(asset.areas, share.areas), readAreas(input.area_id))
  const traceId = own
    ? await openOwnDownload(context.db, caller, opening, asset.size)
    : await openTrace(context.db, { ...opening, kind: 'download' })
  const shareGrant = short
    ? { target: 'link', expires: short.expires_at }
    : { target: String(folder ?? cid), expires: share.link?.expires_at ?? null }
  return sourcesOrRestore(context, {
    ...asset,
    // Tokens are readable: that of a short link must not name the account.
    account: name ?? owner.uid,
    areas,
    traceId,
    receiptKey: input.receipt_key,
    reader: owner.vip ? await countReader(context, { userId: owner.userId, cid, ip: from.ip }) : undefined,
    ...(!own && { share: shareGrant }),
    ended,
  })
}

/** @throws AppError contentRestoring if no node has the content, but a third party does; otherwise as `sourcesOf` */
async function sourcesOrRestore(context: Context, request: SourceRequest): Promise<DownloadInfo> {
  try {
    return await sourcesOf(context, request)
  } catch (error) {
    if (!(error instanceof AppError) || error.key !== 'nodesOffline' || request.restricted_to !== null) throw error
    if (await placement.isAvailable(context.db, request.cid)) throw error
    const restoring = await contentsMissing(context.db, [request.cid], now(context))
    throw restoring.length > 0 ? new AppError('contentRestoring') : error
  }
}

/** The requested areas that are granted; an empty list means everywhere. @throws AppError noArea if they have none in common */
function intersectAreas(granted: readonly string[], requested: readonly string[]): readonly string[] {
  if (requested.length === 0) return granted
  if (granted.length === 0) return requested
  const both = requested.filter((area) => granted.includes(area))
  if (both.length === 0) throw new AppError('noArea')
  return both
}
