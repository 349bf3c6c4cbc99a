import type { Input, RouteOf, ShortLink } from '@tidenet/contract'
import { SHARE_PERMANENT } from '@tidenet/contract/constants'
import { SHARE } from '@tidenet/contract/storage-enums'
import { api } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { toast } from '../../ui/toast.ts'
import { t } from './link-texts.ts'

/** Reloads everything that shows links, or whether something is shared. */
export const refreshLinks = () => refresh('shortLinks.list', 'folders.contents', 'folders.item')

/** The item of a link in calls. */
const named = ({ item: { cid, asset_id } }: ShortLink) => ({ cid, ...(asset_id > 0 && { asset_id }) })

/** Revokes a link, and offers to undo that: the very same link works again. @param onRevoked offers it instead of the toast */
export async function revoke(link: ShortLink, onRevoked?: (link: ShortLink) => void): Promise<void> {
  await (link.form === 'short'
    ? api('shortLinks.revoke', { id: link.id })
    : api('shares.setStatus', { ...named(link), status: SHARE.off }))
  refreshLinks()
  if (onRevoked) return onRevoked(link)
  toast.success(t.link.revoked, { title: t.link.undo, act: () => void restore(link).catch(toast.error) })
}

export async function restore(link: ShortLink): Promise<void> {
  await (link.form === 'short'
    ? api('shortLinks.restore', { id: link.id })
    : api('shares.setStatus', { ...named(link), status: SHARE.on }))
  refreshLinks()
  toast.success(t.link.restored)
}

export async function setActive({ id }: ShortLink, active: boolean): Promise<void> {
  await api('shortLinks.update', { id, active })
  refreshLinks()
  toast.success(active ? t.link.turnedOn : t.link.turnedOff)
}

/** What the form of a link changes. `expires` in Unix seconds; 0: unchanged. */
export interface LinkTerms {
  expires: number
  password: string
  downloads: number
  note: string
  emails: string[]
  /** Of a link for uploads. */
  uploads?: { upload_files: number; upload_bytes: number } | undefined
}

export async function change(
  link: ShortLink,
  { expires, password, downloads, note, emails, uploads }: LinkTerms,
): Promise<void> {
  if (link.form === 'long') await api('shares.update', { id: link.id, short_pass: password, expire_at: expires })
  else {
    const terms = {
      id: link.id,
      short_pass: password,
      expire_time: expires,
      max_downloads: downloads,
      note,
      emails,
      ...uploads,
    }
    await api('shortLinks.update', terms)
  }
  refreshLinks()
  toast.success(t.form.saved)
}

export async function create(input: Input<RouteOf<'shortLinks.create'>>): Promise<ShortLink> {
  const link = await api('shortLinks.create', input)
  refreshLinks()
  return link
}

const DAY = 86_400

/** Unix seconds of an expiry so many days from now; 0 days: never. */
export const expiryAfter = (days: number): number =>
  days === 0 ? SHARE_PERMANENT : Math.floor(Date.now() / 1000) + days * DAY

/** Whether a link never expires, which is stored as an expiry far in the future. @param seconds unix */
export const isPermanent = (seconds: number): boolean => seconds === 0 || seconds >= SHARE_PERMANENT
