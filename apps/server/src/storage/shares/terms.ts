import { SHARE_DOWNLOADS, SHARE_PERMANENT, type ShareTerms } from '@tidenet/contract'
import type { Context } from '../context.ts'
import { findLink, type LinkTarget } from '../links/links.ts'
import type { ShareAccess } from './access.ts'

/**
 * The terms of a shared item: those of the link that granted access, or of the item's own link for the owner.
 * @param item.downloads missing for a folder, whose files have a limit each
 */
export async function termsOf(
  { db }: Pick<Context, 'db'>,
  { owner, link }: ShareAccess,
  item: { target: LinkTarget; shared: boolean; downloads?: number },
): Promise<ShareTerms> {
  const known = link ?? (await findLink(db, owner.userId, item.target))
  return {
    shared: item.shared || link !== undefined,
    expire_time: known?.expires_at ? Math.floor(known.expires_at.getTime() / 1000) : SHARE_PERMANENT,
    has_password: (known?.short_pass ?? '') !== '',
    downloads_left: owner.vip ? -1 : Math.max(0, SHARE_DOWNLOADS - (item.downloads ?? 0)),
  }
}
