import type { LinkRow } from '../links/links.ts'

/**
 * The page of the portal that shows what a link shares.
 * @param portal where people reach the portal, without a trailing slash
 */
export function longLink(portal: string, link: Pick<LinkRow, 'target' | 'kind' | 'areas'>, uid: string): string {
  const query = new URLSearchParams({
    cid: link.target,
    AssetType: link.kind === 'file' ? 'file' : 'folder',
    address: uid,
  })
  if (link.areas.length > 0) query.set('area_id', link.areas.join(','))
  return `${portal}/${link.kind === 'group' ? 'groupPreview' : 'distributionstatus'}?${query}`
}

/** The `ts` of a link: when it was made, unix seconds. */
export const timeOf = ({ created_at }: Pick<LinkRow, 'created_at'>): string =>
  String(Math.floor(created_at.getTime() / 1000))

/** The short address on the portal's own host, `/link?cid=…&ts=…&id=…`; the id decides, the rest is what older clients read. */
export function shortLink(portal: string, link: Pick<LinkRow, 'id' | 'target' | 'created_at'>): string {
  const query = new URLSearchParams({
    cid: link.target,
    ts: timeOf(link),
    id: link.id,
  })
  return `${new URL(portal).pathname.replace(/\/$/, '')}/link?${query}`
}
