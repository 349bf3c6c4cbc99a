import { SHARE_PERMANENT } from '@tidenet/contract/constants'
import type { Answer } from './api.ts'
import { type Core, settle } from './core.ts'
import type { Result } from './result.ts'

/** The terms of a short link. Camel-case and snake-case names are equivalent. */
export interface LinkTerms {
  /** For the owner; visitors do not see it. At most 100 characters. */
  note?: string
  /** Six letters or digits; empty: no password. */
  shortPass?: string
  short_pass?: string
  /** Unix seconds, or days from now with `hasDay`; 4101509461 is permanent. */
  expireAt?: number
  expire_at?: number
  hasDay?: boolean
  /** 0: no limit of its own. */
  maxDownloads?: number
  max_downloads?: number
  /** Only people who prove one of these e-mail addresses can open the link, at most 50; empty: everybody who has it. */
  emails?: string[]
  /** Both limits make a link by which visitors upload files into a folder, and see nothing of it: files and bytes in total. */
  uploadFiles?: number
  upload_files?: number
  uploadBytes?: number
  upload_bytes?: number
}

export interface NewLink extends LinkTerms {
  /** A CID, or a folder id if it consists of digits. */
  id: string | number
  /** The id of the entry, if the account lists the content several times. */
  assetId?: number
  asset_id?: number
}

/** Terms that are absent stay as they are. */
export interface LinkChange extends LinkTerms {
  /** The id of the link. */
  id: string
  /** False: the link does not open until it is turned on again. */
  active?: boolean
}

export interface LinkQuery {
  page?: number
  pageSize?: number
  page_size?: number
  /** Part of the name of the item or of the note. */
  q?: string
  /** Revoked links are listed only for `revoked`. */
  state?: 'live' | 'off' | 'expired' | 'used_up' | 'gone' | 'revoked'
  kind?: 'file' | 'folder' | 'group'
  /** Only the links of this item: a CID, or a folder id if it consists of digits. */
  item?: string | number
  assetId?: number
  asset_id?: number
}

export interface Links {
  /** Short links: `/s/…` with a random token. A file or folder can have several. */
  links: {
    /** Codes: 1006 no id, 10024 expiry, 1009 password; the server's 10028 and 10018 for an unknown file or folder, 2064 download limit. */
    create(link: NewLink): Promise<Result<Answer<'shortLinks.create'>>>
    /** All links of the account, also the long ones, newest first. */
    list(query?: LinkQuery): Promise<Result<Answer<'shortLinks.list'>>>
    /** Changes a link; its address stays the same. Codes: as `create`; the server's 1000 for an unknown link. */
    change(link: LinkChange): Promise<Result<Answer<'shortLinks.update'>>>
    /** Ends a link; `restore` brings it back with its address for 30 days. Codes: 1006 id. */
    revoke(id: string): Promise<Result<Answer<'shortLinks.revoke'>>>
    restore(id: string): Promise<Result<Answer<'shortLinks.restore'>>>
  }
}

const DAY = 86_400

export function createLinks(core: Core): Links {
  const { api, check } = core
  const withId = <N extends 'shortLinks.revoke' | 'shortLinks.restore'>(name: N) => {
    return (id: string): Promise<Result<Answer<N>>> =>
      settle(core, async () => {
        check.id(id)
        return api.call(name, { id } as never)
      })
  }
  const termsOf = (link: LinkTerms) => {
    const shortPass = link.shortPass ?? link.short_pass
    const expireAt = link.expireAt ?? link.expire_at
    const uploadFiles = link.uploadFiles ?? link.upload_files
    const uploadBytes = link.uploadBytes ?? link.upload_bytes
    const downloads = link.maxDownloads ?? link.max_downloads
    if (shortPass !== undefined) check.shortPass(shortPass)
    if (expireAt !== undefined) check.expiry(expireAt)
    return {
      ...(link.note !== undefined && { note: link.note }),
      ...(shortPass !== undefined && { short_pass: shortPass }),
      ...(expireAt !== undefined && {
        expire_time: link.hasDay ? Math.floor(Date.now() / 1000) + expireAt * DAY : expireAt,
      }),
      ...(downloads !== undefined && { max_downloads: downloads }),
      ...(link.emails !== undefined && { emails: link.emails }),
      ...(uploadFiles !== undefined && { upload_files: uploadFiles }),
      ...(uploadBytes !== undefined && { upload_bytes: uploadBytes }),
    }
  }
  return {
    links: {
      create: (link) =>
        settle(core, async () => {
          check.options(link, 'createLink')
          check.id(link.id)
          const assetId = link.assetId ?? link.asset_id
          return api.call('shortLinks.create', {
            expire_time: SHARE_PERMANENT,
            ...termsOf(link),
            cid: String(link.id).trim(),
            ...(assetId !== undefined && { asset_id: assetId }),
          })
        }),
      list: (query = {}) =>
        settle(core, async () => {
          check.options(query, 'listLinks')
          const { q, state, kind, item } = query
          const assetId = query.assetId ?? query.asset_id
          return api.call('shortLinks.list', {
            page: query.page ?? 1,
            page_size: query.pageSize ?? query.page_size ?? 100,
            ...(q !== undefined && { q }),
            ...(state !== undefined && { state }),
            ...(kind !== undefined && { kind }),
            ...(item !== undefined && { cid: String(item).trim() }),
            ...(assetId !== undefined && { asset_id: assetId }),
          })
        }),
      change: (link) =>
        settle(core, async () => {
          check.options(link, 'changeLink')
          check.id(link.id)
          const { id, active } = link
          return api.call('shortLinks.update', { id, ...termsOf(link), ...(active !== undefined && { active }) })
        }),
      revoke: withId('shortLinks.revoke'),
      restore: withId('shortLinks.restore'),
    },
  }
}
