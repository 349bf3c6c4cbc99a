import type { ShareSearch } from '../../searches.ts'

/** A pasted link: the token of a short link, a link id, or the search parameters of a share's page. */
export type PastedLink = { token: string } | { id: string } | { search: ShareSearch }

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
 * Parses a pasted link. Only links of this portal are accepted.
 * @param origin origin of this portal
 */
export function parsePastedLink(text: string, origin: string): PastedLink | undefined {
  const input = text.trim()
  if (ID.test(input)) return { id: input }
  const url = URL.parse(input, origin)
  if (!url || url.origin !== origin || url.username || url.password) return undefined
  const token = /^\/s\/([1-9A-HJ-NP-Za-km-z]{16})\/?$/.exec(url.pathname)?.[1]
  if (token) return { token }
  if (!SHARES.includes(url.pathname.replace(/\/+$/, ''))) return undefined
  const field = (name: string) => url.searchParams.get(name) ?? undefined
  const id = field('id')
  if (id) return ID.test(id) ? { id } : undefined
  if (!field('cid')) return undefined
  return { search: { cid: field('cid'), address: field('address'), area_id: field('area_id') } }
}
