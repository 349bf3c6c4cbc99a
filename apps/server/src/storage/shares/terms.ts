import { SHARE_DOWNLOADS, SHARE_PERMANENT, type ShareTerms } from '@tidenet/contract'
import type { Context } from '../context.ts'
import { findLink, type LinkTarget } from '../links/links.ts'
import type { ShareAccess } from './access.ts'

const secondsOf = (expires: Date | null | undefined): number =>
  expires ? Math.floor(expires.getTime() / 1000) : SHARE_PERMANENT

/**
 * The terms of a shared item: those of the link that granted access, or of the item's own link for the owner.
 * @param item.downloads missing for a folder, whose files have a limit each
 */
export async function termsOf(
  { db }: Pick<Context, 'db'>,
  { owner, link, short }: ShareAccess,
  item: { target: LinkTarget; shared: boolean; downloads?: number },
): Promise<ShareTerms> {
  const planLeft = owner.vip ? -1 : Math.max(0, SHARE_DOWNLOADS - (item.downloads ?? 0))
  if (short) {
    const linkLeft = short.max_downloads === null ? -1 : Math.max(0, short.max_downloads - short.downloads)
    const limits = [planLeft, linkLeft].filter((left) => left >= 0)
    return {
      shared: true,
      expire_time: secondsOf(short.expires_at),
      has_password: short.pass !== null,
      downloads_left: limits.length > 0 ? Math.min(...limits) : -1,
      link_downloads_left: linkLeft,
    }
  }
  const known = link ?? (await findLink(db, owner.userId, item.target))
  return {
    shared: item.shared || link !== undefined,
    expire_time: secondsOf(known?.expires_at),
    has_password: (known?.short_pass ?? '') !== '',
    downloads_left: planLeft,
  }
}
