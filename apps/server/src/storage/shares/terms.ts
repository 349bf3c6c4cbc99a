import { SHARE_DOWNLOADS, SHARE_PERMANENT, type ShareTerms } from '@tidenet/contract'
import type { Context } from '../context.ts'
import { findLink } from '../links/links.ts'
import type { Opened } from './access.ts'

/**
 * The terms on which others see an item: those of the link that let the caller in, or for the owner those of the item's own link.
 * Without `downloads` the item is a folder, each of whose files has them all for itself.
 */
export async function termsOf(
  { db }: Pick<Context, 'db'>,
  { owner, link }: Opened,
  item: { target: string; shared: boolean; downloads?: number },
): Promise<ShareTerms> {
  const known = link ?? (await findLink(db, owner.userId, item.target))
  return {
    shared: item.shared || link !== undefined,
    expire_time: known?.expires_at ? Math.floor(known.expires_at.getTime() / 1000) : SHARE_PERMANENT,
    has_password: (known?.short_pass ?? '') !== '',
    downloads_left: owner.vip ? -1 : Math.max(0, SHARE_DOWNLOADS - (item.downloads ?? 0)),
  }
}
