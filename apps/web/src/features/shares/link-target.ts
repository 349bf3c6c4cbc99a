import type { ShareSearch } from '../../searches.ts'

/** What a pasted text names: an id of a link, or the page of a share with its search. */
export type Pasted = { id: string } | { search: ShareSearch }

const SHARES = [
  '/share',
  '/link',
  '/distributionstatus',
  '/td-distributionstatus',
  '/groupPreview',
  '/api/v1/storage/get_map_link',
]
const ID = /^[A-Za-z0-9_-]{8,80}$/

/**
 * Reads what somebody pastes to open a share. Only addresses of this portal are taken: a share elsewhere is none of ours.
 * @param origin of this portal
 */
export function readPasted(text: string, origin: string): Pasted | undefined {
  const given = text.trim()
  if (ID.test(given)) return { id: given }
  const url = URL.parse(given, origin)
  if (!url || url.origin !== origin || url.username || url.password) return undefined
  if (!SHARES.includes(url.pathname.replace(/\/+$/, ''))) return undefined
  const field = (name: string) => url.searchParams.get(name) ?? undefined
  const id = field('id')
  if (id) return ID.test(id) ? { id } : undefined
  if (!field('cid')) return undefined
  return { search: { cid: field('cid'), address: field('address'), area_id: field('area_id') } }
}
