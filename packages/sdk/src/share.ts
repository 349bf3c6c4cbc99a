import { SHARE_PERMANENT } from '@tidenet/contract/constants'
import { SHARE } from '@tidenet/contract/storage-enums'
import type { Answer } from './api.ts'
import { type Core, settle } from './core.ts'
import { itemDetails } from './library.ts'
import { isSuccess, need, type Result, success } from './result.ts'

export interface ShareOptions {
  /** A CID, or a folder id if it consists of digits. */
  id: string | number
  /** Unix seconds, or days from now with `hasDay`. Without it a new link is permanent and an existing one keeps its expiry. */
  expireAt?: number
  expire_at?: number
  hasDay?: boolean
  /** Six letters or digits; empty removes the password, absent keeps it. */
  shortPass?: string
  short_pass?: string
  areaId?: string[]
  area_id?: string[]
}

export interface SharedLink {
  id: string
  /** URL of the share page. */
  url: string
  /** Short URL that redirects there. */
  short_link: string
  /** Unix seconds; 4101509461 or later means permanent. */
  expire_at: number
  short_pass: string
}

export interface Sharing {
  /**
   * Creates the link of a file or folder, or updates the existing one.
   * Codes: 1006 no id, 10021 id -1, 10024 expiry, 1009 password, 10016 areas, 1004 no such folder, 1008 no such file, 1007 cannot be
   * shared.
   */
  createSharedLink(options: ShareOptions): Promise<Result<SharedLink>>
  /** Deletes a link and stops sharing its item. */
  revokeSharedLink(link: { id: string }): Promise<Result<{ msg: string }>>
}

const DAY = 86_400
const LINK_EXISTS = 2061

export function createSharing(core: Core): Sharing {
  return {
    createSharedLink: (options) => settle(core, () => share(core, options)),
    revokeSharedLink: (link) =>
      settle(core, async () => {
        core.check.options(link, 'revokeSharedLink')
        core.check.id(link.id)
        return core.api.call('shares.revoke', { id: link.id })
      }),
  }
}

async function share(core: Core, options: ShareOptions): Promise<Result<SharedLink>> {
  const { api, check, toFailure } = core
  check.options(options, 'share')
  const areas = options.areaId ?? options.area_id
  const shortPass = options.shortPass ?? options.short_pass
  const given = options.expireAt ?? options.expire_at
  check.id(options.id)
  check.assetId(options.id)
  check.areas(areas)
  if (given !== undefined) check.expiry(given)
  if (shortPass !== undefined) check.shortPass(shortPass)
  const id = String(options.id).trim()
  const expireAt = given !== undefined && options.hasDay ? Math.floor(Date.now() / 1000) + given * DAY : given

  const isFolder = /^\d+$/.test(id)
  const item = need(await itemDetails(core, isFolder ? { groupid: Number(id) } : { cid: id }))
  if (isFolder && !item.Group) return toFailure('resourceUnavailable')
  if (!isFolder) check.asset(item.AssetOverview?.UserAssetDetail)
  const { ShareStatus, UserID } = isFolder ? item.Group! : item.AssetOverview!.UserAssetDetail
  // A link whose download limit is used up can still be changed.
  check.shareStatus(ShareStatus === SHARE.usedUp ? SHARE.on : ShareStatus)

  const wanted = { username: UserID, cid: id, ...(areas?.length && { area_id: areas }) }
  if (ShareStatus !== SHARE.off) {
    const known = await updateLink(core, wanted, expireAt, shortPass)
    if (known) return known
  }
  const made = await api.call('shares.create', {
    ...wanted,
    url: sharePageUrl(api.url, item, id),
    expire_time: expireAt ?? SHARE_PERMANENT,
    ...(shortPass && { short_pass: shortPass }),
  })
  if (!isSuccess(made)) {
    const known = made.data.err === LINK_EXISTS ? await updateLink(core, wanted, expireAt, shortPass) : undefined
    return known ?? made
  }
  const shared = await api.call('shares.setStatus', {
    user_id: UserID,
    cid: id,
    status: SHARE.on,
    ...(areas?.length && { area_id: areas }),
  })
  if (!isSuccess(shared)) return shared
  const { data } = made
  return success(
    {
      id: data.id,
      url: absolute(api.url, data.long_link || data.url),
      short_link: absolute(api.url, data.short_link || data.url),
      expire_at: expireAt ?? SHARE_PERMANENT,
      short_pass: shortPass ?? '',
    },
    api.lang,
  )
}

/** Updates the existing link; undefined if there is none. */
async function updateLink(
  core: Core,
  wanted: { username: string; cid: string },
  expireAt: number | undefined,
  shortPass: string | undefined,
): Promise<Result<SharedLink> | undefined> {
  const { api } = core
  const info = await api.call('shares.info', { username: wanted.username, cid: wanted.cid })
  if (!isSuccess(info)) return info.data.err === 1000 ? undefined : info
  const { link } = info.data
  if (expireAt !== undefined || shortPass !== undefined) {
    const updated = await api.call('shares.update', {
      id: link.id,
      ...(expireAt !== undefined && { expire_at: expireAt }),
      ...(shortPass !== undefined && { short_pass: shortPass }),
    })
    if (!isSuccess(updated)) return updated
  }
  return success(
    {
      id: link.id,
      url: absolute(api.url, link.long_link),
      short_link: absolute(api.url, link.short_link),
      expire_at: expireAt ?? link.expire_time,
      short_pass: shortPass ?? link.short_pass,
    },
    api.lang,
  )
}

/** URL of the share page of an item. */
function sharePageUrl(base: string, item: Answer<'folders.item'>, id: string): string {
  if (item.Group)
    return `${base}/groupPreview?${new URLSearchParams({ cid: id, AssetType: 'folder', address: item.Group.UserID })}`
  const detail = item.AssetOverview!.UserAssetDetail
  const query = new URLSearchParams({ cid: id, AssetType: detail.AssetType, address: detail.UserID })
  if (detail.area_ids.length > 0) query.set('area_id', detail.area_ids.join(','))
  return `${base}/distributionstatus?${query}`
}

function absolute(base: string, link: string): string {
  return link.startsWith('/') ? `${base}${link}` : link
}
