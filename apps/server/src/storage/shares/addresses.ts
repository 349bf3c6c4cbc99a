import type { LinkRow } from '../links/links.ts'

/**
 * The portal page of the shared item.
 * @param portal the portal's public address, without a trailing slash
 * @param entry the id of the entry, if the CID alone means another one
 */
export function longLink(
  portal: string,
  link: Pick<LinkRow, 'target' | 'kind' | 'areas'>,
  uid: string,
  entry?: number,
): string {
  const query = new URLSearchParams({
    cid: link.target,
    AssetType: link.kind === 'file' ? 'file' : 'folder',
    address: uid,
  })
  if (link.areas.length > 0) query.set('area_id', link.areas.join(','))
  if (entry !== undefined) query.set('asset_id', String(entry))
  return `${portal}/${link.kind === 'group' ? 'groupPreview' : 'distributionstatus'}?${query}`
}

/** The `ts` of a link: its creation time in unix seconds. */
export const linkTime = ({ created_at }: Pick<LinkRow, 'created_at'>): string =>
  String(Math.floor(created_at.getTime() / 1000))

/** The short path on the portal's host, `/link?cid=…&ts=…&id=…`; the id identifies the link, older clients read the rest. */
export function shortLink(portal: string, link: Pick<LinkRow, 'id' | 'target' | 'created_at'>): string {
  const query = new URLSearchParams({
    cid: link.target,
    ts: linkTime(link),
    id: link.id,
  })
  return `${new URL(portal).pathname.replace(/\/$/, '')}/link?${query}`
}
